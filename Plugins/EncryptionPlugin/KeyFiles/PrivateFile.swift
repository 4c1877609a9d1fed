internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

// The system function, because a method has the same name.
private let systemRead = unsafe read

/// A file that only its owner can read.
struct PrivateFile {
    /// The maximum size of a key file.
    ///
    /// A hundred thousand keys take less.
    static let limit = 16 << 20

    /// The purpose of the file, as named in messages.
    enum Role: String {
        case keys = "key file"
        case passphrase = "passphrase file"
    }

    let path: String
    var role = Role.keys

    /// Reads the whole file into locked memory.
    ///
    /// - Throws: `TransformerError` if the file cannot be read, belongs to another user, or can be read or changed by
    ///   other users.
    func read() throws -> SecureBytes {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opened") }
        defer { close(descriptor) }
        try checkOwnership(of: descriptor)
        return try read(descriptor)
    }

    private func checkOwnership(of descriptor: Int32) throws {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examined") }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFIFO else {
            throw TransformerError.refused(self, "it is not a file or a pipe")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw TransformerError.refused(self, "it belongs to another user")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw TransformerError.refused(
                self,
                "other users can access it (its mode is \(mode)); change this with “chmod 600”"
            )
        }
    }

    /// Reads to the end, doubling the buffer as needed, because the size of a pipe is not known.
    private func read(_ descriptor: Int32) throws -> SecureBytes {
        var whole = try unsafe SecureBytes(count: 4096) { _ in }
        var count = 0
        while true {
            let previous = whole
            let (known, capacity) = (count, max(4096, count * 2))
            guard known <= Self.limit else { throw TransformerError.refused(self, "it is too large") }
            whole = try unsafe SecureBytes(count: capacity) { buffer in
                unsafe previous.withUnsafeBytes { unsafe buffer.copyMemory(from: .init(rebasing: $0.prefix(known))) }
                count = try unsafe fill(buffer, from: known, descriptor)
            }
            if count < capacity { break }
        }
        return try unsafe SecureBytes(count: count) { buffer in
            unsafe whole.withUnsafeBytes { unsafe buffer.copyMemory(from: .init(rebasing: $0.prefix(count))) }
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from start: Int, _ descriptor: Int32) throws -> Int {
        var filled = start
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = unsafe systemRead(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read") }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Adds the name of the file to errors about its contents.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as TransformerError where error.transformer == nil && !error.message.contains(path) {
            error.transformer = "“\(path)”"
            throw error
        }
    }

    func failure(_ action: String) -> TransformerError {
        .unreadable(self, action, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
}

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
            if isTaken, lock.isHeld(on: self) { return lock }
            // Programs take turns, so whenever the file has changed, the wait starts over.
            if let identity = lock.identity, identity != former {
                (former, end) = (identity, ContinuousClock.now + Self.patience)
            }
            usleep(.random(in: 1000...pause))
            pause = min(pause * 2, Self.longestPause)
        }
        throw TransformerError.busyKeyFile(path)
    }

    /// Returns whether an open file is the one at the path.
    func isOpen(as descriptor: Int32) -> Bool {
        var (opened, current) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0, unsafe stat(path, &current) == 0 else { return false }
        return opened.st_dev == current.st_dev && opened.st_ino == current.st_ino
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

    /// Returns whether the locked file is still the one at its path.
    fileprivate func isHeld(on file: PrivateFile) -> Bool { file.isOpen(as: descriptor) }
}
