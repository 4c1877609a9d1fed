internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension PrivateFile {
    /// The time to wait while the file stays locked and unchanged.
    private static let patience: Duration = .seconds(60)
    /// The longest pause between two attempts, in microseconds.
    private static let longestPause: UInt32 = 100_000

    /// Resolves symbolic links, so that replacing the file leaves them in place.
    ///
    /// - Returns: The file that the link leads to, or this file if it does not exist yet.
    func resolvingLinks() -> PrivateFile {
        guard let resolved = unsafe realpath(path, nil) else { return self }
        defer { unsafe free(resolved) }
        return PrivateFile(path: unsafe String(cString: resolved))
    }

    /// Locks the file against changes by other programs until the lock is released.
    ///
    /// A change replaces the file. A lock on a file that was replaced in the meantime has no effect, so the new file is
    /// locked instead.
    ///
    /// - Returns: The lock.
    /// - Throws: `TransformerError` with the code `unreadable-key-file` if there is no such file, `refused-key-file` if
    ///   it is not a regular file, or `busy-key-file` if another program keeps it locked for a minute. If many programs
    ///   change the file in turn, this can take longer.
    func lock() throws -> FileLock {
        var end = ContinuousClock.now + Self.patience
        var (former, pause): (FileLock.Identity?, UInt32) = (nil, 1000)
        while ContinuousClock.now < end {
            let lock = try FileLock(descriptor: openForLocking())
            guard let isTaken = lock.take() else { throw failure("locked") }
            if isTaken, lock.isHeld(on: path) { return lock }
            // Programs take turns, so whenever the file has changed, the wait starts over.
            if let identity = lock.identity, identity != former {
                (former, end) = (identity, ContinuousClock.now + Self.patience)
            }
            usleep(.random(in: 1000...pause))
            pause = min(pause * 2, Self.longestPause)
        }
        throw TransformerError.busyKeyFile(path)
    }

    /// Opens the file for writing if that is permitted, because network file systems require it for locking.
    private func openForLocking() throws -> Int32 {
        var descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == EACCES || errno == EROFS {
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw failure("opened") }
        var status = stat()
        // A pipe that is open for writing here would never end when it is read.
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransformerError.refused(self, "only a regular file can be changed")
        }
        return descriptor
    }
}

/// An advisory lock on an open file.
///
/// It is released when the value is destroyed.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Takes ownership of an open file, without locking it.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Releases the lock.
    consuming func release() {}

    /// Locks the file, unless another program has locked it.
    ///
    /// - Returns: Whether it is locked now, or `nil`, with `errno` set, if it cannot be locked at all.
    fileprivate func take() -> Bool? {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        return errno == EWOULDBLOCK || errno == EINTR ? false : nil
    }

    /// Distinguishes the file from one that replaces it.
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

    /// Returns whether the locked file is still the one at a path.
    fileprivate func isHeld(on path: String) -> Bool {
        var (locked, current) = (stat(), stat())
        guard unsafe fstat(descriptor, &locked) == 0, unsafe stat(path, &current) == 0 else { return false }
        return locked.st_dev == current.st_dev && locked.st_ino == current.st_ino
    }
}
