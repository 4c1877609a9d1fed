internal import GRDB

extension Database {
    /// Runs a closure in a transaction that is committed, or rolled back if the closure throws an error.
    func committing<Result>(
        _ kind: TransactionKind? = nil,
        completion: TransactionCompletion = .commit,
        _ body: () throws -> Result
    ) throws -> Result {
        var result: Result?
        do {
            try inTransaction(kind) {
                result = try body()
                return completion
            }
        } catch {
            // If the disk is full, SQLite rolls back automatically, and GRDB does not notify observers. This rollback
            // does.
            try? inTransaction(.deferred) { .rollback }
            throw error
        }
        guard let result else { throw StoreError(.inputOutput, "the transaction returned no result") }
        return result
    }

    /// Runs a closure, and reverts its changes to tables if it throws an error.
    func keeping(_ body: () throws -> Void) throws {
        try SQLStatement.run("SAVEPOINT \"_kept\"", on: self)
        do {
            try body()
            try SQLStatement.run("RELEASE \"_kept\"", on: self)
        } catch {
            // A transaction that has failed as a whole no longer has a savepoint.
            Interruption.ignored {
                try? SQLStatement.run("ROLLBACK TO \"_kept\"", on: self)
                try? SQLStatement.run("RELEASE \"_kept\"", on: self)
            }
            throw error
        }
    }

    /// Runs a closure, and reverts its changes to tables.
    func rollingBack<Result>(_ body: () throws -> Result) throws -> Result {
        try SQLStatement.run("SAVEPOINT \"_pending\"", on: self)
        defer {
            // A transaction that has failed as a whole no longer has a savepoint.
            Interruption.ignored {
                try? SQLStatement.run("ROLLBACK TO \"_pending\"", on: self)
                try? SQLStatement.run("RELEASE \"_pending\"", on: self)
            }
        }
        return try body()
    }
}
