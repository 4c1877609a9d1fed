extension EngineConnection {
    package func statement(_ sql: String) throws -> any EngineStatement {
        try statement(sql, cached: true)
    }

    /// Prepares a statement that is not cached, with its parameters bound.
    package func statement(_ fragment: SQLFragment) throws -> any EngineStatement {
        let statement = try statement(fragment.text, cached: false)
        try statement.bind(fragment.values)
        return statement
    }

    /// Runs a statement that returns no rows.
    package func run(_ sql: String, _ values: [ColumnValue] = []) throws {
        try statement(sql, cached: false).run(values)
    }

    /// Returns the number that a statement selects, or 0 if there is no row.
    ///
    /// A statement that often runs should be cached, because preparing it takes longer than running it.
    package func integer(_ sql: String, _ values: [ColumnValue] = [], cached isCached: Bool = false) throws -> Int64 {
        let statement = try statement(sql, cached: isCached)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Returns all rows of a statement that returns few.
    package func rows(_ sql: String, _ values: [ColumnValue] = [], count: Int) throws -> [PackedRow] {
        let statement = try statement(sql, cached: false)
        try statement.bind(values)
        defer { statement.reset() }
        var rows: [PackedRow] = []
        while try statement.step() {
            rows.append(statement.packedRow(from: 0, count: count))
        }
        return rows
    }
}

// MARK: - Transactions

extension EngineConnection {
    /// Runs a closure in a transaction that is committed, or rolled back if the closure throws an error.
    package func committing<Result>(
        _ kind: EngineTransaction.Kind? = nil,
        completion: EngineTransaction.Completion = .commit,
        _ body: () throws -> Result
    ) throws -> Result {
        var result: Result?
        try transaction(kind) {
            result = try body()
            return completion
        }
        guard let result else { throw StoreError(.inputOutput, "the transaction returned no result") }
        return result
    }

    /// Runs a closure, and reverts its changes to tables if it throws an error.
    package func keeping<Result>(_ body: () throws -> Result) throws -> Result {
        try change("SAVEPOINT \"_kept\"", []) { _ = try $0.get() }
        do {
            let result = try body()
            try change("RELEASE \"_kept\"", []) { _ = try $0.get() }
            return result
        } catch {
            // A transaction that has failed as a whole no longer has a savepoint.
            Interruption.ignored {
                try? run("ROLLBACK TO \"_kept\"")
                try? run("RELEASE \"_kept\"")
            }
            throw error
        }
    }

    /// Runs a closure, and reverts its changes to tables.
    package func rollingBack<Result>(_ body: () throws -> Result) throws -> Result {
        try run("SAVEPOINT \"_pending\"")
        defer {
            // A transaction that has failed as a whole no longer has a savepoint.
            Interruption.ignored {
                try? run("ROLLBACK TO \"_pending\"")
                try? run("RELEASE \"_pending\"")
            }
        }
        return try body()
    }

    /// Runs a closure whose error the caller may handle and then go on with the transaction.
    ///
    /// After the error of a statement, some engines refuse everything until the transaction goes back to a savepoint.
    package func attempting<Result>(if isNeeded: Bool, _ body: () throws -> Result) throws -> Result {
        try isNeeded && !dialect.has(.statementRollback) ? keeping(body) : body()
    }
}

// MARK: - Defaults

extension EngineConnection {
    package var rowAuthenticator: RowAuthenticator? { nil }

    package var embedded: (any EmbeddedConnection)? { nil }

    package var pieces: (any PieceStorage)? { nil }

    package var copier: (any RowCopier)? { nil }

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
