package import Foundation

/// A connection of an engine to its database, which one thread uses at a time.
package protocol EngineConnection: AnyObject {
    /// Where the database is, for messages.
    var path: String { get }
    /// What the database can do, and how its SQL differs.
    var dialect: Dialect { get }
    /// The number of rows that the last statement has changed.
    var changedCount: Int { get }
    /// The number of rows that have been changed since the connection was opened.
    var totalChangedCount: Int { get }
    /// The number of the row that was inserted last.
    var lastInsertedNumber: Int64 { get }
    /// The number of arguments that a function can have in SQL.
    var argumentLimit: Int { get }
    /// Whether the current transaction may have left references to objects that do not exist.
    var mayHaveDanglingReferences: Bool { get }
    /// The keys of tags that the store computes and checks itself, or `nil` if functions in SQL do that, or if there are no
    /// keys.
    var rowAuthenticator: RowAuthenticator? { get }
    /// The connection itself if its database is embedded in the program, or `nil` if it is on a server.
    var embedded: (any EmbeddedConnection)? { get }
    /// What changes tables.
    var tables: any TableEditor { get }
    /// The external values in a table of the database, or `nil` if they are kept in files.
    var pieces: (any PieceStorage)? { get }
    /// What inserts rows that other threads have prepared, or `nil` if nothing does.
    var copier: (any RowCopier)? { get }
    /// What limits statements to the rows of a tenant, or `nil` if temporary views do that.
    var tenants: (any TenantLimiter)? { get }

    /// Prepares a statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - isCached: Whether the statement may come from the connection's cache. A cached statement serves one caller
    ///     at a time. Code that steps through many rows while other statements run needs a statement of its own.
    /// - Returns: The statement.
    /// - Throws: `StoreError` if the statement does not fit the database.
    func statement(_ sql: String, cached isCached: Bool) throws -> any EngineStatement

    /// Prepares a statement of the program's own, which begins with a word that reads.
    ///
    /// - Parameter sql: The statement, which can be written in any way that the database understands.
    /// - Returns: The statement.
    /// - Throws: `StoreError` if the statement does not fit the database.
    func ownStatement(_ sql: String) throws -> any EngineStatement

    /// Opens a large cell, whose bytes are read in pieces.
    func cell(_ column: String, of table: String, number: Int64) throws(StoreError) -> any EngineCell

    /// Runs a closure in a transaction.
    ///
    /// - Parameters:
    ///   - kind: When the transaction takes the lock that it needs to write, or `nil` for the connection's default.
    ///   - body: A closure that returns how the transaction ends. If it throws an error, the transaction is rolled back.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func transaction(_ kind: EngineTransaction.Kind?, _ body: () throws -> EngineTransaction.Completion) throws

    /// Runs a closure in which nothing can be written.
    func readingOnly<Result>(_ body: () throws -> Result) throws -> Result

    /// Tells an object about the end of the current transaction, or of the next one.
    func notify(_ observer: any TransactionEndObserver)

    // MARK: Changes without waiting

    /// Runs a statement that changes rows, perhaps only when the connection next waits for an answer.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - cells: The values of its parameters.
    ///   - completion: A closure that receives the number of changed rows or the error of the statement, and throws the
    ///     error that the caller of this or a later method gets.
    /// - Throws: `StoreError` if the statement cannot be sent, or if an earlier statement failed.
    func change(
        _ sql: String,
        _ cells: [ColumnValue],
        _ completion: @escaping (Result<Int, any Error>) throws -> Void
    ) throws

    /// Waits for the statements that have not been answered.
    func settle() throws

    /// Inserts many rows, after the changes that were made before.
    ///
    /// The rows may be sent while the closure prepares others. An error of the closure ends the insertion, and the rows
    /// before it remain.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - next: A closure that returns the cells of the next rows, row by row, or `nil` at the end. It must not use the
    ///     connection.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func insert(into table: RowTable, _ next: () throws -> [ColumnValue]?) throws

    // MARK: What is not in SQL

    /// Reads what tells a store from the database of another program.
    func header() throws -> EngineHeader

    /// Returns the path of the database's file, or an empty string if it is not in a file that outlasts the process.
    func filePath() throws -> String

    /// Returns the views and the computed columns, whose names are in lowercase.
    ///
    /// The column of a view is `nil`.
    func computedTables() throws -> [(table: String, column: String?)]

    /// Returns an error for each trigger and rule on the store's tables that is not the store's own, for each function that
    /// deletes external values and was changed, and for each unique index and foreign key that the tables lack, unless a
    /// seal of the recorded definitions covers all of them.
    func tableFaults() throws -> [StoreError]

    /// Returns a number that changes whenever the tables or the metadata do.
    func schemaVersion() throws -> Int64

    /// Changes the number after a change to the metadata that affects no table.
    func advanceSchemaVersion() throws

    /// Creates an empty database of the same kind that no one else can use, or returns `nil` if that is not possible.
    func makeEmptyDatabase() throws -> (any Engine)?

    // MARK: Numbers of new objects

    /// Returns the highest number that an object in a table has ever had, or 0 if it has had none.
    func lastNumber(of table: String) throws -> Int64

    /// Records the highest number that is in use or reserved, which is not below the last one.
    ///
    /// If others have reserved higher numbers in the meantime, the record stays the same.
    func recordNumber(_ last: Int64, of table: String) throws

    /// Reserves consecutive numbers, and returns the first of them, or `nil` if there are not so many left.
    func reserveNumbers(_ count: Int64, of table: String) throws -> Int64?

    // MARK: Tests

    /// Calls a closure whenever a statement runs, until this method is called again with `nil`.
    func countStatements(_ body: (@Sendable () -> Void)?)
}

