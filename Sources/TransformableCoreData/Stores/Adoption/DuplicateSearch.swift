internal import Foundation
internal import Transformable
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// Finds constraints on unique values that the objects of a store break.
///
/// The first pass over a table finds hashes that may be equal, in a fixed amount of memory. Only if there are some, a
/// second one compares these hashes, and only if some are equal, a third one compares the values.
struct DuplicateSearch {
    /// A broken constraint.
    struct Duplicate {
        /// The name of the objects' entity.
        let entity: String
        /// The names of the properties whose combined values must be unique.
        let names: [String]
        /// The number of objects that have the same values as others.
        let count: Int
    }

    private indirect enum Cell {
        case value(Int, CellAdoption)
        case reference(TableScan.Reference, members: Set<Int64>)
        /// Text that is derived from that of another cell unless it is stored.
        case derived(Cell?, Derivation, source: Cell)
        /// A projection of the attribute in a column of our row.
        case projection(String, EntityLoader, column: Int, source: Cell)
        /// The same value for all objects.
        case constant
    }

    private struct Constraint {
        let entity: Int64
        let names: [String]
        let cells: [Cell]
        var sieve = HashSieve(bits: 0)
        var hashes: Set<Int> = []
        var repeated: Set<Int> = []
        var counts: [[ColumnValue]: Int] = [:]
    }

    private let source: CoreDataStore
    private let model: Model
    private let adopted: [Int64: String]
    private let families: [String: [Int64: String]]
    /// Computes projections, or is `nil` if no constraint contains one.
    private let loader: StoreLoader?

    /// Returns the constraints that objects break.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - model: Our model.
    ///   - registry: The registry that contains the transformers of projections.
    ///   - reader: Reads the store.
    /// - Returns: The constraints.
    /// - Throws: Errors of reading the store, and of computing projections.
    static func run(
        _ source: CoreDataStore,
        _ model: Model,
        _ registry: TransformerRegistry,
        _ reader: ForeignReader
    ) throws -> [Duplicate] {
        guard model.entities.contains(where: \.hasUniqueProjection) else {
            return try Self(source, model, nil).run(reader)
        }
        let options = Store.Options(unresolved: .keepBytes)
        let store = try Store.inMemory(model: model, transformers: registry, options: options)
        return try store.load { try Self(source, model, $0).run(reader) }
    }

    private init(_ source: CoreDataStore, _ model: Model, _ loader: StoreLoader?) {
        self.source = source
        self.model = model
        self.loader = loader
        adopted = AdoptionWork.adopted(source, model)
        families = AdoptionWork.families(of: adopted, in: source.model)
    }

    private func run(_ reader: ForeignReader) throws -> [Duplicate] {
        try source.entityTables.flatMap { try search($0, reader) }
    }

    private func search(_ table: String, _ reader: ForeignReader) throws -> [Duplicate] {
        var scan = TableScan(table, source.layout, source.tables)
        let places = scan.entities.sorted { $0.key < $1.key }.map(\.value).filter { adopted[$0.number] != nil }
        var constraints = try places.flatMap { try self.constraints(of: $0, &scan) }
        guard !constraints.isEmpty else { return [] }
        // Many more bits than there are rows, but together fewer bytes than the file has.
        let bits = source.file.size / Int64(constraints.count)
        for index in constraints.indices { constraints[index].sieve = HashSieve(bits: bits) }
        try forEachKey(of: &constraints, scan, reader) { $0.sieve.insert($1.hashValue) }
        constraints.removeAll { !$0.sieve.hasShared }
        guard !constraints.isEmpty else { return [] }
        try forEachKey(of: &constraints, scan, reader) { constraint, key in
            let hash = key.hashValue
            guard constraint.sieve.mayRepeat(hash) else { return }
            if !constraint.hashes.insert(hash).inserted { constraint.repeated.insert(hash) }
        }
        for index in constraints.indices { constraints[index].hashes = [] }
        guard constraints.contains(where: { !$0.repeated.isEmpty }) else { return [] }
        try forEachKey(of: &constraints, scan, reader) { constraint, key in
            if constraint.repeated.contains(key.hashValue) { constraint.counts[key, default: 0] += 1 }
        }
        return constraints.compactMap { constraint in
            let count = constraint.counts.values.filter { $0 > 1 }.reduce(0, +)
            guard count > 0 else { return nil }
            return Duplicate(entity: adopted[constraint.entity] ?? "", names: constraint.names, count: count)
        }
    }

    // MARK: - Keys

