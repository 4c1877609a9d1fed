internal import Foundation
package import Glibc
internal import Synchronization

/// The folder next to a store's file that contains its external blobs.
///
/// Each blob is a file whose name is its UUID, with the bytes that its attribute's transformer returned. The subfolder
/// `unfinished` contains files that are being written, and a mark for every transaction that publishes or sweeps.
/// Anything left there indicates a crash, or a file that could not be removed. The next sweep then examines every file.
///
/// Readers in a transaction and publishers, until they commit, share one of two locks. A sweep tries to take both of them
/// exclusively, and removes only what no one may still see. `BlobSweep` says why two locks are enough.
package final class BlobFolder: Sendable {
    /// A lock.
    enum Lock: String, CaseIterable {
        /// The lock of the folder itself.
        case first
        /// The lock of the subfolder `unfinished`.
        case second

        var other: Self { self == .first ? .second : .first }
    }

    /// A lock that the holders of this process share.
    private struct SharedLock {
        private var holders = 0
        // Open while the lock is held, which belongs to it.
        private var descriptor: FileDescriptor?

        /// Takes the lock.
        ///
        /// - Parameters:
        ///   - path: The folder that the lock belongs to.
        ///   - waits: Whether to wait for a sweep that has the lock, which takes little time.
        /// - Returns: Whether the lock was taken. If not, the folder does not exist, or a sweep has the lock.
        /// - Throws: `StoreError` if the folder cannot be opened or locked.
        mutating func take(_ path: String, waits: Bool) throws(StoreError) -> Bool {
            if descriptor == nil {
                guard let opened = try BlobFolder.openFolder(path) else { return false }
                guard FileSystem.retrying({ flock(opened.number, waits ? LOCK_SH : LOCK_SH | LOCK_NB) }) == 0 else {
                    if errno == EWOULDBLOCK { return false }
                    throw FileSystem.failure("locked", path)
                }
                descriptor = opened
            }
            holders += 1
            return true
        }

        mutating func release() {
            holders -= 1
            if holders == 0 { descriptor = nil }
        }
    }

    private struct State {
        private var first = SharedLock()
        private var second = SharedLock()
        var session: PublishingSession?

        subscript(lock: Lock) -> SharedLock {
            get { lock == .first ? first : second }
            set { if lock == .first { first = newValue } else { second = newValue } }
        }
    }

    package let path: String
    /// The permissions of blobs, which are those of the database.
    let mode: mode_t
    /// The owner and the group of the database, or `nil` if they are those of the process.
    private let owner: (user: uid_t, group: gid_t)?
    private let state = Mutex(State())

    var unfinished: String { "\(path)/unfinished" }

    /// Creates the folder of a database.
    ///
    /// - Parameter file: The database's file with symbolic links resolved, so that everyone who opens it uses the same
    ///   folder.
    init(of file: String) {
        path = Self.path(of: file)
        var status = stat()
        let exists = unsafe stat(file, &status) == 0
        mode = exists ? status.st_mode & 0o666 : 0o600
        owner = exists ? (user: status.st_uid, group: status.st_gid) : nil
    }

    /// Creates the folder of a database that does not exist yet.
    package init(of file: String, mode: mode_t) {
        path = Self.path(of: file)
        self.mode = mode
        owner = nil
    }

    package static func path(of file: String) -> String { "\(file)-blobs" }

    func path(of uuid: UUID) -> String { "\(path)/\(uuid.uuidString)" }

    /// Creates the folder on disk if it is missing.
    func make() throws(StoreError) {
        guard try !hasUnfinishedFolder else { return }
        if try makeFolder(path) {
            try FileSystem.synchronize(folder: (path as NSString).deletingLastPathComponent)
        }
        _ = try makeFolder(unfinished)
    }

    /// Creates a folder, unless it exists, and returns whether it was created.
    private func makeFolder(_ path: String) throws(StoreError) -> Bool {
        // Anyone who may read a file may also open the folder.
        let folderMode = mode | (mode & 0o444) >> 2
        guard try FileSystem.makeFolder(path, mode: folderMode) else { return false }
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 { giveRights(to: FileDescriptor(descriptor), mode: folderMode) }
        return true
    }

    /// Gives a new file or folder the owner and the group of the database, as far as the process may set them, and a mode.
    ///
    /// SQLite does the same with its log. Otherwise, the owner of a store could not read what root writes. If the process
    /// may not set the group, its own group gets the rights of all others.
    func giveRights(to descriptor: FileDescriptor, mode: mode_t) {
        var mode = mode
        if let owner {
            // Only root may set another owner.
            let isOfGroup =
                fchown(descriptor.number, owner.user, owner.group) == 0
                || fchown(descriptor.number, .max, owner.group) == 0
            if !isOfGroup { mode = mode & 0o707 | (mode & 0o007) << 3 }
        }
        fchmod(descriptor.number, mode)
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

    /// Whether there are files of blobs, or anything that a crash has left behind.
    var hasFiles: Bool {
        FileSystem.names(in: path).contains { UUID(uuidString: $0) != nil } || !unfinishedNames.isEmpty
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
    /// Prevents the removal of files that its owner may need, as long as it is referenced.
    final class Hold: Sendable {
        private let folder: BlobFolder
        private let lock: Lock?

        fileprivate init(_ folder: BlobFolder, _ lock: Lock?) {
            self.folder = folder
            self.lock = lock
        }

        deinit {
            if let lock { folder.release(lock) }
        }

        /// Makes sure that every file that a connection's snapshot can see is kept, or lets `holding` start again.
        func confirm(on connection: any EngineConnection) throws {
            guard lock == nil else { return }
            // The snapshot begins with the first statement.
            _ = try connection.schemaVersion()
            try confirm()
        }

        /// Makes sure that every file that an older snapshot can see is kept, or lets `holding` start again.
        ///
        /// The snapshot must have begun after the hold was taken.
        func confirm() throws {
            // If the folder is still missing, the snapshot cannot refer to a file in it.
            guard lock == nil, try BlobFolder.openFolder(folder.path) != nil else { return }
            throw MissedLock()
        }
    }

    /// The error of a snapshot that began after another process had created the folder, without a lock.
    private struct MissedLock: Error {}

    /// Calls a closure while files are kept from being removed.
    ///
    /// - Parameters:
    ///   - folder: The folder, or `nil` if there are no files.
    ///   - body: A closure that takes a snapshot of the database, and confirms the hold before it does anything else. It
    ///     is called again if the folder was created in the meantime.
    /// - Returns: The result of the closure.
    /// - Throws: Errors thrown by the closure, and `StoreError` if the folder cannot be locked.
    static func holding<Result>(_ folder: BlobFolder?, _ body: (Hold?) throws -> Result) throws -> Result {
        while true {
            let hold = try folder?.hold()
            defer { withExtendedLifetime(hold) {} }
            do { return try body(hold) } catch is MissedLock {}
        }
    }

    /// Awaits a closure while files are kept from being removed.
    static func holding<Result: Sendable>(
        _ folder: BlobFolder?,
        _ body: (Hold?) async throws -> Result
    ) async throws -> Result {
        while true {
            let hold = try folder?.hold()
            defer { withExtendedLifetime(hold) {} }
            do { return try await body(hold) } catch is MissedLock {}
        }
    }

    /// The path of the file whose existence leads holders to the second lock.
    private var preference: String { "\(unfinished)/second" }

    private func path(of lock: Lock) -> String { lock == .first ? path : unfinished }

    /// Shares a lock, which must be done before a snapshot of the database is taken or a file is created.
    ///
    /// If the folder does not exist, there is no lock to share. No existing snapshot can refer to a file in it, but a later
    /// one can, so the hold must then be confirmed.
    func hold() throws(StoreError) -> Hold {
        let preferred = FileSystem.exists(preference) ? Lock.second : .first
        let lock = try state.withLock { state throws(StoreError) -> Lock? in
            // The subfolder may be missing, and a sweep may have one of the locks.
            for waits in [false, true] {
                for lock in [preferred, preferred.other] {
                    if try state[lock].take(path(of: lock), waits: waits) { return lock }
                }
            }
            return nil
        }
        return Hold(self, lock)
    }

    private func release(_ lock: Lock) {
        state.withLock { $0[lock].release() }
    }

    /// Takes the locks that no one has.
    ///
    /// Closing a descriptor releases its lock.
    func takeFreeLocks() -> [Lock: FileDescriptor] {
        var locks: [Lock: FileDescriptor] = [:]
        for lock in Lock.allCases {
            // This needs a separate descriptor, because the same one would upgrade the shared locks.
            guard let descriptor = try? Self.openFolder(path(of: lock)),
                flock(descriptor.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            locks[lock] = descriptor
        }
        return locks
    }

    /// Leads new holders to a lock, so that the other one becomes free when those who have it now are done.
    func prefer(_ lock: Lock) {
        guard lock == .second else {
            FileSystem.remove(preference)
            return
        }
        let descriptor = unsafe open(preference, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode)
        if descriptor >= 0 { close(descriptor) }
    }

    private static func openFolder(_ path: String) throws(StoreError) -> FileDescriptor? {
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
        _ = try FileSystem.create(path, mode: mode)
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