/// The part of a connection that changes tables.
package protocol TableEditor {
    /// Runs a closure in which references are not checked, so that tables can be rebuilt.
    func withoutReferences<Result>(_ body: () throws -> Result) throws -> Result
    /// Runs a closure whose transactions change tables, so that nobody reads or writes them at the same time.
    func changing<Result>(_ body: () throws -> Result) throws -> Result
    /// Creates, changes, or drops a table, an index, or a trigger.
    ///
    /// - Parameter statement: The statement in SQLite's SQL. An engine other than SQLite records what SQLite's catalog
    ///   would contain, and does what the statement means there. It ignores triggers.
    /// - Throws: `StoreError` if the tables cannot be changed.
    func define(_ statement: String) throws
    /// Makes a new table without tenants available wherever there are rows of tenants, so that it can be joined with them.
    func replicate(_ table: String) throws
    /// Returns which of the given columns a table has.
    func columns(of table: String, among names: [String]) throws -> Set<String>
    /// Makes a column require a value in every row, if the engine can do that without rebuilding the table.
    func requireValues(in column: String, of table: String) throws
    /// Empties a cell from now on whenever another one in its row changes, if no trigger does that.
    func clear(_ column: String, of table: String, whenChanging other: String) throws
    /// Returns a Boolean value that indicates whether a cell that `clear(_:of:whenChanging:)` was called for is emptied.
    func clears(_ column: String, of table: String) throws -> Bool
    /// Gives a new table the owner and the privileges of an old one, if tables have any.
    func copyPrivileges(from old: String, to new: String) throws
}

/// The part of a connection that limits statements to the rows of a tenant.
package protocol TenantLimiter {
    /// Runs a closure whose statements see the rows of a scope, until the end of the transaction.
    ///
    /// - Parameters:
    ///   - scope: The part of the store.
    ///   - tables: The tables whose rows belong to tenants.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func limiting<Result>(to scope: TenantScope, _ tables: [TenantTable], _ body: () throws -> Result) throws -> Result

    /// Makes a tenant, or none, the owner of the rows that are inserted next, in a scope of all tenants.
    func setOwner(_ tenant: Int64?) throws

    /// Throws an error with the code `access-denied` if the server may hide rows from a transaction that reads all rows.
    func requireAllRows() throws
}

/// The part of a connection that keeps external values in a table of the database, in pieces.
package protocol PieceStorage {
    /// Writes the bytes of an external value.
    ///
    /// - Parameters:
    ///   - uuid: The value's name.
    ///   - next: A closure that returns the next bytes, at most as many as it is asked for, and none at the end.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func insert(_ uuid: UUID, _ next: (Int) throws -> Data) throws

    /// Passes the bytes of external values to a closure, in pieces.
    ///
    /// - Parameters:
    ///   - uuids: The values' names.
    ///   - body: A closure that receives one value after another: its name, the position of a piece, and its bytes.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func read(_ uuids: [UUID], _ body: (UUID, Int64, Data) throws -> Void) throws

    /// Returns the first bytes of external values, without those that are missing.
    func firstBytes(of uuids: [UUID], count: Int) throws -> [UUID: Data]
}

/// How a transaction begins and ends.
package enum EngineTransaction {
    package enum Kind {
        /// The lock is taken by the first statement that writes.
        case deferred
        /// The lock is taken at once.
        case immediate
    }

    package enum Completion {
        case commit
        case rollback
    }
}

/// An object that acts at the end of a transaction.
package protocol TransactionEndObserver: AnyObject, Sendable {
    func willCommit() throws
    func didCommit(on connection: any EngineConnection)
    func didRollBack()
}
