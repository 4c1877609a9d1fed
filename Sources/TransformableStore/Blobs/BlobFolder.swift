internal import Foundation
internal import Glibc
internal import Synchronization

/// The folder beside a store's file that holds its external blobs.
///
/// Each blob is a file under its UUID, with the bytes that its attribute's transformer gave. The folder
/// `unfinished` in it holds what is being written, and a mark for every transaction that publishes or
/// sweeps: whatever lies there tells of a crash, and that the next sweep has to look at every file.
///
/// Readers in a transaction and those who publish, until they commit, keep a shared lock on the folder;
/// a sweep takes an exclusive one without waiting, and so never removes what somebody may still see.
final class BlobFolder: Sendable {
    private struct State {
        var holders = 0
        var isLocked = false
        // Open from the first holder that found the folder, and kept: `flock` belongs to it.
        var descriptor: FileDescriptor?
        var session: PublishingSession?
    }

    let path: String
    /// The permissions of blobs: those of the database.
    let mode: mode_t
    private let state = Mutex(State())

    var unfinished: String { "\(path)/unfinished" }

    /// The folder of a database.
    ///
    /// - Parameter file: The database's file, links resolved, so that all who open it agree.
    init(of file: String) {
        path = Self.path(of: file)
        var status = stat()
        mode = unsafe stat(file, &status) == 0 ? status.st_mode & 0o666 : 0o600
    }

    /// The folder of a database that is yet to be made.
    init(of file: String, mode: mode_t) {
        path = Self.path(of: file)
        self.mode = mode
    }

    static func path(of file: String) -> String { "\(file)-blobs" }

    func path(of uuid: UUID) -> String { "\(path)/\(uuid.uuidString)" }

    /// Makes the folder if it is missing.
    func make() throws(StoreError) {
        guard !FileSystem.exists(unfinished) else { return }
        // Who may read a file may enter the folder.
        let folderMode = mode | (mode & 0o444) >> 2
        if try FileSystem.makeFolder(path, mode: folderMode) {
            try FileSystem.synchronize(folder: (path as NSString).deletingLastPathComponent)
        }
        try FileSystem.makeFolder(unfinished, mode: folderMode)
    }
}

// MARK: - Locks

extension BlobFolder {
    /// Keeps sweeps away as long as it is referenced.
    final class Hold: Sendable {
        private let folder: BlobFolder

        fileprivate init(_ folder: BlobFolder) {
            self.folder = folder
        }

        deinit {
            folder.release()
        }
    }

    /// Takes a share of the lock; to be taken before a snapshot of the database is.
    ///
    /// A folder that is not there needs none: no snapshot that exists can name a file in it.
    func hold() throws(StoreError) -> Hold {
        try state.withLock { state throws(StoreError) in
            if !state.isLocked {
                if state.descriptor == nil { state.descriptor = try openFolder() }
                if let descriptor = state.descriptor {
                    // Waits for a sweep of another process, which is short.
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

    /// Takes the whole lock, if nobody has a share; given back when the descriptor is closed.
    func lockAlone() -> FileDescriptor? {
        // A descriptor of its own, since the same one would turn the shares into the whole.
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
    /// Leaves a mark that work has begun which a crash would leave half-done.
    func mark() throws(StoreError) -> String {
        let path = "\(unfinished)/\(UUID().uuidString).session"
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileSystem.failure("made", path) }
        close(descriptor)
        return path
    }

    /// The session of the transaction that is under way, made where there is none.
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
