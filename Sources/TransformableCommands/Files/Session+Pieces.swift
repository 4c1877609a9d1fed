internal import Foundation

extension Session {
    /// The number of bytes to hold back, so that a result that fails early is not partially written.
    private static let heldCount = 1 << 20

    /// Whether a result can be written while it is produced.
    ///
    /// Whether a terminal can show it is known only at the end.
    func takesPieces(_ output: OutputOptions) -> Bool {
        output.path != nil || output.raw || !io.isOutputTerminal
    }

    /// Writes a result piece by piece, without holding all of it in memory.
    ///
    /// A file is written atomically. Standard output receives nothing of a result that fails within its first mebibyte.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - isConfidential: Whether the result is a sealed value. If so, only its owner can read a new file.
    ///   - produce: A closure that passes the bytes to its argument.
    /// - Throws: ``CommandError`` if the output cannot be written, and any error thrown by `produce`.
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
