public import Foundation

/// A transformer of bytes that can process values piece by piece if they are too large for memory.
///
/// The output of an encoding stream can be decoded with ``Transformer/decode(_:in:)``, and a decoding stream can decode
/// the result of ``OneWayTransformer/encode(_:in:)``. The two encoded forms can differ.
///
/// A composition conforms to this protocol if both of its transformers do. For large values, the streaming stages at
/// the end of an expression are used piece by piece: in `png | gzip | sealed`, the image is encoded as a whole, and the
/// resulting file is compressed and sealed piece by piece.
public protocol StreamTransformer: Transformer where Value == Data, Encoded == Data {
    /// Returns a stream that encodes a value.
    ///
    /// - Parameter context: The context of the value.
    /// - Returns: A stream that turns the bytes of the value into encoded bytes.
    /// - Throws: ``TransformerError`` if the value cannot be encoded.
    func encodingStream(in context: TransformContext) throws -> any ByteStream

    /// Returns a stream that decodes a value.
    ///
    /// - Parameter context: The context of the value. For a contextual transformer, it must be the same as for
    ///   encoding.
    /// - Returns: A stream that turns encoded bytes, which can be damaged or malicious, into the bytes of the value.
    /// - Throws: ``TransformerError`` if the value cannot be decoded.
    func decodingStream(in context: TransformContext) throws -> any ByteStream
}

extension IdentityTransformer: StreamTransformer where Value == Data {
    /// Returns a stream that passes its input through unchanged.
    public func encodingStream(in context: TransformContext) -> any ByteStream { IdentityStream() }

    /// Returns a stream that passes its input through unchanged.
    public func decodingStream(in context: TransformContext) -> any ByteStream { IdentityStream() }
}

extension ComposedTransformer: StreamTransformer where First: StreamTransformer, Second: StreamTransformer {
    /// Returns a stream that encodes with the first transformer, then with the second.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        let plain = try plainStream { try first.encodingStream(in: context) }
        return PipedStream(plain, try second.encodingStream(in: context))
    }

    /// Returns a stream that decodes with the second transformer, then with the first.
    public func decodingStream(in context: TransformContext) throws -> any ByteStream {
        let outer = try second.decodingStream(in: context)
        return PipedStream(outer, try plainStream { try first.decodingStream(in: context) })
    }

    /// Returns a stream of the first transformer whose errors do not reveal confidential values.
    private func plainStream(_ make: () throws -> any ByteStream) throws -> any ByteStream {
        do {
            return RewritingStream(try make(), onPlainSide)
        } catch {
            throw onPlainSide(error)
        }
    }
}

extension StageTransformer: StreamTransformer where Base: StreamTransformer {
    func encodingStream(in context: TransformContext) throws -> any ByteStream {
        do {
            return RewritingStream(try base.encodingStream(in: context)) { named($0, .invalidValue) }
        } catch {
            throw named(error, .invalidValue)
        }
    }

    func decodingStream(in context: TransformContext) throws -> any ByteStream {
        do {
            return RewritingStream(try base.decodingStream(in: context)) { named($0, .invalidData) }
        } catch {
            throw named(error, .invalidData)
        }
    }
}

/// The stages of an expression, divided into those that need large values as a whole and those that process them piece
/// by piece.
public struct StreamedStages: Sendable {
    /// The stages before ``tail`` combined, which produce bytes, or nil if there are none.
    public let head: (any OneWayTransformer)?
    /// The last stages combined, all of which can process values piece by piece.
    public let tail: any StreamTransformer
}
