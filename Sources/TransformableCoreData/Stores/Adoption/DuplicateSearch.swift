internal import Foundation
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

    private enum Cell {
        case value(Int, CellConversion)
        case reference(TableScan.Reference, members: Set<Int64>)
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

    init(_ source: CoreDataStore, _ model: Model) {
        self.source = source
        self.model = model
        adopted = AdoptionWork.adopted(source, model)
        families = AdoptionWork.families(of: adopted, in: source.model)
    }

    /// Returns the constraints that objects break.
    func run(_ reader: ForeignReader) throws -> [Duplicate] {
        try source.entityTables.flatMap { try search($0, reader) }
    }

    private func search(_ table: String, _ reader: ForeignReader) throws -> [Duplicate] {
        var scan = TableScan(table, source.layout, source.tables)
        let places = scan.entities.sorted { $0.key < $1.key }.map(\.value).filter { adopted[$0.number] != nil }
        var constraints = places.flatMap { self.constraints(of: $0, &scan) }
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
                if let key = Self.key(row, constraints[index].cells) { body(&constraints[index], key) }
            }
            return true
        }
    }

    /// Returns the values of a row as they will be stored, or `nil` if one is missing, because it then differs from all.
    private static func key(_ row: PackedRow, _ cells: [Cell]) -> [ColumnValue]? {
        var key: [ColumnValue] = []
        for cell in cells {
            switch cell {
            case .value(let index, let conversion):
                guard !row.isNull(index) else { return nil }
                switch conversion.convert(row, index) {
                case .cell(let value), .noted(let value, _): key.append(value)
                case .file: return nil
                }
                if key.last == .null { return nil }
            case .reference(let reference, let members):
                guard let entity = reference.entity(in: row), members.contains(entity) else { return nil }
                key += [.integer(row.integer(reference.value)), .integer(entity)]
            }
        }
        return key
    }

    // MARK: - Constraints

    /// Returns the constraints of an entity whose values are compared as they are stored.
    private func constraints(of place: EntityPlace, _ scan: inout TableScan) -> [Constraint] {
        let lineage = model.entity(place.name).map { model.lineage(of: $0) } ?? []
        let attributes = model.attributes(of: place.name)
        let groups = lineage.flatMap(\.uniqueness) + attributes.filter(\.isUnique).map { [$0.name] }
        var constraints: [Constraint] = []
        for names in groups where !constraints.contains(where: { $0.names == names }) {
            let cells = names.compactMap { cell($0, of: place, attributes, &scan) }
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
    ) -> Cell? {
        if let reference = place.references.first(where: { $0.relationship.name == name }) {
            let members = families[reference.relationship.destination] ?? [:]
            return .reference(scan.reference(reference), members: Set(members.keys))
        }
        guard let attribute = attributes.first(where: { $0.name == name }), attribute.type != .transformed,
            let column = place.attributes.first(where: { AttributeMatch.names(of: $0.path).contains(name) })
        else { return nil }
        let conversion = CellConversion(column.attribute, isOptional: attribute.isOptional)
        return .value(scan.index(of: column.column), conversion)
    }
}
