internal import Foundation
internal import Transformable

/// Bytes that are encoded and decoded in pieces.
extension ValueCodec {
    /// What takes large values in pieces: all stages, where value and encoded form are bytes as they are.
    var pieces: (any StreamTransformer)? {
        guard resolved.valueType == Data.self, resolved.encodedType == Data.self, !hasTextForm,
            let streamed = resolved.streamed, streamed.head == nil
        else { return nil }
        return streamed.tail
    }

    /// Encodes a large input in pieces.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - stages: What encodes it.
    ///   - put: Takes the encoded bytes.
    /// - Throws: `TransformerError`, ``CommandError``, and what the function throws.
    func encode(_ input: InputPieces, by stages: any StreamTransformer, _ put: (Data) throws -> Void) throws {
        try run(stages.encodingStream(in: .none), on: input, put)
    }

    /// Decodes an input in pieces.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - stages: What decodes it.
    ///   - put: Takes the value's bytes. They are whole only if this does not throw.
    /// - Throws: `TransformerError`, ``CommandError``, and what the function throws.
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
