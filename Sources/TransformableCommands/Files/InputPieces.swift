internal import Foundation

/// A file or standard input, read piece by piece.
final class InputPieces {
    private static let pieceCount = 1 << 16

    let source: InputSource
    // Keeps the file open while it is read.
    private let file: SystemFile?
    private let descriptor: Int32
    private var start: Data?

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - source: The input, which must not be an argument.
    ///   - io: The descriptors to use.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if the file cannot be opened.
    convenience init?(_ source: InputSource, _ io: CommandIO) throws(CommandError) {
        switch source {
        case .argument: return nil
        case .standardInput: self.init(source, nil, io.input)
        case .file(let path):
            guard let file = SystemFile(path, O_RDONLY) else { throw .cannotRead(path, errno) }
            guard !file.status.st_mode.isDirectory else { throw .cannotRead(path, EISDIR) }
            let descriptor = file.descriptor
            self.init(source, file, descriptor)
        }
    }

    private init(_ source: InputSource, _ file: consuming SystemFile?, _ descriptor: Int32) {
        self.source = source
        self.file = file
        self.descriptor = descriptor
    }

    /// Reads the whole input if it is small.
    ///
    /// Otherwise, the bytes read so far become the first piece.
    ///
    /// - Parameter count: The size, in bytes, up to which the input is read as a whole.
    /// - Returns: The whole input, or nil if it is larger.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` if reading fails.
    func readAll(ifAtMost count: Int) throws(CommandError) -> Data? {
        let bytes = try readStart(descriptor, name: source.name, count: count + 1)
        if bytes.count <= count { return bytes }
        start = bytes
        return nil
    }

    /// Returns the next piece, or nil at the end.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/inputOutput`` if reading fails.
    func next() throws(CommandError) -> Data? {
        if let start {
            self.start = nil
            return start
        }
        let piece = try readStart(descriptor, name: source.name, count: Self.pieceCount)
        return piece.isEmpty ? nil : piece
    }
}

@available(*, unavailable)
extension InputPieces: Sendable {}
