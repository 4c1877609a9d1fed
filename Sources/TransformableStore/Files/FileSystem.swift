package import Foundation
internal import Glibc

/// System calls for files that throw errors of the store.
package enum FileSystem {
    /// Returns the error for a failed call.
    package static func failure(_ what: String, _ path: String, _ code: Int32 = errno) -> StoreError {
        let reason = unsafe String(cString: strerror(code))
        let name = (path as NSString).lastPathComponent
        let isForReading = ["opened", "read"].contains(what)
        return switch code {
        case ENOSPC, EDQUOT: StoreError(.diskFull, StoreError.fullDisk(of: "“\(path)”"))
        case EFBIG: StoreError(.limitExceeded, "“\(name)” would be larger than the system allows")
        case EACCES where isForReading, EPERM where isForReading:
            StoreError(.cannotOpen, "“\(path)” cannot be \(what): \(reason); allow this user to read it")
        case EACCES, EPERM, EROFS:
            StoreError(
                .cannotCreate,
                "“\(path)” cannot be \(what): \(reason); make its folder writable, or use another one"
            )
        case EMFILE, ENFILE:
            StoreError(.inputOutput, "“\(path)” cannot be \(what): \(reason); close other files, and try again")
        default:
            StoreError(.inputOutput, "“\(path)” cannot be \(what): \(reason); check the path and disk, and try again")
        }
    }

    /// Retries a system call while a signal interrupts it.
    package static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// Writes all of some bytes at the current position of a descriptor.
    ///
    /// - Returns: Zero, or the code of the error.
    package static func write(_ bytes: Data, to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            var rest = unsafe buffer[...]
            while unsafe !rest.isEmpty {
                let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
                let count = retrying { unsafe Glibc.write(descriptor, piece.baseAddress, piece.count) }
                if count < 0 { return errno }
                unsafe rest = rest.dropFirst(count)
            }
            return 0
        }
    }

    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Returns a Boolean value that indicates whether a path leads to a regular file, rather than to a folder, a pipe,
    /// or a device.
    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns a Boolean value that indicates whether a path leads, without a symbolic link, to a file of this user.
    static func isOwnFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    }

    /// Returns a Boolean value that indicates whether a name in a folder is a symbolic link.
    static func isLink(_ folder: String, _ name: String) -> Bool {
        var status = stat()
        return unsafe lstat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Creates a folder, unless it exists.
    ///
    /// - Returns: Whether the folder was created.
    @discardableResult
    static func makeFolder(_ path: String, mode: mode_t) throws(StoreError) -> Bool {
        guard unsafe mkdir(path, mode) != 0 else {
            // The folder gets the permissions of the database, regardless of the process's mask.
            unsafe chmod(path, mode)
            return true
        }
        guard errno == EEXIST else { throw failure("created", path) }
        return false
    }

    static func rename(_ old: String, to new: String) throws(StoreError) {
        guard unsafe Glibc.rename(old, new) == 0 else { throw failure("renamed", old) }
    }

    /// Removes a file.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: Whether there is no such file any more.
    @discardableResult
    package static func remove(_ path: String) -> Bool {
        unsafe unlink(path) == 0 || errno == ENOENT
    }

    /// Ensures that the entries of a folder survive a power failure.
    package static func synchronize(folder path: String) throws(StoreError) {
        let code = flush(folder: path)
        guard code == 0 else { throw failure("flushed to disk", path, code) }
    }

    /// Flushes the entries of a folder to disk.
    ///
    /// File systems that cannot flush a folder, such as some that virtual machines share, make their own guarantees.
    ///
    /// - Returns: Zero, or the code of the error.
    static func flush(folder path: String) -> Int32 {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return retrying({ fsync(descriptor) }) == 0 || errno == EINVAL ? 0 : errno
    }

    /// Creates a file, which must not exist, for reading and writing.
    package static func create(_ path: String, mode: mode_t = 0o600) throws(StoreError) -> FileDescriptor {
        let number = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode)
        guard number >= 0 else { throw failure("created", path) }
        return FileDescriptor(number)
    }

    /// Opens a file for reading, or returns `nil` if there is no regular file with this name.
    package static func openToRead(_ path: String) throws(StoreError) -> FileDescriptor? {
        // A symbolic link or a pipe in its place must not redirect or block the reader.
        let number = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else { throw failure("opened", path) }
            return nil
        }
        let descriptor = FileDescriptor(number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return descriptor
    }

    /// Returns the descriptor under which this process has a file open, or `nil` if there is none.
    ///
    /// When any descriptor of a file is closed, POSIX releases all locks that the process has on the file, including
    /// SQLite's. A file that SQLite has open is therefore read through SQLite's descriptor, and never opened
    /// separately.
    package static func openDescriptor(of path: String) -> FileDescriptor? {
        var wanted = stat()
        guard unsafe stat(path, &wanted) == 0 else { return nil }
        let number = names(in: "/proc/self/fd").compactMap { Int32($0) }
            .first { number in
                var status = stat()
                return unsafe fstat(number, &status) == 0 && status.st_dev == wanted.st_dev
                    && status.st_ino == wanted.st_ino
            }
        return number.map { FileDescriptor($0, isOwned: false) }
    }

    /// Returns the length of an open file.
    static func length(of descriptor: FileDescriptor) -> Int64 {
        var status = stat()
        return unsafe fstat(descriptor.number, &status) == 0 ? Int64(status.st_size) : -1
    }

    /// Returns the names in a folder, in no particular order, or an empty array if there is no such folder.
    static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}

extension StoreError {
    /// Whether a file cannot be read or written at the moment, which says nothing about a value.
    package var concernsAccessToFiles: Bool {
        [.diskFull, .inputOutput, .cannotCreate, .cannotOpen].contains(code)
    }

    /// Returns the message for a full disk, which names what cannot grow and says what became of the work.
    package static func fullDisk(of place: String, _ outcome: String = "nothing was changed") -> String {
        "the disk is full, and \(outcome); free some space on the volume of \(place), and try again"
    }

    /// Runs a closure that writes in several steps, and if the disk is full, says what became of the file or folder at
    /// the path.
    ///
    /// The full disk may also be that of temporary files, or that of a server, whose error is the cause.
    package static func explainingFullDisk<Result>(
        at path: String,
        _ outcome: String = "nothing was changed",
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError where error.code == .diskFull {
            guard error.underlying == nil else {
                error.message += ", and \(outcome)"
                throw error
            }
            let place = TemporaryFile.isMentioned(in: error) ? TemporaryFile.folder : path
            error.message = fullDisk(of: "“\(place)”", outcome)
            throw error
        }
    }
}
