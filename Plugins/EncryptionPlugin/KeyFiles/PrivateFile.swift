internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

// The system's functions, where methods have their names.
private let systemRead = unsafe read
private let systemWrite = unsafe write

/// A file that nobody but its owner can read.
struct PrivateFile {
    /// What a key file may have; a hundred thousand keys do not reach it.
    private static let limit = 16 << 20

    let path: String

    /// Reads the whole file into locked memory.
    ///
    /// - Throws: `TransformerError`: unreadable, or refused since it is another user's, or since others
    ///   can read or change it.
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
            throw TransformerError.refusedKeyFile(path, "it is neither a file nor a pipe")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw TransformerError.refusedKeyFile(path, "it belongs to another user")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw TransformerError.refusedKeyFile(
                path,
                "others may use it (its mode is \(mode)); take that right away with “chmod 600”"
            )
        }
    }

    /// Reads to the end, doubling the memory: a pipe does not say how much it holds.
    private func read(_ descriptor: Int32) throws -> SecureBytes {
        var whole = try unsafe SecureBytes(count: 4096) { _ in }
        var count = 0
        while true {
            let previous = whole
            let (known, capacity) = (count, max(4096, count * 2))
            guard known <= Self.limit else { throw TransformerError.refusedKeyFile(path, "it is too large") }
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

    /// Writes the file so that it appears whole or not at all, readable by its owner only.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - replacing: Whether a file that is there is replaced; if not, it is an error.
    /// - Throws: `TransformerError` with `unreadable-key-file`.
    func write(_ bytes: SecureBytes, replacing: Bool) throws {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).tmp"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("written") }
        defer { unsafe unlink(temporary) }
        do {
            defer { close(descriptor) }
            try unsafe bytes.withUnsafeBytes { try unsafe write($0, to: descriptor) }
            guard fsync(descriptor) == 0 else { throw failure("written") }
        }
        // A link fails where the name is taken, which a rename does not.
        let published = unsafe replacing ? rename(temporary, path) : link(temporary, path)
        guard published == 0 else { throw failure("written") }
        syncFolder()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("written") }
            written += count
        }
    }

    /// Makes the new name last; a file system that cannot sync a folder keeps its own promises.
    private func syncFolder() {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ action: String) -> TransformerError {
        .unreadableKeyFile(path, action, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
}
