internal import Foundation
internal import TransformableStore

/// An open file descriptor that is closed at the end of its lifetime.
struct SystemFile: ~Copyable {
    let descriptor: Int32

    /// Opens a file.
    ///
    /// Returns nil, with `errno` set, if the system call fails.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0) {
        let opened = FileSystem.retrying { open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// The file's status.
    var status: stat {
        var status = stat()
        _ = fstat(descriptor, &status)
        return status
    }
}

/// The file type in a mode.
extension mode_t {
    var isRegularFile: Bool { self & S_IFMT == S_IFREG }
    var isDirectory: Bool { self & S_IFMT == S_IFDIR }
}

/// Reads a descriptor to its end.
///
/// - Parameters:
///   - descriptor: An open descriptor.
///   - name: The name of the input in messages.
///   - limit: The maximum number of bytes.
/// - Returns: The bytes.
/// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` if reading fails, or
///   ``CommandError/Code/badInput`` if there are more bytes than the limit.
func readAll(_ descriptor: Int32, name: String, limit: Int = InputSource.limit) throws(CommandError) -> Data {
    let bytes = try readStart(descriptor, name: name, count: limit + 1)
    guard bytes.count <= limit else { throw .tooLarge(name, limit: limit) }
    return bytes
}

/// Reads the first bytes of a descriptor.
///
/// - Parameters:
///   - descriptor: An open descriptor.
///   - name: The name of the input in messages.
///   - count: The number of bytes to read.
/// - Returns: The bytes, which are fewer than `count` if the input ends before.
/// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` if reading fails.
func readStart(_ descriptor: Int32, name: String, count: Int) throws(CommandError) -> Data {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < count {
        let wanted = min(chunk.count, count - bytes.count)
        let found = FileSystem.retrying { read(descriptor, &chunk, wanted) }
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
///   - name: The name of the output in messages.
/// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` or ``CommandError/Code/outputClosed``.
func writeAll(_ bytes: Data, to descriptor: Int32, name: String) throws(CommandError) {
    let failure = FileSystem.write(bytes, to: descriptor)
    if failure != 0 { throw .failedWriting(name, failure) }
}
