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
///   - limit: The most bytes that are taken.
/// - Returns: The bytes.
/// - Throws: ``CommandError/Code/inputOutput``; ``CommandError/Code/badInput`` beyond the limit.
func readAll(_ descriptor: Int32, name: String, limit: Int = InputSource.limit) throws(CommandError) -> Data {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = retrying { read(descriptor, &chunk, chunk.count) }
        guard count >= 0 else { throw .failedReading(name, errno) }
        guard count > 0 else { return bytes }
        guard bytes.count + count <= limit else { throw .tooLarge(name, limit: limit) }
        bytes.append(contentsOf: chunk[..<count])
    }
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
