internal import Transformable

/// Recomputes a compound projection with the current keys, concurrently with readers and writers.
struct CompoundPass {
    let store: Store
    let entity: StoredEntity
    let compound: StoredCompound
    private static let rowsAtOnce: Int64 = 512

    /// The cells that the projection is computed from, and its new cell.
    private struct Row: PassRow {
        let number: Int64
        let cells: [ColumnValue]
        let value: ColumnValue
    }

    func run() throws {
        var pass = RowPass<Row>(over: entity, in: store, blobs: store.schema.blobs)
        while case let rows = try pass.next(rows), !rows.isEmpty {
            try pass.write(rows) { connection in
                try rows.first { try !write($0, on: connection) }
            }
        }
    }

    private var columns: [String] { compound.parts.map { SQL.quoted($0.attribute.name) } }

    private func rows(after position: Int64?, on connection: any EngineConnection) throws -> [Row] {
        let list = (["\"_id\""] + columns).joined(separator: ", ")
        let start = "\"_id\" \(position == nil ? ">=" : ">") ?"
        let sql = "SELECT \(list) FROM \(entity.table) WHERE \(start) ORDER BY \"_id\" LIMIT ?"
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(position ?? .min), .integer(Self.rowsAtOnce)])
        var rows: [(number: Int64, parts: PackedRow)] = []
        var order = PassGuard(entity.name, after: position)
        while try statement.step() {
            try order.advance(to: statement.integer(0))
            rows.append((statement.integer(0), statement.packedRow(from: 1, count: compound.parts.count)))
        }
        return try rows.map { number, parts in
            let value = try value(of: parts, number, on: connection)
            return Row(number: number, cells: compound.parts.indices.map(parts.value), value: value)
        }
    }

    private func value(of parts: PackedRow, _ number: Int64, on connection: any EngineConnection) throws -> ColumnValue
    {
        let tenant = try TenantColumn.tenant(of: number, in: entity, on: connection)
        var place = TransformContext(store: store.uuid, entity: entity.id, tenant: tenant)
        return try compound.project(in: place) { attribute in
            let cell = compound.parts.firstIndex { $0.attribute.index == attribute.index } ?? 0
            place.attribute = attribute.id
            place.object = number
            return attribute.load(parts, cell, in: place, store.schema.blobs, on: connection)
        }
    }

    /// Writes a cell, and returns `false` if the values that it was computed from are no longer there.
    private func write(_ row: Row, on connection: any EngineConnection) throws -> Bool {
        let demands = columns.map { "\($0) IS ?" }.joined(separator: " AND ")
        let sql = "UPDATE \(entity.table) SET \(SQL.quoted(compound.name)) = ? WHERE \"_id\" = ? AND \(demands)"
        let statement = try connection.statement(sql)
        try statement.bind([row.value, .integer(row.number)] + row.cells)
        try statement.run()
        guard connection.changedCount == 0 else { return true }
        let exists = "SELECT EXISTS (SELECT 1 FROM \(entity.table) WHERE \"_id\" = ?)"
        return try connection.integer(exists, [.integer(row.number)]) == 0
    }
}
