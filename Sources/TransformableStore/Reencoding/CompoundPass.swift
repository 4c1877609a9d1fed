internal import Transformable

/// Recomputes a compound projection with the current keys, concurrently with readers and writers.
struct CompoundPass {
    let store: Store
    let entity: StoredEntity
    let compound: StoredCompound
    private static let rowsAtOnce: Int64 = 512

    private typealias Row = (number: Int64, parts: PackedRow)

    func run() throws {
        var position: Int64?
        var watch = PassGuard(entity.name)
        while true {
            try Task.checkCancellation()
            let values = try withExtendedLifetime(store.schema.blobs?.hold()) {
                try store.engine.read { database in
                    try rows(after: position, on: database).map { (row: $0, value: try value(of: $0, on: database)) }
                }
            }
            guard let last = values.last?.row.number else { return }
            position = try store.engine.transact { database -> Int64? in
                try store.watch.check(store.schema, on: database)
                let missed = try values.first { try !write($0.value, $0.row, on: database) }
                if let row = missed?.row { try watch.noteConflict(at: row.number, cells(of: row)) }
                // Rows that someone else has written in the meantime are examined again.
                guard let missed else { return last }
                return values.last { $0.row.number < missed.row.number }?.row.number ?? position
            }
        }
    }

    private var columns: [String] { compound.parts.map { SQL.quoted($0.attribute.name) } }

    private func rows(after position: Int64?, on database: any EngineConnection) throws -> [Row] {
        let list = (["\"_id\""] + columns).joined(separator: ", ")
        let start = "\"_id\" \(position == nil ? ">=" : ">") ?"
        let sql = "SELECT \(list) FROM \(entity.table) WHERE \(start) ORDER BY \"_id\" LIMIT ?"
        let statement = try database.statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(position ?? .min), .integer(Self.rowsAtOnce)])
        var rows: [Row] = []
        var order = PassGuard(entity.name, after: position)
        while try statement.step() {
            try order.advance(to: statement.integer(0))
            rows.append((statement.integer(0), statement.packedRow(from: 1, count: compound.parts.count)))
        }
        return rows
    }

    private func cells(of row: Row) -> [ColumnValue] {
        compound.parts.indices.map { row.parts.value($0) }
    }

    private func value(of row: Row, on database: any EngineConnection) throws -> ColumnValue {
        var place = TransformContext(store: store.uuid, entity: entity.id)
        return try compound.project(in: place) { attribute in
            let cell = compound.parts.firstIndex { $0.attribute.index == attribute.index } ?? 0
            place.attribute = attribute.id
            place.object = row.number
            return attribute.load(row.parts, cell, in: place, store.schema.blobs, on: database)
        }
    }

    /// Writes a cell, and returns `false` if the values that it was computed from are no longer there.
    private func write(_ value: ColumnValue, _ row: Row, on database: any EngineConnection) throws -> Bool {
        let demands = columns.map { "\($0) IS ?" }.joined(separator: " AND ")
        let sql = "UPDATE \(entity.table) SET \(SQL.quoted(compound.name)) = ? WHERE \"_id\" = ? AND \(demands)"
        let statement = try database.statement(sql)
        try statement.bind([value, .integer(row.number)] + cells(of: row))
        try statement.run()
        guard database.changedCount == 0 else { return true }
        let exists = "SELECT EXISTS (SELECT 1 FROM \(entity.table) WHERE \"_id\" = ?)"
        return try database.integer(exists, [.integer(row.number)]) == 0
    }
}
