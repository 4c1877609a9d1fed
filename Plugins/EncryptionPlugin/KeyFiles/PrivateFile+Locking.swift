internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension PrivateFile {
    /// How long a program waits while the file stays locked and as it is.
    private static let patience: Duration = .seconds(60)
    /// The longest pause between two attempts, in microseconds.
    private static let longestPause: UInt32 = 100_000

    /// The file that a symbolic link leads to, so that replacing it leaves the link in place.
    ///
    /// - Returns: The file; this one if there is none at its path yet.
    func resolvingLinks() -> PrivateFile {
        guard let resolved = unsafe realpath(path, nil) else { return self }
        defer { unsafe free(resolved) }
        return PrivateFile(path: unsafe String(cString: resolved))
    }

    /// Locks the file against other programs that change it, until the lock is released.
    ///
    /// A change replaces the file. A lock on one that was replaced meanwhile is therefore worth nothing, and
    /// the new file is locked instead.
    ///
    /// - Returns: The lock.
    /// - Throws: `TransformerError` with `unreadable-key-file` if there is no such file, or `busy-key-file` if
    ///   another program keeps it locked for a minute. Many that change it in turn may take longer.
    func lock() throws -> FileLock {
        var end = ContinuousClock.now + Self.patience
        var (former, pause): (FileLock.Identity?, UInt32) = (nil, 1000)
        while ContinuousClock.now < end {
            let lock = try FileLock(descriptor: openForLocking())
            if try lock.take(), lock.isHeld(on: path) { return lock }
            // One program after the other has its turn: what has changed the file will not keep it.
            if let identity = lock.identity, identity != former {
                (former, end) = (identity, ContinuousClock.now + Self.patience)
            }
            usleep(.random(in: 1000...pause))
            pause = min(pause * 2, Self.longestPause)
        }
        throw TransformerError.busyKeyFile(path)
    }

    /// Opens the file for writing where that is allowed, which network file systems want of whoever locks it.
    private func openForLocking() throws -> Int32 {
        var descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == EACCES || errno == EROFS {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw failure("opened") }
        return descriptor
    }
}

/// An advisory lock of an open file, released when it is freed.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Takes ownership of an open file, which is not locked yet.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Unlocks the file.
    consuming func release() {}

    /// Locks the file, unless another program has.
    fileprivate func take() throws -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return false
    }

    /// What tells the file from the one that replaces it.
    fileprivate struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
        let seconds: Int
        let nanoseconds: Int
    }

    fileprivate var identity: Identity? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        return Identity(
            device: status.st_dev,
            number: status.st_ino,
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    /// Whether the locked file is still the one at a path.
    fileprivate func isHeld(on path: String) -> Bool {
        var (locked, current) = (stat(), stat())
        guard unsafe fstat(descriptor, &locked) == 0, unsafe stat(path, &current) == 0 else { return false }
        return locked.st_dev == current.st_dev && locked.st_ino == current.st_ino
    }
}
