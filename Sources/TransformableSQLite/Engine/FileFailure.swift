internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import TransformableStore

/// A failure of SQLite whose cause is the database's file or its disk, rather than a statement.
struct FileFailure {
    // SQLITE_IOERR_SHMSIZE, which SQLite defines as a macro that Swift cannot import.
    private static let noSharedMemory = SQLITE_IOERR | 19 << 8

    let code: StoreError.Code
    /// A message that names the file and says what to do.
    let message: String

    /// Creates the failure for a result code of SQLite, or returns `nil` if the code concerns something else.
    ///
    /// - Parameters:
    ///   - code: The extended code.
    ///   - reason: SQLite's message.
    ///   - path: The path of the database, if it is known. A store in memory may have none.
    init?(_ code: Int32, _ reason: String, _ path: String?) {
        let isFile = path?.hasPrefix("/") == true
        let name = isFile ? path.map { "the file “\($0)”" } ?? "the file" : "the file"
        if code == Self.noSharedMemory {
            self.init(
                .diskFull,
                """
                the disk is full: even for reading, SQLite needs a few kilobytes next to \(name); free some space, or \
                copy the file to another disk, with its “-wal” and “-blobs”
                """
            )
        } else if code & 0xFF == SQLITE_READONLY, let path, let file = Self.fileOfAnotherUser(path) {
            self.init(
                .readOnly,
                """
                the file “\(file)” cannot be written, because another user created it by opening the store; let that user \
                run “chmod g+w” on it and on the “-wal”, and run it on the store's file, too, because SQLite creates the \
                files next to it with its permissions
                """
            )
        } else {
            self.init(code & 0xFF, name, "(\(reason))")
        }
    }

    /// Returns the first of the files that coordinate readers and writers that this user may not change.
    private static func fileOfAnotherUser(_ path: String) -> String? {
        ["\(path)-shm", "\(path)-wal"].first { unsafe access($0, W_OK) != 0 && errno == EACCES }
    }

    private init(_ code: StoreError.Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    private init?(_ code: Int32, _ file: String, _ reason: String) {
        let permissions = "check the permissions of the file and of its folder"
        switch code {
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.busy, "another connection has locked \(file) \(reason); try again when it has finished")
        case SQLITE_PROTOCOL: self.init(.busy, "too many connections use \(file) at once \(reason); try again")
        case SQLITE_SCHEMA:
            let remedy = "try again when it has finished"
            self.init(.storeChanged, "another program keeps changing the tables of \(file) \(reason); \(remedy)")
        case SQLITE_FULL: self.init(.diskFull, StoreError.fullDisk(of: file))
        case SQLITE_IOERR:
            let remedy = "check the disk, and try again"
            self.init(.inputOutput, "\(file) cannot be read or written \(reason); \(remedy)")
        case SQLITE_CANTOPEN: self.init(.cannotOpen, "\(file) cannot be opened \(reason); \(permissions)")
        case SQLITE_READONLY:
            let remedy = "open the store as read-only, or make the file and its folder writable"
            self.init(.readOnly, "\(file) cannot be written \(reason); \(remedy)")
        case SQLITE_PERM, SQLITE_AUTH:
            self.init(.cannotOpen, "access to \(file) is denied \(reason); \(permissions)")
        case SQLITE_CORRUPT:
            let remedy = "restore it from a backup, or export what can still be read"
            self.init(.corruptFile, "\(file) is damaged \(reason); \(remedy)")
        case SQLITE_NOTADB: self.init(.notAStore, "\(file) is not an SQLite database")
        default: return nil
        }
    }
}

extension Database {
    /// The path of the database's file, or an empty string for a database in memory.
    var path: String {
        unsafe sqlite3_db_filename(sqliteConnection, "main").map { unsafe String(cString: $0) } ?? ""
    }
}
