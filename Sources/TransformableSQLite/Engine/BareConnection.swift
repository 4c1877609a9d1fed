internal import GRDBSQLite

/// A connection for a brief look at a file, without the functions and settings that a store's own connections have.
///
/// Opening one costs a fraction of what a queue costs, and every opening of a store needs such a look.
@safe
final class BareConnection {
    private var pointer: OpaquePointer?

    /// Opens an existing file, or returns `nil` if it cannot be opened.
    ///
    /// - Parameter uri: The file's URI, with a mode.
    init?(_ uri: String) {
        guard unsafe sqlite3_open_v2(uri, &pointer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, nil) == SQLITE_OK else {
            return nil
        }
    }

    deinit {
        unsafe sqlite3_close_v2(pointer)
    }

    /// Begins a transaction that keeps all writers out, and returns whether it has begun.
    ///
    /// The lock is released along with the connection.
    func locks() -> Bool {
        unsafe sqlite3_exec(pointer, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK
    }

    /// Gives up the write-ahead log, and returns whether the file has none any more.
    ///
    /// SQLite removes the log and its index, unless another connection is using them.
    func leavesLog() -> Bool {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_prepare_v2(pointer, "PRAGMA journal_mode = DELETE", -1, &statement, nil) == SQLITE_OK,
            unsafe sqlite3_step(statement) == SQLITE_ROW, let mode = unsafe sqlite3_column_text(statement, 0)
        else { return false }
        return unsafe String(cString: mode) == "delete"
    }

    /// Returns the integer that a statement returns, or `nil` if it returns no row or fails.
    func integer(_ sql: String) -> Int64? {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK,
            unsafe sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return unsafe sqlite3_column_int64(statement, 0)
    }
}
