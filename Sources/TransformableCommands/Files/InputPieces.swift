internal import Foundation

/// A file or standard input, in pieces.
final class InputPieces {
    private static let pieceCount = 1 << 16

    let source: InputSource
    // Keeps the file open as long as it is read.
    private let file: SystemFile?
    private let descriptor: Int32
    private var start: Data?

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - source: The input; not an argument.
    ///   - io: Where standard input is.
    /// - Throws: ``CommandError/Code/noInput``.
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

    /// Reads everything, if that is little; if not, what was read comes first in the pieces.
    ///
    /// - Parameter count: How many bytes are little.
    /// - Returns: All bytes; nil if there are more.
    /// - Throws: ``CommandError/Code/inputOutput``.
    func readAll(ifAtMost count: Int) throws(CommandError) -> Data? {
        let bytes = try readStart(descriptor, name: source.name, count: count + 1)
        if bytes.count <= count { return bytes }
        start = bytes
        return nil
    }

    /// Reads the next piece; nil at the end.
    ///
    /// - Throws: ``CommandError/Code/inputOutput``.
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
