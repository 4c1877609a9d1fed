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
        let tenant: Int64?
    }

    func run() throws {
        var pass = RowPass<Row>(over: entity, in: store, blobs: store.schema.blobs)
        while case let rows = try pass.next(rows), !rows.isEmpty {
            try pass.write(rows) { connection in
                try write(rows, on: connection)
            }
        }
    }

    private var columns: [String] { compound.parts.map { SQL.quoted($0.attribute.name) } }

    private func rows(after position: Int64?, on connection: any EngineConnection) throws -> [Row] {
        let owner = entity.belongsToTenant ? [TenantColumn.name.description] : []
        let list = (["\"_id\""] + columns + owner).joined(separator: ", ")
        let start = "\"_id\" \(position == nil ? ">=" : ">") ?"
        let sql = "SELECT \(list) FROM \(entity.table) WHERE \(start) ORDER BY \"_id\" LIMIT ?"
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(position ?? .min), .integer(Self.rowsAtOnce)])
        let count = compound.parts.count
        var rows: [(number: Int64, tenant: Int64?, parts: PackedRow)] = []
        var order = PassGuard(entity.name, after: position)
        while try statement.step() {
            try order.advance(to: statement.integer(0))
            let tenant = entity.belongsToTenant ? statement.integer(1 + count) : nil
            rows.append((statement.integer(0), tenant, statement.packedRow(from: 1, count: count)))
        }
        return try rows.map { number, tenant, parts in
            let value = try value(of: parts, number, tenant, on: connection)
            return Row(number: number, cells: compound.parts.indices.map(parts.value), value: value, tenant: tenant)
        }
    }

    private func value(
        of parts: PackedRow,
        _ number: Int64,
        _ tenant: Int64?,
        on connection: any EngineConnection
    ) throws -> ColumnValue {
        var place = TransformContext(store: store.uuid, entity: entity.id, tenant: tenant)
        return try compound.project(in: place) { attribute in
            let cell = compound.parts.firstIndex { $0.attribute.index == attribute.index } ?? 0
            place.attribute = attribute.id
            place.object = number
            return try attribute.load(parts, cell, in: place, store.schema.blobs, on: connection)
        }
    }

    /// Writes cells, and returns the first row whose values have changed.
    private func write(_ rows: [Row], on connection: any EngineConnection) throws -> Row? {
        var counts: [Int] = []
        let seal = entity.rowSeal.flatMap { $0.isInSQL ? nil : $0 }
        let tagged = try seal?.rows(rows.map(\.number), on: connection) ?? [:]
        for row in rows { try send(row, tagged[row.number], on: connection) { counts.append($0) } }
        try connection.settle()
        let exists = "SELECT EXISTS (SELECT 1 FROM \(entity.table) WHERE \"_id\" = ?)"
        return try zip(rows, counts)
            .first { row, count in
                // A row that was deleted needs no cell.
                try count == 0 && connection.integer(exists, [.integer(row.number)]) == 1
            }?
            .0
    }

    private func send(
        _ row: Row,
        _ tagged: TaggedRow?,
        on connection: any EngineConnection,
        _ completion: @escaping (Int) -> Void
    ) throws {
        try connection.own(row.tenant)
        let demands = columns.map { "\($0) \(connection.dialect.isSame) ?" }.joined(separator: " AND ")
        let tag = try entity.rowSeal?.renewal(of: tagged, setting: [compound.name], to: [row.value])
        let list = ["\(SQL.quoted(compound.name)) = ?", tag?.assignment].compactMap(\.self).joined(separator: ", ")
        let sql = "UPDATE \(entity.table) SET \(list) WHERE \"_id\" = ? AND \(demands)"
        let cells = [row.value] + (tag?.values ?? []) + [.integer(row.number)] + row.cells
        try connection.change(sql, cells) { completion(try $0.get()) }
    }
}
