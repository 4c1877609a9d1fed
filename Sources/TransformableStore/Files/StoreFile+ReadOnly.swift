internal import Foundation
internal import GRDB
internal import Glibc

/// Files that cannot be written, or whose folder cannot.
extension StoreFile {
    /// A connection that only reads.
    ///
    /// In a folder that cannot be written SQLite has no place for the file that readers and writers coordinate
    /// by. Whoever writes has made it there before; where it is missing there is nobody to coordinate with.
    ///
    /// One that is brief, as for a command, does without its own mark in that file: a later writer may leave it without a
    /// mark that it could share.
    static func readOnlyQueue(_ path: String, isBrief: Bool, _ configuration: Configuration) throws -> DatabaseQueue {
        if isBrief, exists(path + "-shm"),
            let queue = try? answering(queue(path, "readonly_shm=1", configuration))
        {
            return queue
        }
        do {
            return try Failure.translate { try answering(DatabaseQueue(path: path, configuration: configuration)) }
        } catch let error as StoreError where error.code != .busy && unwritable(folder(of: path)) != nil {
            return try answering(unsharedQueue(path, configuration))
        }
    }

    /// A connection that takes no locks, makes no files, and sees what the log of another program has left.
    static func unsharedQueue(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        guard logSize(path) > 0 else { return try queue(path, "immutable=1", configuration) }
        var configuration = configuration
        // So the index of the log is kept in memory.
        configuration.prepareDatabase { try SQLStatement.run("PRAGMA locking_mode = EXCLUSIVE", on: $0) }
        return try queue(path, "vfs=unix-none", configuration)
    }

    /// A connection that has read the file's beginning.
    private static func answering(_ queue: DatabaseQueue) throws -> DatabaseQueue {
        try queue.read { _ = try SQLStatement.integer("SELECT count(*) FROM sqlite_master", on: $0) }
        return queue
    }

    /// A connection with parameters that SQLite takes from a URI.
    static func queue(_ path: String, _ parameters: String, _ configuration: Configuration) throws -> DatabaseQueue {
        let characters = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        guard let escaped = path.addingPercentEncoding(withAllowedCharacters: characters) else {
            throw StoreError(.inputOutput, "the file's path is no text")
        }
        return try DatabaseQueue(path: "file:\(escaped)?\(parameters)", configuration: configuration)
    }

    private static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Whether nobody has left anything beside the file that coordinates readers and writers.
    static func isQuiet(_ path: String) -> Bool {
        !exists(path + "-wal") && !exists(path + "-shm")
    }

    /// Removes the empty log and its index, which SQLite makes for a connection that only reads, and which such a
    /// connection cannot remove.
    static func removeEmptyLog(_ path: String) {
        guard exists(path + "-wal"), logSize(path) == 0, unwritable(path) == nil, unwritable(folder(of: path)) == nil,
            let queue = try? queue(path, "mode=rw", Configuration())
        else { return }
        // The last connection that is closed removes both, if it may write.
        _ = try? answering(queue)
        try? queue.close()
    }

    /// How many bytes of writes the database may not have yet.
    static func logSize(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int ?? 0
    }

    /// Why a file or folder cannot be written; nil if it can.
    static func unwritable(_ path: String) -> String? {
        unsafe access(path, W_OK) == 0 ? nil : String(cString: strerror(errno))
    }

    fileprivate static func folder(of path: String) -> String {
        (path as NSString).deletingLastPathComponent
    }
}

extension StoreError {
    /// The same of an error that tells of the file only: which one is meant, and where its folder is the reason, so.
    func explained(_ path: String, isReading: Bool) -> Self {
        let folder = StoreFile.folder(of: path)
        if !isReading, [.cannotOpen, .cannotCreate, .readOnly].contains(code), let reason = StoreFile.unwritable(folder)
        {
            return .cannotWrite(folder, reason)
        }
        let start = "the file "
        guard entity == nil, message.hasPrefix(start), !message.contains(path) else { return self }
        var error = self
        error.message = "\(start)“\(path)” \(message.dropFirst(start.count))"
        return error
    }

    static func cannotWrite(_ path: String, _ reason: String) -> Self {
        let ways = "open the store for reading only, or copy it to a folder that can be written"
        return Self(.readOnly, "“\(path)” cannot be written: \(reason); \(ways)")
    }
}
