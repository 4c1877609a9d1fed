internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import TransformableStore

/// A connection to an SQLite database, for the duration of one access.
final class SQLiteConnection: EngineConnection {
    let database: Database
    let keepsViews: Bool
    // Whether all statements belong to a transaction. After some errors, such as a full disk, SQLite rolls it back on its
    // own, and would then commit each statement by itself.
    private var needsTransaction: Bool
    // The error after which SQLite has rolled back the transaction.
    private var rollbackCause: (any Error)?

    init(_ database: Database, keepsViews: Bool = false) {
        self.database = database
        self.keepsViews = keepsViews
        needsTransaction = database.isInsideTransaction
    }

    var path: String { database.path }
    var changedCount: Int { database.changesCount }
    var totalChangedCount: Int { database.totalChangesCount }
    var lastInsertedNumber: Int64 { database.lastInsertedRowID }

    var argumentLimit: Int { unsafe Int(sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_FUNCTION_ARG, -1)) }

    var mayHaveDanglingReferences: Bool {
        var count: Int32 = 0
        var highest: Int32 = 0
        let connection = unsafe database.sqliteConnection
        let code = unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        return code == SQLITE_OK && count != 0
    }

    /// Keeps the log when the connection closes.
    ///
    /// Without locks, SQLite takes itself for the last one that uses the file. It then removes a log in which it finds no
    /// valid change, even if it was to read only.
    func keepLog() throws {
        var isKept: Int32 = 1
        let code = unsafe sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard code == SQLITE_OK else {
            throw StoreError(.cannotOpen, "the file “\(path)” cannot be opened without risk to its log")
        }
    }

    func statement(_ sql: String, cached isCached: Bool) throws -> any EngineStatement {
        // Temporary views that it selects from may have been rolled back as well.
        try requireTransaction()
        return try SQLiteStatement(sql, on: self, cached: isCached)
    }

    func cell(_ column: String, of table: String, number: Int64) throws(StoreError) -> any EngineCell {
        try SQLiteCell(database, table: table, column: column, number: number)
    }

    func transaction(_ kind: EngineTransaction.Kind?, _ body: () throws -> EngineTransaction.Completion) throws {
        do {
            try database.inTransaction(kind?.sqlite) {
                try requiringTransaction(body) == .commit ? .commit : .rollback
            }
        } catch {
            // If the disk is full, SQLite rolls back automatically, and GRDB does not notify observers. This rollback
            // does.
            try? database.inTransaction(.deferred) { .rollback }
            throw error
        }
    }

    private func requiringTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        let wasNeeded = needsTransaction
        needsTransaction = true
        defer { (needsTransaction, rollbackCause) = (wasNeeded, nil) }
        let result = try body()
        // The body may have caught the error.
        try requireTransaction()
        return result
    }

    /// Ensures that a statement does not run outside of the transaction that it belongs to.
    ///
    /// - Throws: The error after which SQLite has rolled back the transaction.
    func requireTransaction() throws {
        guard needsTransaction, commitsEachStatement else { return }
        let message = "the transaction was rolled back, because one of its statements failed"
        throw rollbackCause ?? StoreError(.statementFailed, message)
    }

    /// Keeps the error of a statement if SQLite has rolled back the transaction because of it.
    func noteFailure(_ error: any Error) {
        if rollbackCause == nil, needsTransaction, commitsEachStatement { rollbackCause = error }
    }

    private var commitsEachStatement: Bool { unsafe sqlite3_get_autocommit(database.sqliteConnection) != 0 }

    func readingOnly<Result>(_ body: () throws -> Result) throws -> Result {
        try Failure.translate(at: path) { try database.readOnly(body) }
    }

    func notify(_ observer: any TransactionEndObserver) {
        database.add(transactionObserver: TransactionEnd(observer), extent: .nextTransaction)
    }

    func countStatements(_ body: (@Sendable () -> Void)?) {
        database.trace(body.map { body in { _ in body() } })
    }
}

extension EngineTransaction.Kind {
    fileprivate var sqlite: Database.TransactionKind { self == .deferred ? .deferred : .immediate }
}

/// Passes the end of a transaction on.
private final class TransactionEnd: TransactionObserver, Sendable {
    private let observer: any TransactionEndObserver

    init(_ observer: any TransactionEndObserver) {
        self.observer = observer
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        try observer.willCommit()
    }

    func databaseDidCommit(_ database: Database) {
        observer.didCommit(on: SQLiteConnection(database))
    }

    func databaseDidRollback(_ database: Database) {
        observer.didRollBack()
    }
}

/// Reads the bytes of a large cell in pieces, within the transaction that has found it.
@safe
private final class SQLiteCell: EngineCell {
    /// The number of bytes in the cell.
    let count: Int
    private let handle: OpaquePointer
    private let path: String
    private var position = 0

    /// Opens a cell of the file itself that contains bytes.
    ///
    /// - Throws: `StoreError` if the file is damaged.
    init(_ database: Database, table: String, column: String, number: Int64) throws(StoreError) {
        var handle: OpaquePointer?
        let connection = unsafe database.sqliteConnection
        let code = unsafe sqlite3_blob_open(connection, "main", table, column, number, 0, &handle)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let message = unsafe String(cString: sqlite3_errmsg(connection))
            throw StoreError(sqlite: code, message: message, path: database.path)
        }
        path = database.path
        unsafe self.handle = handle
        count = Int(unsafe sqlite3_blob_bytes(handle))
    }

    deinit {
        unsafe _ = sqlite3_blob_close(handle)
    }

    /// Returns the next bytes, which are empty at the end.
    func read(upTo wanted: Int) throws(StoreError) -> Data {
        var bytes = Data(count: min(wanted, count - position))
        guard !bytes.isEmpty else { return bytes }
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe sqlite3_blob_read(handle, buffer.baseAddress, Int32(buffer.count), Int32(position))
        }
        guard code == SQLITE_OK else {
            throw StoreError(sqlite: code, message: "a large cell cannot be read", path: path)
        }
        position += bytes.count
        return bytes
    }
}

@available(*, unavailable)
extension SQLiteCell: Sendable {}
