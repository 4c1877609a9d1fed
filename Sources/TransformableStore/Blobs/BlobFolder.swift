internal import Foundation
package import Glibc
internal import Synchronization

/// The folder next to a store's file that contains its external blobs.
///
/// Each blob is a file whose name is its UUID, with the bytes that its attribute's transformer returned. The subfolder
/// `unfinished` contains files that are being written, and a mark for every transaction that publishes or sweeps.
/// Anything left there indicates a crash, or a file that could not be removed. The next sweep then examines every file.
///
/// Readers in a transaction and publishers, until they commit, hold a shared lock on the folder. A sweep tries to take
/// an exclusive lock, so it never removes what anyone may still see.
package final class BlobFolder: Sendable {
    private struct State {
        var holders = 0
        var isLocked = false
        // Opened by the first holder that finds the folder, and kept open, because the lock belongs to it.
        var descriptor: FileDescriptor?
        var session: PublishingSession?
    }

    package let path: String
    /// The permissions of blobs, which are those of the database.
    let mode: mode_t
    private let state = Mutex(State())

    var unfinished: String { "\(path)/unfinished" }

    /// Creates the folder of a database.
    ///
    /// - Parameter file: The database's file with symbolic links resolved, so that everyone who opens it uses the same
    ///   folder.
    init(of file: String) {
        path = Self.path(of: file)
        var status = stat()
        mode = unsafe stat(file, &status) == 0 ? status.st_mode & 0o666 : 0o600
    }

    /// Creates the folder of a database that does not exist yet.
    package init(of file: String, mode: mode_t) {
        path = Self.path(of: file)
        self.mode = mode
    }

    package static func path(of file: String) -> String { "\(file)-blobs" }

    func path(of uuid: UUID) -> String { "\(path)/\(uuid.uuidString)" }

    /// Creates the folder on disk if it is missing.
    func make() throws(StoreError) {
        guard try !hasUnfinishedFolder else { return }
        // Anyone who may read a file may also open the folder.
        let folderMode = mode | (mode & 0o444) >> 2
        if try FileSystem.makeFolder(path, mode: folderMode) {
            try FileSystem.synchronize(folder: (path as NSString).deletingLastPathComponent)
        }
        try FileSystem.makeFolder(unfinished, mode: folderMode)
    }

    /// Whether the subfolder exists.
    ///
    /// A link in its place would lead to files that are not the store's.
    private var hasUnfinishedFolder: Bool {
        get throws(StoreError) {
            var status = stat()
            guard unsafe lstat(unfinished, &status) == 0 else { return false }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw StoreError(.cannotCreate, "“\(unfinished)” is not a folder; remove it, and try again")
            }
            return true
        }
    }

    /// The names of the store's own files in the subfolder.
    var unfinishedNames: [String] {
        FileSystem.names(in: unfinished)
            .filter { name in
                UUID(uuidString: name.hasSuffix(Self.markSuffix) ? String(name.dropLast(Self.markSuffix.count)) : name)
                    != nil
            }
    }
}

// MARK: - Locks

extension BlobFolder {
    /// Prevents sweeps as long as it is referenced.
    final class Hold: Sendable {
        private let folder: BlobFolder

        fileprivate init(_ folder: BlobFolder) {
            self.folder = folder
        }

        deinit {
            folder.release()
        }
    }

    /// Takes a shared lock, which must be done before a snapshot of the database is taken.
    ///
    /// If the folder does not exist, no lock is needed, because no existing snapshot can refer to a file in it.
    func hold() throws(StoreError) -> Hold {
        try state.withLock { state throws(StoreError) in
            if !state.isLocked {
                if state.descriptor == nil { state.descriptor = try openFolder() }
                if let descriptor = state.descriptor {
                    // This waits for a sweep of another process, which takes little time.
                    guard FileSystem.retrying({ flock(descriptor.number, LOCK_SH) }) == 0 else {
                        throw FileSystem.failure("locked", path)
                    }
                    state.isLocked = true
                }
            }
            state.holders += 1
        }
        return Hold(self)
    }

    private func release() {
        state.withLock { state in
            state.holders -= 1
            guard state.holders == 0, state.isLocked, let descriptor = state.descriptor else { return }
            _ = flock(descriptor.number, LOCK_UN)
            state.isLocked = false
        }
    }

    /// Takes the exclusive lock if no one else has a lock.
    ///
    /// Closing the descriptor releases it.
    func lockAlone() -> FileDescriptor? {
        // This needs a separate descriptor, because the same one would upgrade the shared locks.
        guard let descriptor = try? openFolder(), flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return descriptor
    }

    private func openFolder() throws(StoreError) -> FileDescriptor? {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { return FileDescriptor(descriptor) }
        guard [ENOENT, ENOTDIR].contains(errno) else { throw FileSystem.failure("opened", path) }
        return nil
    }
}

// MARK: - Marks and sessions

extension BlobFolder {
    private static let markSuffix = ".session"

    /// Creates a mark for work that a crash would leave unfinished.
    func mark() throws(StoreError) -> String {
        let path = "\(unfinished)/\(UUID().uuidString)\(Self.markSuffix)"
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileSystem.failure("created", path) }
        close(descriptor)
        return path
    }

    /// Returns the session of the current transaction, or creates one.
    func session(_ make: () throws -> PublishingSession) throws -> PublishingSession {
        if let session = state.withLock({ $0.session }) { return session }
        let session = try make()
        state.withLock { $0.session = session }
        return session
    }

    func endSession() {
        state.withLock { $0.session = nil }
    }
}
