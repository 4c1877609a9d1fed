internal import Foundation
internal import GRDB
internal import Glibc
internal import Synchronization
internal import TransformableStore

/// Stores in memory.
///
/// SQLite's own in-memory databases have no write-ahead log, so readers would have to wait for the writer. Files in
/// `/dev/shm` are in memory as well, and have a log.
extension StoreFile {
    private static let name = "memory"

    static func openInMemory(_ opening: StoreOpening) throws -> StoreOpening.Opened {
        try opening.validate()
        let options = opening.options
        return try Failure.translate {
            let folder = hasRoom(options) ? WorkingFolder(in: options.memoryFolder, watch: ExitWatch.shared) : nil
            let writer: any DatabaseWriter =
                try folder.flatMap { folder in
                    let path = "\(folder.path)/\(name)"
                    guard makePrivateFile(path) else { return nil }
                    return try DatabasePool(path: path, configuration: configuration(options, log: path))
                } ?? DatabaseQueue(configuration: configuration(options))
            var opened = try opening.open(SQLiteEngine(writer))
            opened.folder = folder
            return opened
        }
    }

    /// Returns a Boolean value that indicates whether a path is that of a store in memory, which keeps external values
    /// in its table.
    static func isInMemory(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.last == Substring(name) && parts.dropLast().last?.hasPrefix(WorkingFolder.prefix) == true
    }

    /// Creates a file that only its owner can read.
    ///
    /// SQLite gives the files next to it the same mode.
    private static func makePrivateFile(_ path: String) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        Glibc.close(descriptor)
        return true
    }

    private static func hasRoom(_ options: Store.Options) -> Bool {
        var status = statvfs()
        guard unsafe statvfs(options.memoryFolder, &status) == 0, unwritable(options.memoryFolder) == nil else {
            return false
        }
        let room = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
        return room.overflow || room.partialValue >= UInt(options.memoryRoom)
    }
}

/// Removes folders when the process exits, if their owners live until then, such as a store in a global variable.
///
/// If a signal ends the process, the next process removes them.
private final class ExitWatch: WorkingFolderWatch {
    static let shared = ExitWatch()

    /// The folders, with the processes that created them: a forked process must not remove the folders of its parent.
    private let folders = Mutex<[String: pid_t]>([:])

    private init() {
        _ = atexit { ExitWatch.shared.removeFolders() }
    }

    func insert(_ path: String, _ make: () -> Bool) -> Bool {
        folders.withLock { folders in
            guard make() else { return false }
            folders[path] = getpid()
            return true
        }
    }

    func forget(_ path: String) {
        folders.withLock { _ = $0.removeValue(forKey: path) }
    }

    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result {
        try body()
    }

    private func removeFolders() {
        let own = folders.withLock { folders in folders.filter { $0.value == getpid() }.keys }
        for path in own { WorkingFolder.remove(path) }
    }
}
