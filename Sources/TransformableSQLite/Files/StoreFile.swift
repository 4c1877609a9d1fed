internal import Foundation
internal import GRDB
internal import Glibc
internal import Transformable
internal import TransformableStore

/// Opens the file of a store, and creates it if it is missing.
enum StoreFile {
    static func open(_ url: URL, _ opening: StoreOpening) throws -> StoreOpening.Opened {
        try opening.validate()
        var opening = opening
        let sealing = RowSealing(opening.registry)
        opening.options.rowSealing = sealing
        let (options, hasModel) = (opening.options, opening.model != nil)
        let path = url.standardizedFileURL.path
        let isNew = try makeFile(path, options, hasModel: hasModel)
        do {
            if !isNew { try requireNoOrphanedLog(path) }
            guard options.opening != .readOnly else {
                return try openReadOnly(resolvingLinks(path), opening, sealing)
            }
            if !isNew { try requireStore(path, mayBeEmpty: hasModel, options) }
            return try Failure.translate(at: path) {
                // WAL needs a file next to the database, so an obstacle to that shows here as well.
                let file = resolvingLinks(path)
                let engine = SQLiteEngine(try pool(file, options, sealing))
                let opened = try opening.open(engine)
                opening.sweep(opened)
                return opened
            }
        } catch {
            if isNew { removeIfEmpty(path) }
            throw (error as? StoreError)?.explained(path, isReading: options.opening == .readOnly) ?? error
        }
    }

    /// Returns a Boolean value that indicates whether a file is empty or missing.
    static func isEmpty(_ url: URL) -> Bool {
        // Reporting that there is no store is up to the opening itself.
        let path = url.standardizedFileURL.path
        return ((try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int ?? 0) == 0
    }

    private static func openReadOnly(
        _ path: String,
        _ opening: StoreOpening,
        _ sealing: RowSealing?
    ) throws -> StoreOpening.Opened {
        var configuration = configuration(opening.options, sealing)
        configuration.readonly = true
        let wasQuiet = isQuiet(path)
        do {
            return try Failure.translate(at: path) {
                let engine = SQLiteEngine(try readOnlyQueue(path, isBrief: opening.options.isBrief, configuration))
                do {
                    var opened = try opening.openForReading(engine)
                    if wasQuiet { opened.cleanUp = { removeEmptyLog(path) } }
                    return opened
                } catch {
                    try? engine.close()
                    throw error
                }
            }
        } catch {
            if wasQuiet { removeEmptyLog(path) }
            throw error
        }
    }

    /// Creates the file if it is missing and may be created, and returns whether it did.
    ///
    /// The caller removes the file if it does not become a store.
    private static func makeFile(_ path: String, _ options: Store.Options, hasModel: Bool) throws(StoreError) -> Bool {
        // Only a regular file is acceptable. SQLite would also put a journal next to a device.
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            let mayMake = options.opening == .create || options.opening == .createIfMissing
            let message = "“\(path)” is a folder or a device, not a file; choose another path"
            throw StoreError(mayMake ? .cannotCreate : .notAStore, message)
        }
        switch options.opening {
        case .create where exists: throw .fileExists(path)
        case .mustExist where !exists, .readOnly where !exists:
            throw StoreError(.noSuchFile, "there is no file “\(path)”")
        case .create where !hasModel, .createIfMissing where !exists && !hasModel:
            throw StoreError(.noSuchFile, "there is no file “\(path)”, and a model is required to create it")
        default: break
        }
        guard exists else {
            try requireNoLogAlone(path)
            return try makeFile(path, isExclusive: options.opening == .create)
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StoreError(.cannotOpen, "the file “\(path)” cannot be read: permission is denied")
        }
        if options.opening != .readOnly, let reason = unwritable(path) { throw .cannotWrite(path, reason) }
        return false
    }

    /// Throws an error for a log whose file is missing, for example because it is being restored.
    ///
    /// SQLite would take it for a leftover of the new file, and remove it with all changes that only it contains.
    private static func requireNoLogAlone(_ path: String) throws(StoreError) {
        // SQLite follows a link to a missing file as well.
        let path = destination(of: path)
        // A log with changes is longer than its header. Another process may have created the file in the meantime.
        guard logSize(path) > 32, !FileSystem.exists(path) else { return }
        let remedy = "restore the file, move the log away, or choose another name"
        throw StoreError(.fileExists, "the file “\(path)” is missing, but its log “\(path)-wal” is not; \(remedy)")
    }

