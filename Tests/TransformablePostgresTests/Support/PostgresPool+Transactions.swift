import Foundation
import TransformableModel

@testable import TransformablePostgres  // Attempts are internal.

extension PostgresPool {
    /// Runs a closure in a transaction, and runs it again if another transaction was in its way.
    ///
    /// - Parameters:
    ///   - limit: How often the closure may run.
    ///   - body: A closure without an effect other than on the database.
    /// - Throws: What the closure throws in its last attempt, or `StoreError`.
    func transaction(attempts limit: Int = 10, _ body: (PostgresConnection) throws -> Void) throws {
        var attempts = TransactionAttempts(limit: limit)
        while true {
            do {
                return try withConnection { connection in
                    try connection.transaction(.repeatableRead) { try body(connection) }
                }
            } catch let error as StoreError {
                try Thread.sleep(forTimeInterval: attempts.pause(after: error))
            }
        }
    }
}
