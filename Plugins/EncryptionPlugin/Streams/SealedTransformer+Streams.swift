internal import Foundation
public import Transformable

extension SealedTransformer {
    /// Returns a stream that seals a value piece by piece.
    ///
    /// - Parameter context: The location to bind the value to.
    /// - Returns: The stream.
    /// - Throws: `TransformerError` with the code `missing-key` if the ring does not contain the key, or `unsupported`
    ///   if values are deterministic or sealed to a public key.
    public func sealingStream(in context: TransformContext) throws -> SealingStream {
        try checkStreams()
        let entry = try keys.primary(named: key)
        let binding = SealedBinding(context, includingObject: true)
        let header = SealedHeader(
            suite: .chunked,
            flags: padding == .none ? [] : .padded,
            parts: binding.parts,
            key: entry.generation.id
        )
        return try SealingStream(header, keys.subkey(of: entry, for: .chunks, in: binding), binding, padding)
    }

    /// Returns a stream that opens a value piece by piece.
    ///
    /// - Parameter context: The complete location that the value was sealed for.
    /// - Returns: The stream, which opens values that were sealed in chunks.
    /// - Throws: `TransformerError` with the code `unsupported` if values are deterministic or sealed to a public key.
    public func openingStream(in context: TransformContext) throws -> OpeningStream {
        try checkStreams()
        return stream(SealedBinding(context, includingObject: true))
    }

    /// Opens a value that was sealed in chunks, as a whole.
    func decodeChunks(_ sealed: UnsafeRawBufferPointer, _ binding: SealedBinding) throws -> Data {
        var stream = stream(binding)
        var plaintext = Data()
        var rest = unsafe sealed[...]
        while unsafe !rest.isEmpty {
            plaintext += try stream.open(unsafe Data(rest.prefix(Self.pieceCount)))
            unsafe rest = rest.dropFirst(Self.pieceCount)
        }
        return try plaintext + stream.finish()
    }

    private static var pieceCount: Int { 1 << 20 }

    private func stream(_ binding: SealedBinding) -> OpeningStream {
        OpeningStream(binding) { [keys] header in
            try keys.subkey(of: keys.entry(header.key), for: .chunks, in: binding)
        }
    }

    private func checkStreams() throws {
        guard kind == .ordinary else {
            let message = "deterministic values and values to a public key cannot be sealed in chunks"
            throw TransformerError(.unsupported, message)
        }
    }
}

extension SealedTransformer: StreamTransformer {
    /// Returns a stream that seals in chunks.
    ///
    /// Deterministic values and values to a public key are sealed as a whole at the end.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        guard kind == .ordinary else { return CollectingStream { try encode($0, in: context) } }
        return SealingByteStream(try sealingStream(in: context))
    }

    /// Returns a stream that opens values, whether they were sealed in chunks or as a whole.
    public func decodingStream(in context: TransformContext) throws -> any ByteStream {
        OpeningByteStream(self, context)
    }
}

/// A stream that seals in chunks.
private final class SealingByteStream: ByteStream {
    // Nil after the stream has ended.
    private var stream: SealingStream?

    init(_ stream: consuming SealingStream) {
        self.stream = consume stream
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        guard let sealed = try stream?.seal(bytes), !sealed.isEmpty else { return }
        try output(sealed)
    }

    func finish(into output: (Data) throws -> Void) throws {
        guard let stream = stream.take() else { return }
        try output(stream.finish())
    }
}

/// A stream that opens values that were sealed in chunks or as a whole, as determined by their headers.
private final class OpeningByteStream: ByteStream {
    private enum State: ~Copyable {
        case header(Data)
        case chunks(OpeningStream)
        case whole(CollectingStream)
        case ended
    }

    /// The number of bytes required to determine how a value was sealed.
    ///
    /// A shorter value is opened as a whole.
    private static let startCount = SealedHeader.Suite.recipient.bodyOffset + XChaCha20Poly1305.tagCount

    private let transformer: SealedTransformer
    private let context: TransformContext
    private var state = State.header(Data())

    init(_ transformer: SealedTransformer, _ context: TransformContext) {
        self.transformer = transformer
        self.context = context
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        let current = take()
        switch consume current {
        case .header(let start):
            let start = start + bytes
            guard start.count >= Self.startCount else {
                state = .header(start)
                return
            }
            try begin(with: start)
            try push(start, into: output)
        case .chunks(var stream):
            // A failed stream is discarded, so that it cannot open anything else.
            let plain = try stream.open(bytes)
            state = .chunks(stream)
            if !plain.isEmpty { try output(plain) }
        case .whole(let stream):
            stream.push(bytes, into: output)
            state = .whole(stream)
        case .ended: throw TransformerError.doesNotOpen
        }
    }

    func finish(into output: (Data) throws -> Void) throws {
        let current = take()
        switch consume current {
        case .header(let start): try output(transformer.decode(start, in: context))
        case .chunks(let stream): try output(stream.finish())
        case .whole(let stream): try stream.finish(into: output)
        case .ended: throw TransformerError.doesNotOpen
        }
    }

    private func take() -> State {
        var taken = State.ended
        swap(&taken, &state)
        return taken
    }

    private func begin(with start: Data) throws {
        let header = try unsafe start.withUnsafeBytes { try unsafe SealedHeader($0) }
        if header.suite == .chunked, transformer.kind == .ordinary {
            state = .chunks(try transformer.openingStream(in: context))
        } else {
            let (transformer, context) = (transformer, context)
            state = .whole(CollectingStream { try transformer.decode($0, in: context) })
        }
    }
}
