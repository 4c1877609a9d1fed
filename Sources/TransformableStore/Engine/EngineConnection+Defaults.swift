extension EngineConnection {
    package var rowAuthenticator: RowAuthenticator? { nil }

    package var embedded: (any EmbeddedConnection)? { nil }

    package var pieces: (any PieceStorage)? { nil }

    package var tenants: (any TenantLimiter)? { nil }

    package func ownStatement(_ sql: String) throws -> any EngineStatement { try statement(sql, cached: false) }

    // Without a network, there is nothing to wait for.
    package func change(
        _ sql: String,
        _ cells: [ColumnValue],
        _ completion: @escaping (Result<Int, any Error>) throws -> Void
    ) throws {
        try completion(
            Result {
                try statement(sql).run(cells)
                return changedCount
            }
        )
    }

    package func settle() {}

    package func insert(into table: RowTable, _ next: () throws -> [ColumnValue]?) throws {
        let statement = try statement(table.insertion)
        let width = table.columns.count
        while let cells = try next() {
            for start in stride(from: 0, to: cells.count, by: width) {
                try statement.run(Array(cells[start..<start + width]))
            }
        }
    }

    package func makeEmptyDatabase() throws -> (any Engine)? { nil }

    package func tableFaults() -> [StoreError] { [] }
}
