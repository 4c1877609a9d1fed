internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension PrivateFile {
    /// How long a program waits for another one that is changing the file.
    private static let patience: Duration = .seconds(60)

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
    ///   another program keeps it locked for a minute.
    func lock() throws -> FileLock {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let lock = try FileLock(descriptor: openForLocking())
            if try lock.take(), lock.isHeld(on: path) { return lock }
            usleep(5000)
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

    /// Whether the locked file is still the one at a path.
    fileprivate func isHeld(on path: String) -> Bool {
        var (locked, current) = (stat(), stat())
        guard unsafe fstat(descriptor, &locked) == 0, unsafe stat(path, &current) == 0 else { return false }
        return locked.st_dev == current.st_dev && locked.st_ino == current.st_ino
    }
}
