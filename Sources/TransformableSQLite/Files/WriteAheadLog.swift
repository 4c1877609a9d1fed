internal import Foundation
internal import Glibc
internal import TransformableStore

/// SQLite's write-ahead log next to a database.
enum WriteAheadLog {
    /// Adds a byte to an empty log.
    ///
    /// GRDB requires a log that is not empty. Otherwise it writes to the database, and would have to wait for other
    /// writers. A single byte is not a header, so SQLite considers such a log empty and overwrites the byte with its
    /// first frame.
    ///
    /// - Parameters:
    ///   - connection: A connection that can write.
    ///   - path: The database's file with symbolic links resolved.
    /// - Throws: `StoreError` if the database cannot be read.
    static func fillIfEmpty(of connection: any EngineConnection, at path: String) throws {
        guard try connection.rows("PRAGMA journal_mode", count: 1).first?.text(0) == "wal" else {
            return
        }
        // The log is opened when something is read.
        _ = try connection.integer("SELECT count(*) FROM sqlite_master")
        let descriptor = unsafe open("\(path)-wal", O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size == 0 else { return }
        var byte: UInt8 = 0
        // If this fails, GRDB waits as it would without it.
        _ = unsafe write(descriptor, &byte, 1)
    }
}
