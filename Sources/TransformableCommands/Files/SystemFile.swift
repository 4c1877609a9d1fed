internal import Foundation

/// A file of the system that is closed when its owner goes.
struct SystemFile: ~Copyable {
    let descriptor: Int32

    /// Opens a file; nil if the system refuses, with `errno` set.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0) {
        let opened = retrying { open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// What the system knows about the file.
    var status: stat {
        var status = stat()
        _ = fstat(descriptor, &status)
        return status
    }
}

/// Repeats a system call that a signal interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// The kind of file that a mode tells of.
extension mode_t {
    var isRegularFile: Bool { self & S_IFMT == S_IFREG }
    var isDirectory: Bool { self & S_IFMT == S_IFDIR }
}

/// Reads a descriptor to its end.
///
/// - Parameters:
///   - descriptor: An open descriptor.
///   - name: How a message calls it.
///   - limit: The most bytes that there may be.
/// - Returns: The bytes.
/// - Throws: ``CommandError/Code/inputOutput``; ``CommandError/Code/badInput`` beyond the limit.
func readAll(_ descriptor: Int32, name: String, limit: Int = InputSource.limit) throws(CommandError) -> Data {
    let bytes = try readStart(descriptor, name: name, count: limit + 1)
    guard bytes.count <= limit else { throw .tooLarge(name, limit: limit) }
    return bytes
}

/// Reads the first bytes of a descriptor.
///
/// - Parameters:
///   - descriptor: An open descriptor.
///   - name: How a message calls it.
///   - count: How many bytes.
/// - Returns: So many bytes, or all there are.
/// - Throws: ``CommandError/Code/inputOutput``.
func readStart(_ descriptor: Int32, name: String, count: Int) throws(CommandError) -> Data {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < count {
        let wanted = min(chunk.count, count - bytes.count)
        let found = retrying { read(descriptor, &chunk, wanted) }
        guard found >= 0 else { throw .failedReading(name, errno) }
        guard found > 0 else { break }
        bytes.append(contentsOf: chunk[..<found])
    }
    return bytes
}

/// Writes all bytes to a descriptor.
///
/// - Parameters:
///   - bytes: The bytes.
///   - descriptor: An open descriptor.
///   - name: How a message calls it.
/// - Throws: ``CommandError/Code/inputOutput`` or ``CommandError/Code/outputClosed``.
func writeAll(_ bytes: Data, to descriptor: Int32, name: String) throws(CommandError) {
    // The pointer is used within the closure only, and never beyond the buffer's count.
    let failure = bytes.withUnsafeBytes { buffer -> Int32 in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = retrying { write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count) }
            if count < 0 { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }
    if failure != 0 { throw .failedWriting(name, failure) }
}
