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
    /// Whether the current transaction may have left references that lead nowhere.
    var mayHaveDanglingReferences: Bool { get }
    /// The keys of tags that the store computes and checks itself, or `nil` if functions in SQL do that, or if there are no
    /// keys.
    var rowAuthenticator: RowAuthenticator? { get }
    /// The connection itself if its database is embedded in the program, or `nil` if it is on a server.
    var embedded: (any EmbeddedConnection)? { get }

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

    /// Returns a number that changes whenever the tables or the metadata do.
    func schemaVersion() throws -> Int64

    /// Changes the number after a change to the metadata that affects no table.
    func advanceSchemaVersion() throws

    /// Runs a closure in which references are not checked, so that tables can be rebuilt.
    func withoutReferences<Result>(_ body: () throws -> Result) throws -> Result

    /// Creates an empty database of the same kind that no one else can use, or returns `nil` if that is not possible.
    func makeEmptyDatabase() throws -> (any Engine)?

    // MARK: Tenants

    /// Runs a closure whose statements see the rows of a scope, until the end of the transaction.
    ///
    /// Only connections without temporary views have this.
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

    // MARK: Changes to tables

    /// Runs a closure whose transactions change tables, so that nobody reads or writes them at the same time.
    func changingTables<Result>(_ body: () throws -> Result) throws -> Result
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

    // MARK: Numbers of new objects

    /// Returns the highest number that an object in a table has ever had, or 0 if it has had none.
    func lastNumber(of table: String) throws -> Int64

    /// Records the highest number that is in use or reserved.
    func recordNumber(_ last: Int64, of table: String) throws

    /// Reserves consecutive numbers, and returns the first of them, or `nil` if there are not so many left.
    func reserveNumbers(_ count: Int64, of table: String) throws -> Int64?

    // MARK: External values

    /// Writes the bytes of an external value to a table of the database.
    ///
    /// - Parameters:
    ///   - uuid: The value's name.
    ///   - next: A closure that returns the next bytes, at most as many as it is asked for, and none at the end.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func insertPieces(of uuid: UUID, _ next: (Int) throws -> Data) throws

    /// Passes the bytes of external values in a table of the database to a closure, in pieces.
    ///
    /// - Parameters:
    ///   - uuids: The values' names.
    ///   - body: A closure that receives one value after another: its name, the position of a piece, and its bytes.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func readPieces(of uuids: [UUID], _ body: (UUID, Int64, Data) throws -> Void) throws

    /// Returns the first bytes of external values in a table of the database, without those that are missing.
    func firstBytes(of uuids: [UUID], count: Int) throws -> [UUID: Data]

    // MARK: Tests

    /// Calls a closure whenever a statement runs, until this method is called again with `nil`.
    func countStatements(_ body: (@Sendable () -> Void)?)
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

/// The bytes of a large cell.
package protocol EngineCell: AnyObject {
    /// The number of bytes.
    var count: Int { get }

    /// Returns the next bytes, and an empty value at the end.
    func read(upTo wanted: Int) throws(StoreError) -> Data
}

extension EngineConnection {
    package var rowAuthenticator: RowAuthenticator? { nil }

    package var embedded: (any EmbeddedConnection)? { nil }

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

    package func limiting<Result>(
        to scope: TenantScope,
        _ tables: [TenantTable],
        _ body: () throws -> Result
    ) throws -> Result {
        try require(.tenantsInKeys, "a model with tenants")
        return try body()
    }

    package func setOwner(_ tenant: Int64?) throws {
        try run("UPDATE \(TenantColumn.table) SET \"number\" = ?", [tenant.map(ColumnValue.integer) ?? .null])
    }
}

// MARK: - External values

// An engine that keeps external values in files has no pieces.
extension EngineConnection {
    package func insertPieces(of uuid: UUID, _ next: (Int) throws -> Data) throws {
        try require(.externalPieces, "keeping external values in a table")
    }

    package func readPieces(of uuids: [UUID], _ body: (UUID, Int64, Data) throws -> Void) throws {
        try require(.externalPieces, "keeping external values in a table")
    }

    package func firstBytes(of uuids: [UUID], count: Int) throws -> [UUID: Data] {
        try require(.externalPieces, "keeping external values in a table")
        return [:]
    }
}

// MARK: - Changes to tables

extension EngineConnection {
    // Writers keep each other out, and readers see a snapshot with its tables.
    package func changingTables<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    package func define(_ statement: String) throws { try run(statement) }

    package func replicate(_ table: String) {}

    package func requireValues(in column: String, of table: String) {}

    package func clear(_ column: String, of table: String, whenChanging other: String) {}

    package func clears(_ column: String, of table: String) -> Bool { true }

    package func copyPrivileges(from old: String, to new: String) {}
}

// MARK: - Short statements

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
    package func keeping(_ body: () throws -> Void) throws {
        try change("SAVEPOINT \"_kept\"", []) { _ = try $0.get() }
        do {
            try body()
            try change("RELEASE \"_kept\"", []) { _ = try $0.get() }
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
}
