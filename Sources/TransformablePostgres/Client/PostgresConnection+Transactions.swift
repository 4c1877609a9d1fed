internal import CPostgres
internal import Foundation
internal import TransformableModel

/// What a transaction sees of others, and whether it changes anything.
package enum PostgresIsolation: String, Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted = "READ COMMITTED"
    /// All statements see the same state.
    case repeatableRead = "REPEATABLE READ"
    /// Transactions have the same effect as if they ran one after the other.
    case serializable = "SERIALIZABLE"
    /// All statements see the same state, and nothing is changed.
    case snapshot = "REPEATABLE READ READ ONLY"
}

extension PostgresConnection {
    /// Runs a closure in a transaction.
    ///
    /// The statements that begin it go with the first one of the closure. An error rolls it back.
    ///
    /// Names without a schema are looked up only in the search path. With the one that a role has by default, a function
    /// that somebody has created in `public` could take the place of one of PostgreSQL's. The path ends with the
    /// transaction, so connections can be shared through PgBouncer.
    ///
    /// - Parameters:
    ///   - isolation: What the transaction sees of others.
    ///   - searchPath: The schemas in which names are looked up, in SQL.
    ///   - body: A closure that runs the statements of the transaction.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, or `StoreError`: `transaction-conflict` if it may succeed when it runs again,
    ///   `outcome-unknown` if the connection was lost during the commit.
    package func transaction<Result>(
        _ isolation: PostgresIsolation = .repeatableRead,
        searchPath: String = "pg_catalog, pg_temp",
        _ body: () throws -> Result
    ) throws -> Result {
        try checkIsFree()
        guard !isInTransaction else { throw StoreError(.misuse, "transactions cannot be nested") }
        loss = .connectionLost
        (conflict, cause) = (nil, nil)
        warnings.forget()
        try begin(isolation, searchPath)
        isInTransaction = true
        defer {
            isInTransaction = false
            loss = .outcomeUnknown
        }
        let result: Result
        do {
            result = try body()
        } catch {
            rollBack()
            throw error
        }
        do {
            try commit(isReadOnly: isolation == .snapshot)
        } catch {
            // If a statement before the commit failed, the server still has the transaction.
            rollBack()
            throw error
        }
        return result
    }

    /// Begins a transaction in which names are looked up in the search path, and are quoted by the server as usual.
    ///
    /// Names that the server has quoted are compared, and locks are named after them.
    private func begin(_ isolation: PostgresIsolation, _ searchPath: String) throws {
        let settings = ["search_path TO \(searchPath)", "quote_all_identifiers TO off"]
        for sql in ["BEGIN ISOLATION LEVEL \(isolation.rawValue)"] + settings.map({ "SET LOCAL \($0)" }) {
            var statement = PostgresStatement(sql)
            // A statement that makes room for another prepared statement would be sent first, and would begin a
            // transaction of its own.
            statement.isPrepared = false
            try send(statement)
        }
    }

    /// Limits how long each further statement of the transaction waits for the locks of others, with the error `busy`.
    ///
    /// A server may notice only after hours that another program's machine is gone, and keeps its locks until then.
    ///
    /// - Throws: `StoreError` if the connection was lost.
    package func limitWaits(to limit: Duration = .seconds(30)) throws {
        let milliseconds = limit / Duration.milliseconds(1)
        try send(PostgresStatement("SET LOCAL lock_timeout TO \(Int(milliseconds))"))
    }

    /// Lifts the limits of how long the rest of the transaction, and each of its statements, may take.
    ///
    /// Administrators set them for a role or a database to end what takes longer than expected. How long a copy takes depends
    /// on the number of rows, and between two statements it creates the indexes of a file, so no limit is long enough for
    /// every store. Like `pg_dump`, a copy does without them.
    ///
    /// - Throws: `StoreError` if the connection was lost.
    func liftTimeLimits() throws {
        // Servers before PostgreSQL 17 do not know the last one, and would refuse to set it.
        let sql = """
            SELECT set_config("name", '0', true) FROM "pg_catalog"."pg_settings" WHERE "name" IN
            ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
            """
        try send(PostgresStatement(sql))
    }

    private func commit(isReadOnly: Bool) throws {
        try finishStream()
        try awaitCompletions()
        if !isReadOnly { loss = .outcomeUnknown }
        let isFailed = unsafe PQtransactionStatus(handle) == PQTRANS_INERROR
        guard !isFailed else {
            let message = "the transaction was rolled back, because one of its statements failed"
            throw conflict ?? StoreError(.statementFailed, message, underlying: cause)
        }
        try send(PostgresStatement("COMMIT"))
        try synchronize()
    }

    /// Waits for the statements whose callers may reject their results, so that those are not committed.
    func awaitCompletions() throws {
        if steps.contains(where: { $0.completion != nil }) { try synchronize() }
    }

    /// Ends the transaction without an effect.
    ///
    /// If that fails, the connection is no longer usable, and the server rolls back when it ends.
    private func rollBack() {
        // If a statement whose rows are no longer needed failed, its error is discarded here.
        try? finishStream()
        guard isOpen else { return }
        do {
            // The statement that begins the transaction may not have been answered.
            if !steps.isEmpty { try synchronize() }
            guard unsafe PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
            try send(PostgresStatement("ROLLBACK"))
            try synchronize()
        } catch {
            return
        }
    }
}

// MARK: - Scripts

extension PostgresConnection {
    /// Runs statements without parameters, separated by semicolons, in one round trip.
    ///
    /// Outside of a transaction, they are one.
    package func run(script: String) throws {
        try leavingPipeline {
            if !isInTransaction { loss = .outcomeUnknown }
            guard unsafe PQsendQuery(handle, script) == 1 else { throw lost() }
            try flush()
            roundTrips += 1
            try finishStatement()
        }
    }

    /// Reads the results of a statement outside of the pipeline to their end, and returns its number of rows.
    @discardableResult
    func finishStatement() throws -> Int {
        var failure: StoreError?
        var count = 0
        while let result = try nextResult() {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: count = result.affectedRows
            case PGRES_COPY_IN, PGRES_COPY_OUT: try skipCopy(result.status)
            default: failure = failure ?? error(for: result)
            }
            guard isOpen else { break }
        }
        if let failure { throw failure }
        return count
    }

    /// Runs a closure outside of the pipeline mode, in which libpq allows neither scripts nor COPY.
    func leavingPipeline<Result>(_ body: () throws -> Result) throws -> Result {
        try exclusively {
            if !steps.isEmpty { try synchronize() }
            guard unsafe PQexitPipelineMode(handle) == 1 else { throw lost() }
            defer { unsafe PQenterPipelineMode(handle) }
            return try body()
        }
    }
}
