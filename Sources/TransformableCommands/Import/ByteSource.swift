internal import Foundation

/// Reads the bytes of a file or of standard input one at a time, from a buffer.
final class ByteSource {
    // Keeps the file open while it is read.
    private let file: SystemFile?
    private let descriptor: Int32
    private let name: String
    private var block: Data
    private var position = 0

    private init(_ file: consuming SystemFile?, _ descriptor: Int32, name: String) {
        self.file = file
        self.descriptor = descriptor
        self.name = name
        block = Data()
    }

    /// Creates a source that reads standard input.
    convenience init(standardInput io: CommandIO) {
        self.init(nil, io.input, name: "standard input")
    }

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if the file cannot be opened.
    convenience init(path: String) throws(CommandError) {
        guard let file = SystemFile(path, O_RDONLY) else { throw .cannotRead(path, errno) }
        guard !file.status.st_mode.isDirectory else { throw .cannotRead(path, EISDIR) }
        let descriptor = file.descriptor
        self.init(file, descriptor, name: "“\(path)”")
    }

    /// Returns the next byte without consuming it, or nil at the end.
    func peek() throws(CommandError) -> UInt8? {
        if position == block.count {
            block = try readStart(descriptor, name: name, count: 1 << 16)
            position = 0
        }
        return position < block.count ? block[position] : nil
    }

    /// Consumes and returns the next byte, or returns nil at the end.
    func next() throws(CommandError) -> UInt8? {
        let byte = try peek()
        if byte != nil { position += 1 }
        return byte
    }

    /// Skips the byte order mark that some programs write before UTF-8.
    func skipByteOrderMark() throws(CommandError) {
        guard try peek() == 0xEF, block.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        position += 3
    }
}