    /// Creates an empty file, unless another process does so first.
    private static func makeFile(_ path: String, isExclusive: Bool) throws(StoreError) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o644)
        if descriptor >= 0 {
            Glibc.close(descriptor)
            return true
        }
        let code = errno
        guard code == EEXIST else {
            guard ![ENOSPC, EDQUOT].contains(code) else { throw FileSystem.failure("created", path, code) }
            throw .cannotCreate(path, code)
        }
        guard !isExclusive else { throw .fileExists(path) }
        return false
    }

    /// Resolves symbolic links, because SQLite puts its log next to the file that they lead to.
    static func resolvingLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns the file that symbolic links lead to, which may be missing.
    private static func destination(of path: String) -> String {
        var path = path
        // Linux follows at most 40 links.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : "\((path as NSString).deletingLastPathComponent)/\(target)"
        }
        return path
    }

    /// Removes a new file that has not become a store, unless another process is using it or has made it a store.
    private static func removeIfEmpty(_ path: String) {
        let tables = "SELECT count(*) FROM sqlite_master"
        guard let connection = try? BareConnection(uri(path, "mode=rw")), connection.integer(tables) == 0,
            connection.leavesLog(), connection.locks(), connection.integer(tables) == 0
        else { return }
        // The connection holds the lock.
        _ = withExtendedLifetime(connection) { FileSystem.remove(path) }
    }

    /// Opens an empty file that no one else knows until it is complete, so that there is nothing to recover.
    static func unfinishedEngine(_ path: String) throws -> any Engine {
        var configuration = Configuration()
        configuration.label = "UnfinishedFile"
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            for pragma in ["journal_mode = OFF", "synchronous = OFF", "trusted_schema = OFF", "temp_store = MEMORY"] {
                try SQLiteConnection(database).run("PRAGMA \(pragma)")
            }
        }
        return try Failure.translate(at: path) {
            SQLiteEngine(try DatabaseQueue(path: path, configuration: configuration))
        }
    }

    /// Opens a file with a connection that writes and others that read.
    private static func pool(_ path: String, _ options: Store.Options, _ sealing: RowSealing?) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration(options, sealing, log: path))
        // After it has prepared the connection that writes, GRDB sets “synchronous” to NORMAL.
        try pool.writeWithoutTransaction { try synchronize(SQLiteConnection($0), options) }
        return pool
    }

    /// Lets the commits of a connection wait until they are on the disk, if the options say so.
    private static func synchronize(_ connection: any EngineConnection, _ options: Store.Options) throws {
        if options.synchronous == .full { try connection.run("PRAGMA synchronous = FULL") }
    }

    /// Returns the configuration of connections.
    ///
    /// Those that write to a file with a log need the file's path, with symbolic links resolved.
    static func configuration(
        _ options: Store.Options,
        _ sealing: RowSealing? = nil,
        log path: String? = nil
    ) -> Configuration {
        var configuration = Configuration()
        configuration.label = "TransformableStore"
        configuration.busyMode = Interruption.busyMode(options.busyTimeout)
        configuration.prepareDatabase { database in
            let connection = SQLiteConnection(database)
            try sealing?.install(on: database)
            // Keep the pending changes that a context lays over the tables out of the file system.
            try connection.run("PRAGMA temp_store = MEMORY")
            guard let path, !database.configuration.readonly else { return }
            try synchronize(connection, options)
            try WriteAheadLog.fillIfEmpty(of: connection, at: path)
        }
        return configuration
    }
}

extension StoreError {
    fileprivate static func fileExists(_ path: String) -> Self {
        Self(.fileExists, "“\(path)” already exists; choose another name")
    }
}

extension StoreFile {
    /// Throws an error for a file that is not a store, before it is opened for writing, which would change it.
    ///
    /// - Throws: `StoreError` with the code `not-a-store` or `newer-format`.
    private static func requireStore(_ path: String, mayBeEmpty: Bool, _ options: Store.Options) throws {
        guard !isPlainlyStore(path) else { return }
        var configuration = configuration(options)
        configuration.readonly = true
        // Opening the file for writing gives better errors for other failures, and repairs what a killed process left
        // behind.
        guard let queue = try? queue(path, "immutable=1", configuration) else { return }
        defer { try? queue.close() }
        do {
            let kind = try queue.read { try Metadata.kind(of: SQLiteConnection($0)) }
            guard kind == .store || mayBeEmpty || logSize(path) > 0 else { throw StoreOpening.empty }
        } catch let error as StoreError where [.notAStore, .newerFormat].contains(error.code) {
            throw error
        } catch {}
    }

    /// Returns whether the header says that the file is a store of a known format; anything else needs a closer look.
    private static func isPlainlyStore(_ path: String) -> Bool {
        guard let connection = try? BareConnection(uri(path, "mode=ro&immutable=1")),
            connection.integer("PRAGMA application_id") == Metadata.applicationID,
            let format = connection.integer("PRAGMA user_version")
        else { return false }
        return format <= Metadata.format
    }
}

extension Interruption {
    // In milliseconds, like those of SQLite's own handler.
    private static let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    /// Waits for another connection's lock as SQLite does, but only until the task is canceled.
    fileprivate static func busyMode(_ timeout: Duration) -> Database.BusyMode {
        let longest = Duration.seconds(1_000_000_000)
        let limit = Int(min(max(timeout, .zero), longest) / Duration.milliseconds(1))
        return .callback { tries in
            guard !isImpatient, !isRequested else { return false }
            let waited = delays.prefix(tries).reduce(0, +) + max(0, tries - delays.count) * (delays.last ?? 0)
            let delay = min(tries < delays.count ? delays[tries] : delays.last ?? 0, limit - waited)
            guard delay > 0 else { return false }
            usleep(UInt32(delay) * 1000)
            return true
        }
    }
}

/// SQLite's write-ahead log next to a database.
private enum WriteAheadLog {
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
