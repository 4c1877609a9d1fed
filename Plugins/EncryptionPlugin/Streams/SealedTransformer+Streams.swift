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
