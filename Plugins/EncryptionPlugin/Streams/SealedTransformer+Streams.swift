internal import Foundation
public import Transformable

extension SealedTransformer {
    /// Begins to seal bytes as they come.
    ///
    /// - Parameter context: The place to bind the value to.
    /// - Returns: The stream.
    /// - Throws: `TransformerError` with `missing-key`, or `unsupported` for deterministic values and for
    ///   those to a public key.
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

    /// Begins to open bytes as they come.
    ///
    /// - Parameter context: The place the value was sealed for, all of it.
    /// - Returns: The stream; it opens values that were sealed in chunks.
    /// - Throws: `TransformerError` with `unsupported` for deterministic values and for those to a public key.
    public func openingStream(in context: TransformContext) throws -> OpeningStream {
        try checkStreams()
        return stream(SealedBinding(context, includingObject: true))
    }

    /// Opens a value that was sealed in chunks, in one piece.
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
            let message = "deterministic values and those to a public key are sealed in one piece, not in chunks"
            throw TransformerError(.unsupported, message)
        }
    }
}
