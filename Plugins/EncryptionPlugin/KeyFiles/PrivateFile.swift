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
    private static let limit = 16 << 20

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
