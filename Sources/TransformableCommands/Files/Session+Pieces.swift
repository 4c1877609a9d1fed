internal import Foundation

extension Session {
    /// How much of a result is held back, so that one that fails early is not written in part.
    private static let heldCount = 1 << 20

    /// Whether a result may be written while it is made; what a terminal can show is known at the end only.
    func takesPieces(_ output: OutputOptions) -> Bool {
        output.path != nil || output.raw || !io.isOutputTerminal
    }

    /// Writes a result that comes in pieces, in memory that does not grow with it.
    ///
    /// A file appears whole or not at all. Standard output has no bytes of a result that fails within its first
    /// mebibyte.
    ///
    /// - Parameters:
    ///   - output: Where to.
    ///   - isConfidential: Whether it is a value that was sealed: then only its owner can read a new file.
    ///   - produce: Gives the bytes to a function.
    /// - Throws: ``CommandError``, and what the producer throws.
    func write(to output: OutputOptions, isConfidential: Bool, _ produce: OutputFile.Producer) throws {
        if let path = output.path {
            return try OutputFile(path, temporaryFiles).write(mode: isConfidential ? 0o600 : 0o666, produce)
        }
        var held: Data? = Data()
        let name = "standard output"
        try produce { piece in
            held?.append(piece)
            guard let start = held else { return try writeAll(piece, to: io.output, name: name) }
            guard start.count > Self.heldCount else { return }
            held = nil
            try writeAll(start, to: io.output, name: name)
        }
        if let held { try writeAll(held, to: io.output, name: name) }
    }
}
