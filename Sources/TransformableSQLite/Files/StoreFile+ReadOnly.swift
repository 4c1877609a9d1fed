internal import Foundation
internal import GRDB
internal import Glibc
internal import TransformableStore

/// Opening files that are read-only or in a read-only folder.
extension StoreFile {
    /// Returns a connection that only reads.
    ///
    /// In a read-only folder, SQLite cannot create the file that coordinates readers and writers. A writer would have
    /// created it before. If it is missing, there is no one to coordinate with.
    ///
    /// A brief connection, such as a command's, does not leave its own mark in that file, because a later writer might
    /// then find no mark that it can share.
    static func readOnlyQueue(_ path: String, isBrief: Bool, _ configuration: Configuration) throws -> DatabaseQueue {
        if isBrief, FileSystem.exists(path + "-shm"),
            let queue = try? answering(queue(path, "readonly_shm=1", configuration))
        {
            return queue
        }
        do {
            return try Failure.translate(at: path) {
                try answering(DatabaseQueue(path: path, configuration: configuration))
            }
        } catch let error as StoreError where error.code != .busy && unwritable(folder(of: path)) != nil {
            return try answering(unsharedQueue(path, configuration))
        }
    }

    /// Returns a connection that takes no locks, creates no files, and sees what another program has left in the log.
    ///
    /// - Throws: `StoreError` with the code `corrupt-file` if only the log has contents, or `busy` if a change was
    ///   interrupted, and errors of SQLite.
    private static func unsharedQueue(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        try requireNoJournal(of: path)
        try requireNoOrphanedLog(path)
        guard logSize(path) > 0 else { return try queue(path, "immutable=1", configuration) }
        var configuration = configuration
        configuration.prepareDatabase { database in
            // This keeps the index of the log in memory.
            try SQLiteConnection(database).run("PRAGMA locking_mode = EXCLUSIVE")
            try SQLiteConnection(database).keepLog()
        }
        return try queue(path, "vfs=unix-none", configuration)
    }

    /// Refuses a file with the journal of an unfinished change, because the file alone is inconsistent.
    ///
    /// A journal that was used up is empty or begins with zeros.
    private static func requireNoJournal(of path: String) throws(StoreError) {
        let journal = "\(path)-journal"
        guard let descriptor = try? FileSystem.openToRead(journal) else { return }
        let start = try FileReader(descriptor, path: journal).readAll(count: 8)
        guard start.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]) else { return }
        let remedy = "copy both to a writable folder, open the copy once with the sqlite3 shell, and read the copy"
        throw StoreError(.busy, "a change of the file “\(path)” was interrupted, as “\(journal)” shows; \(remedy)")
    }

    /// Opens a file of another program, which cannot be changed.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - pragmas: Settings of the connection.
    /// - Returns: An engine that only reads, takes no locks, and creates no files.
    /// - Throws: `StoreError` if the file cannot be opened.
    static func foreignEngine(_ path: String, _ pragmas: [String]) throws -> any Engine {
        var configuration = Configuration()
        configuration.label = "ForeignFile"
        configuration.readonly = true
        configuration.prepareDatabase { database in
            for pragma in pragmas { try SQLiteConnection(database).run("PRAGMA \(pragma)") }
        }
        return try Failure.translate(at: path) { SQLiteEngine(try unsharedQueue(path, configuration)) }
    }

    /// Returns a connection after it has read the start of the file.
    private static func answering(_ queue: DatabaseQueue) throws -> DatabaseQueue {
        _ = try queue.read { try SQLiteConnection($0).integer("SELECT count(*) FROM sqlite_master") }
        return queue
    }

    /// Returns a connection with parameters that SQLite takes from a URI.
    static func queue(_ path: String, _ parameters: String, _ configuration: Configuration) throws -> DatabaseQueue {
        try DatabaseQueue(path: uri(path, parameters), configuration: configuration)
    }

    private static let pathCharacters = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))

    /// Returns the URI of a file with parameters.
    static func uri(_ path: String, _ parameters: String) throws(StoreError) -> String {
        guard let escaped = path.addingPercentEncoding(withAllowedCharacters: pathCharacters) else {
            throw StoreError(.inputOutput, "the path of the file is not valid text; choose another one")
        }
        return "file:\(escaped)?\(parameters)"
    }

    /// Returns a Boolean value that indicates whether no file that coordinates readers and writers is left next to the
    /// database.
    static func isQuiet(_ path: String) -> Bool {
        !FileSystem.exists(path + "-wal") && !FileSystem.exists(path + "-shm")
    }

    /// Removes the empty log and its index, which SQLite creates for a read-only connection and which such a connection
    /// cannot remove.
    static func removeEmptyLog(_ path: String) {
        guard FileSystem.exists(path + "-wal"), logSize(path) == 0, unwritable(path) == nil,
            unwritable(folder(of: path)) == nil, let connection = try? BareConnection(uri(path, "mode=rw"))
        else { return }
        // The last connection to be closed removes both, if it can write and has read something.
        _ = connection.integer("SELECT count(*) FROM sqlite_master")
    }

    /// Throws an error for an empty file with a log that is not empty.
    ///
    /// SQLite takes such a log for a leftover, and removes it even if it was to read only.
    static func requireNoOrphanedLog(_ path: String) throws(StoreError) {
        let path = resolvingLinks(path)
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_size == 0, logSize(path) > 0 else { return }
        let remedy = "copy both files again from where they came from"
        throw StoreError(.corruptFile, "the file “\(path)” is empty, but its log “\(path)-wal” is not; \(remedy)")
    }

    /// Returns the number of bytes in the log, which may not be in the database yet.
    static func logSize(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns the reason why a file or folder cannot be written, or `nil` if it can.
    static func unwritable(_ path: String) -> String? {
        unsafe access(path, W_OK) == 0 ? nil : String(cString: strerror(errno))
    }

    fileprivate static func folder(of path: String) -> String {
        (path as NSString).deletingLastPathComponent
    }
}

extension StoreError {
    /// Returns the error with the name of the file, and with the reason if its folder is the cause.
    func explained(_ path: String, isReading: Bool) -> Self {
        let folder = StoreFile.folder(of: path)
        if !isReading, [.cannotOpen, .cannotCreate, .readOnly].contains(code), let reason = StoreFile.unwritable(folder)
        {
            return .cannotWrite(folder, reason)
        }
        let start = "the file "
        guard entity == nil, message.hasPrefix(start), !message.hasPrefix("\(start)“") else { return self }
        var error = self
        error.message = "\(start)“\(path)” \(message.dropFirst(start.count))"
        return error
    }

    static func cannotWrite(_ path: String, _ reason: String) -> Self {
        let ways = "open the store as read-only, or copy it to a writable folder"
        return Self(.readOnly, "“\(path)” cannot be written: \(reason); \(ways)")
    }
}
