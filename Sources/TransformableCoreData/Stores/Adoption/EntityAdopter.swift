internal import Foundation
internal import Transformable
internal import TransformableModel
internal import TransformableStore

/// Takes over the rows of an entity.
final class EntityAdopter {
    /// A cell of Core Data's row, and where it goes.
    private struct Move {
        let source: Int
        /// The column of our row, or `nil` if the model has no such attribute.
        let target: Int?
        let conversion: CellAdoption
        /// The rules for the values in our model.
        let rules: ValueRules?
        /// The attribute's name, with those of elements.
        let name: String
        var findings: [CellAdoption.Finding: Int] = [:]
        var leftOut = 0

        func breaksRules(_ cell: ColumnValue) -> Bool {
            guard let rules, !rules.isEmpty else { return false }
            do {
                try rules.check(cell)
                return false
            } catch {
                return true
            }
        }
    }

    /// A to-one reference of Core Data's row, and where it goes.
    private struct Link {
        let reference: TableScan.Reference
        /// Whether our model stores the relationship, be it with the other object.
        let isStored: Bool
        /// Whether our model does not have the relationship, but stores its inverse.
        let isHeldByInverse: Bool
        /// The columns of our row, by the number of the related object's entity.
        let targets: [Int64: Int]
        /// The numbers of the entities that are adopted and that the relationship can lead to.
        let members: Set<Int64>
        let position: Int?
        let tally: RelationshipTallies.Key
        /// Takes over the inverse relationship, if that has references of its own in our model.
        let inverse: PairAdopter?
        /// Whether the reference is stored with the other object.
        var isElsewhere: Bool { targets.isEmpty }
    }

    private let name: String
    private let loader: EntityLoader
    private let tallies: RelationshipTallies
    private let folder: String
    /// The attributes of our model without a column.
    private let computed: Set<String>
    private let isRehearsal: Bool
    private var moves: [Move] = []
    private var links: [Link] = []
    /// The columns of required attributes that Core Data's model does not have, and that get the model's default.
    private var defaults: [Int] = []
    /// The columns of derived attributes, with those of the text that they are derived from.
    private var derived: [(target: Int, derivation: Derivation, source: Int?)] = []
    /// The time of change for objects without one, which is the same for all as in a migration.
    private let now = ColumnValue.real(Date().timeIntervalSinceReferenceDate)
    private var cells: [ColumnValue]
    private(set) var report: AdoptionReport.Entity
    private(set) var fileCount = 0

    /// Prepares to adopt the rows of an entity.
    ///
    /// - Parameters:
    ///   - place: The entity's columns in the store.
    ///   - scan: The pass over its table.
    ///   - work: What the adopters of all entities share.
    /// - Throws: `StoreError` or `CoreDataError` if the model cannot hold the entity's values.
    init(_ place: EntityPlace, _ scan: inout TableScan, _ work: AdoptionWork) throws {
        name = place.name
        loader = try work.loader.entity(place.name)
        tallies = work.tallies
        computed = Set(work.model.attributes(of: place.name).map(\.name)).subtracting(loader.columns.map(\.name))
        folder = work.source.externalDataFolder.path
        isRehearsal = work.isRehearsal
        cells = Array(repeating: .null, count: loader.columns.count)
        report = AdoptionReport.Entity(name: place.name)
        for column in place.attributes { moves.append(try move(column, &scan)) }
        for column in place.references { links.append(try link(scan.reference(column), work)) }
        let filled = Set(moves.compactMap(\.target))
        for (index, column) in loader.columns.enumerated() {
            if let derivation = column.derivation {
                derived.append((index, derivation, derivation.sourceAttribute.flatMap(loader.column)))
            } else if !column.isOptional, column.defaultValue != nil, !filled.contains(index) {
                defaults.append(index)
            }
        }
    }

    private func move(_ column: EntityPlace.AttributeColumn, _ scan: inout TableScan) throws -> Move {
        let attribute = column.attribute
        let target = AttributeMatch.names(of: column.path).lazy.compactMap(loader.column).first
        let path = column.path.joined(separator: ".")
        if let target, let obstacle = obstacle(to: attribute.type, at: target) {
            throw CoreDataError(.modelMismatch, obstacle, entity: name, property: path)
        }
        return Move(
            source: scan.index(of: column.column),
            target: target,
            conversion: CellAdoption(attribute, to: target.map { loader.columns[$0] }),
            rules: target.map { ValueRules(loader.columns[$0]) },
            name: path
        )
    }

