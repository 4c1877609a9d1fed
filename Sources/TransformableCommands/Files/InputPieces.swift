internal import Foundation
internal import Transformable

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
    /// A file is written atomically. Standard output receives no part of a result that fails within its first mebibyte.
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

/// Encoding and decoding piece by piece.
extension ValueCodec {
    /// The transformer that processes large values piece by piece, or nil if the value or the encoded form is not plain
    /// bytes.
    var pieces: (any StreamTransformer)? {
        guard resolved.valueType == Data.self, resolved.encodedType == Data.self, !hasTextForm,
            let streamed = resolved.streamed, streamed.head == nil
        else { return nil }
        return streamed.tail
    }

    /// Encodes a large input piece by piece.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - stages: The transformer.
    ///   - put: A closure that is called with the encoded bytes.
    /// - Throws: `TransformerError` if the input cannot be encoded, ``CommandError`` if it cannot be read, and any
    ///   error thrown by `put`.
    func encode(_ input: InputPieces, by stages: any StreamTransformer, _ put: (Data) throws -> Void) throws {
        try run(stages.encodingStream(in: .none), on: input, put)
    }

    /// Decodes an input piece by piece.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - stages: The transformer.
    ///   - put: A closure that is called with the bytes of the value. They are complete only if this method does not
    ///     throw.
    /// - Throws: `TransformerError` if the input cannot be decoded, ``CommandError`` if it cannot be read, and any
    ///   error thrown by `put`.
    func decode(_ input: InputPieces, by stages: any StreamTransformer, _ put: (Data) throws -> Void) throws {
        try run(stages.decodingStream(in: .none), on: input, put)
    }

    private func run(_ stream: any ByteStream, on input: InputPieces, _ put: (Data) throws -> Void) throws {
        try named(input.source) {
            while let piece = try input.next() { try stream.push(piece, into: put) }
            try stream.finish(into: put)
        }
    }
}
