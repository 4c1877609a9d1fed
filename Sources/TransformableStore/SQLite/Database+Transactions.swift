internal import GRDB

extension Database {
    /// Runs a body in a transaction that is committed, or rolled back if the body throws.
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
            // On a full disk SQLite rolls back by itself, and GRDB tells no observer; of this one it does.
            try? inTransaction(.deferred) { .rollback }
            throw error
        }
        guard let result else { throw StoreError(.inputOutput, "the transaction gave no result") }
        return result
    }

    /// Runs a body, and takes back whatever it has done to tables if it throws.
    func keeping(_ body: () throws -> Void) throws {
        try SQLStatement.run("SAVEPOINT \"_kept\"", on: self)
        do {
            try body()
            try SQLStatement.run("RELEASE \"_kept\"", on: self)
        } catch {
            // A transaction that has failed as a whole has no savepoint any more.
            Interruption.ignored {
                try? SQLStatement.run("ROLLBACK TO \"_kept\"", on: self)
                try? SQLStatement.run("RELEASE \"_kept\"", on: self)
            }
            throw error
        }
    }

    /// Runs a body, and takes back whatever it has done to tables.
    func rollingBack<Result>(_ body: () throws -> Result) throws -> Result {
        try SQLStatement.run("SAVEPOINT \"_pending\"", on: self)
        defer {
            // A transaction that has failed as a whole has no savepoint any more.
            Interruption.ignored {
                try? SQLStatement.run("ROLLBACK TO \"_pending\"", on: self)
                try? SQLStatement.run("RELEASE \"_pending\"", on: self)
            }
        }
        return try body()
    }
}