    /// Returns why values of a type cannot be stored in a column, and what to do instead, or `nil` if they can.
    private func obstacle(to type: CoreDataAttributeType, at target: Int) -> String? {
        let column = loader.columns[target]
        let remedy = "adopt them unchanged first, and then convert them with “store reseal --to … --scrub”"
        guard AttributeMatch.fits(type, column.type) else {
            let reason = "values of type \(type.name) cannot be stored in an attribute of type"
            let isTransformed = column.type == .transformed
            return "\(reason) “\(column.type.rawValue)”; \(isTransformed ? remedy : "change the model or the map")"
        }
        guard loader.bindsValues(at: target) else { return nil }
        let reason = "“\(column.storedExpression)” binds values to their places in a store"
        return "\(reason), so it cannot read those of Core Data; \(remedy)"
    }

    private func link(_ reference: TableScan.Reference, _ work: AdoptionWork) throws -> Link {
        let relationship = reference.column.relationship
        let own = work.model.relationships(of: name).first { $0.name == relationship.name }
        let members = work.members(of: relationship.destination)
        var targets: [Int64: Int] = [:]
        for (number, member) in members {
            targets[number] = loader.reference(relationship.name, to: member)
        }
        let inverse = try inverse(of: relationship, members.values, work)
        let isPaired = own.map { arePaired($0, with: relationship.inverse, of: members.values, work) } ?? true
        // Core Data stores an inverse apart only if that is a to-one relationship, too.
        let hasInverse = try reference.back != nil && holdsInverse(of: relationship, members.values, work)
        return Link(
            reference: reference,
            isStored: own?.isToMany == false && (!targets.isEmpty || isPaired),
            isHeldByInverse: isPaired && (inverse != nil || hasInverse),
            targets: targets,
            members: Set(members.keys),
            position: loader.position(relationship.name),
            tally: tallies.key(relationship.name, declaredFor: name),
            inverse: inverse
        )
    }

    /// Returns whether our model has a relationship and its inverse in Core Data as inverses of each other.
    private func arePaired(
        _ own: RelationshipDescription,
        with inverse: String?,
        of members: some Sequence<String>,
        _ work: AdoptionWork
    ) -> Bool {
        own.inverse == inverse
            || members.contains { member in
                work.model.relationships(of: member).contains { $0.name == inverse && $0.inverse == own.name }
            }
    }

    /// Returns whether the objects of our store have columns for the inverse of a relationship.
    private func holdsInverse(
        of relationship: CoreDataRelationship,
        _ members: some Sequence<String>,
        _ work: AdoptionWork
    ) throws -> Bool {
        guard let inverse = relationship.inverse else { return false }
        return try members.contains { try work.loader.entity($0).reference(inverse, to: name) != nil }
    }

    /// Returns the adopter of an inverse that our model keeps apart, because the model of Core Data contradicts itself or
    /// because our model does not have the relationship.
    private func inverse(
        of relationship: CoreDataRelationship,
        _ members: some Sequence<String>,
        _ work: AdoptionWork
    ) throws -> PairAdopter? {
        guard let inverse = relationship.inverse else { return nil }
        let isApart = try members.contains { member in
            let own = work.model.relationships(of: member).first { $0.name == inverse }
            guard own?.isToMany == true else { return false }
            return try work.loader.pairs(of: inverse, member, to: name) != nil
        }
        return isApart ? PairAdopter(inverse, of: relationship.destination, work) : nil
    }

    // MARK: - Rows

    /// Takes over a row.
    func adopt(_ row: PackedRow) throws {
        let number = row.integer(TableScan.number)
        for index in cells.indices { cells[index] = .null }
        for index in moves.indices { try take(index, row, number) }
        for link in links { try take(link, row, number) }
        for index in defaults { cells[index] = try loader.defaultCell(at: index, number) }
        for (target, derivation, source) in derived where cells[target] == .null {
            cells[target] = cell(by: derivation, source)
        }
        if !isRehearsal { try loader.insert(number, cells) }
        report.objects += 1
    }

