internal import Foundation
internal import GRDB
internal import Glibc

/// The log that writers add to beside a database.
enum WriteAheadLog {
    /// Gives an empty log a byte.
    ///
    /// GRDB demands a log that is not empty and else writes to the database, for which it would wait for whoever writes now.
    /// A byte is no header of a log: SQLite takes such a log for an empty one, and puts its first frame in the byte's place.
    ///
    /// - Parameters:
    ///   - database: A connection that may write.
    ///   - path: The database's file, links resolved.
    /// - Throws: ``StoreError`` if the database cannot be read.
    static func fillIfEmpty(of database: Database, at path: String) throws {
        guard try SQLStatement.rows("PRAGMA journal_mode", count: 1, on: database).first?.text(0) == "wal" else {
            return
        }
        // The log is opened when something is read.
        _ = try SQLStatement.integer("SELECT count(*) FROM sqlite_master", on: database)
        let descriptor = unsafe open("\(path)-wal", O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size == 0 else { return }
        var byte: UInt8 = 0
        // Where even that fails, GRDB waits as ever.
        _ = unsafe write(descriptor, &byte, 1)
    }
}
