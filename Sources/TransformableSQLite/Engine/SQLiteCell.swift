internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import TransformableStore

/// Reads the bytes of a large cell in pieces, within the transaction that has found it.
@safe
final class SQLiteCell: EngineCell {
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