    private func take(_ index: Int, _ row: PackedRow, _ number: Int64) throws {
        let source = moves[index].source
        guard !row.isNull(source) else { return }
        guard let target = moves[index].target else {
            moves[index].leftOut += 1
            return
        }
        report.values += 1
        switch moves[index].conversion.convert(row, source) {
        case .cell(let cell):
            cells[target] = cell
            if moves[index].breaksRules(cell) { moves[index].findings[.againstRules, default: 0] += 1 }
        case .noted(let cell, let finding):
            cells[target] = cell
            moves[index].findings[finding, default: 0] += 1
        case .file(let uuid):
            if let cell = try adopt(file: uuid, at: target, number) {
                cells[target] = cell
                fileCount += 1
            } else {
                cells[target] = EntityLoader.missingFile(uuid)
                moves[index].findings[.missingFile, default: 0] += 1
            }
        }
    }

    private func cell(by derivation: Derivation, _ source: Int?) -> ColumnValue {
        guard let source else { return now }
        guard case .text(let text) = cells[source] else { return .null }
        return derivation.text(from: text).map(ColumnValue.text) ?? .null
    }

    private func adopt(file uuid: UUID, at target: Int, _ number: Int64) throws -> ColumnValue? {
        let path = "\(folder)/\(uuid.uuidString)"
        guard isRehearsal else { return try loader.adopt(file: path, at: target, number) }
        return try FileSystem.openToRead(path) == nil ? nil : .null
    }

    private func take(_ link: Link, _ row: PackedRow, _ number: Int64) throws {
        let reference = link.reference
        guard !row.isNull(reference.value) else { return }
        guard let entity = reference.entity(in: row) else {
            return try tallies.noteDangling(link.tally, object: number)
        }
        guard link.members.contains(entity) else { return tallies.noteLeftOut(link.tally) }
        let order = reference.order.flatMap { row.kind($0) == .integer ? row.integer($0) : nil }
        let isMutual = reference.back.map { row.kind($0) == .integer && row.integer($0) == number } ?? true
        guard link.isStored else {
            if !link.isHeldByInverse || !isMutual { tallies.noteUnknown(link.tally) }
            return try adoptInverse(of: link, row, number, entity, order)
        }
        if !isMutual { tallies.noteOneSided(link.tally, isKept: !link.isElsewhere) }
        guard isMutual || !link.isElsewhere else { return }
        tallies.noteKept(link.tally)
        try adoptInverse(of: link, row, number, entity, order)
        guard let target = link.targets[entity] else { return }
        cells[target] = .integer(row.integer(reference.value))
        if let position = link.position, let order { cells[position] = .integer(order) }
    }

    /// Takes over the other direction of a reference, if our model keeps it apart.
    private func adoptInverse(
        of link: Link,
        _ row: PackedRow,
        _ number: Int64,
        _ entity: Int64,
        _ order: Int64?
    ) throws {
        try link.inverse?
            .adopt(
                PairScan.Pair(
                    owner: PairScan.Object(number: row.integer(link.reference.value), entity: entity),
                    related: PairScan.Object(number: number, entity: row.integer(TableScan.entity)),
                    position: order,
                    backPosition: nil
                )
            )
    }

    // MARK: - Notes

    /// What was unusual about the attributes.
    var notes: [CoreDataNote] {
        let shownFolder = folder.split(separator: "/").suffix(2).joined(separator: "/")
        return moves.flatMap { move in
            // Counts of related objects are computed when they are read.
            let isComputed = move.target == nil && computed.contains(move.name)
            var texts = move.findings.map { $0.key.text($0.value, folder: shownFolder) }.sorted()
            if move.leftOut > 0 {
                let values = move.leftOut.counted("value")
                texts.append(
                    isComputed
                        ? "\(values) left out, because the new model computes the attribute when it is read"
                        : "\(values) left out, because the new model does not have the attribute"
                )
            }
            return texts.map { CoreDataNote(entity: name, property: move.name, $0) }
        }
            + defaultNotes
            + loader.unresolved.map { attribute, error in
                let reason = error.transformerError?.message ?? error.message
                let text = "its transformer cannot be used here (\(reason)), so the bytes were kept"
                return CoreDataNote(entity: name, property: attribute, text)
            }
    }

    private var defaultNotes: [CoreDataNote] {
        guard report.objects > 0 else { return [] }
        let objects = report.objects.counted("object")
        let text = "required, but not in Core Data's model; \(objects) got the default"
        return defaults.map { CoreDataNote(entity: name, property: loader.columns[$0].name, text, isLoss: false) }
    }
}
