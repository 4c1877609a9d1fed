internal import Foundation
internal import Transformable

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