    private func forEachKey(
        of constraints: inout [Constraint],
        _ scan: TableScan,
        _ reader: ForeignReader,
        _ body: (inout Constraint, [ColumnValue]) -> Void
    ) throws {
        let indexes = Dictionary(grouping: constraints.indices, by: { constraints[$0].entity })
        try scan.run(reader) { row in
            for index in indexes[row.integer(TableScan.entity)] ?? [] {
                if let key = try Self.key(row, constraints[index].cells) { body(&constraints[index], key) }
            }
            return true
        }
    }

    /// Returns the values of a row as they will be stored, or `nil` if one is missing, because it then differs from all.
    private static func key(_ row: PackedRow, _ cells: [Cell]) throws -> [ColumnValue]? {
        var key: [ColumnValue] = []
        for cell in cells {
            let found = try values(row, cell)
            guard !found.contains(.null) else { return nil }
            key += found
        }
        return key
    }

    private static func values(_ row: PackedRow, _ cell: Cell) throws -> [ColumnValue] {
        switch cell {
        case .value(let index, let conversion):
            guard !row.isNull(index) else { return [.null] }
            switch conversion.convert(row, index) {
            case .cell(let value), .noted(let value, _): return [value]
            case .file: return [.null]
            }
        case .reference(let reference, let members):
            guard let entity = reference.entity(in: row), members.contains(entity) else { return [.null] }
            return [.integer(row.integer(reference.value)), .integer(entity)]
        case .derived(let own, let derivation, let source):
            if let stored = try own.map({ try values(row, $0) }), stored != [.null] { return stored }
            guard case .text(let text)? = try values(row, source).first else { return [.null] }
            return [derivation.text(from: text).map(ColumnValue.text) ?? .null]
        case .projection(let name, let loader, let column, let source):
            let number = row.integer(TableScan.number)
            return try values(row, source).map { try loader.projection(name, of: column, $0, number) }
        case .constant: return []
        }
    }

    // MARK: - Constraints

    /// Returns the constraints of an entity whose values are compared as they are stored.
    private func constraints(of place: EntityPlace, _ scan: inout TableScan) throws -> [Constraint] {
        let lineage = model.entity(place.name).map { model.lineage(of: $0) } ?? []
        let attributes = model.attributes(of: place.name)
        let groups = lineage.flatMap(\.uniqueness) + attributes.filter(\.isUnique).map { [$0.name] }
        var constraints: [Constraint] = []
        for names in groups where !constraints.contains(where: { $0.names == names }) {
            let cells = try names.compactMap { try cell($0, of: place, attributes, &scan) }
            guard cells.count == names.count else { continue }
            constraints.append(Constraint(entity: place.number, names: names, cells: cells))
        }
        return constraints
    }

    private func cell(
        _ name: String,
        of place: EntityPlace,
        _ attributes: [AttributeDescription],
        _ scan: inout TableScan
    ) throws -> Cell? {
        if let reference = place.references.first(where: { $0.relationship.name == name }) {
            let members = families[reference.relationship.destination] ?? [:]
            return .reference(scan.reference(reference), members: Set(members.keys))
        }
        if let attribute = attributes.first(where: { $0.name == name }) {
            return cell(attribute, of: place, attributes, &scan)
        }
        let projected = attributes.first { $0.projections.contains { $0.name == name } }
        guard let projected, let source = cell(projected, of: place, attributes, &scan),
            let loader = try loader?.entity(place.name), let column = loader.column(projected.name)
        else { return nil }
        return .projection(name, loader, column: column, source: source)
    }

    /// Returns where the values of an attribute come from, or `nil` if no two objects have the same one.
    private func cell(
        _ attribute: AttributeDescription,
        of place: EntityPlace,
        _ attributes: [AttributeDescription],
        _ scan: inout TableScan
    ) -> Cell? {
        let own = place.column(of: attribute.name)
            .map { column in
                let conversion = CellAdoption(column.attribute, to: attribute)
                return Cell.value(scan.index(of: column.column), conversion)
            }
        if let name = attribute.derivation?.sourceAttribute, let derivation = attribute.derivation,
            let source = attributes.first(where: { $0.name == name })
        {
            return cell(source, of: place, attributes, &scan).map { Cell.derived(own, derivation, source: $0) } ?? own
        }
        if let own { return own }
        let isFilled = !attribute.isOptional && model.fills(attribute, of: place.name)
        let isSame = isFilled && attribute.defaultValue != .newUUID || attribute.derivation == .dateOfChange
        return isSame ? .constant : nil
    }
}

extension EntityDescription {
    /// Whether a group of unique properties may contain a projection: a name that is none of the entity's own properties.
    fileprivate var hasUniqueProjection: Bool {
        !Set(uniqueness.joined()).subtracting(attributes.map(\.name)).subtracting(relationships.map(\.name)).isEmpty
    }
}
