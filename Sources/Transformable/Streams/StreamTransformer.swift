public import Foundation

/// A transformer of bytes to bytes that also takes them in pieces, for values too large for memory.
///
/// What a stream gives, put together, is what ``Transformer/decode(_:in:)`` opens, and a decoding
/// stream opens what ``OneWayTransformer/encode(_:in:)`` gave; the encoded bytes need not be the same.
///
/// A composition streams if both of its parts do. In an expression the last stages that stream are
/// used so where values are large: of `png | gzip | sealed` the picture is encoded whole, and its
/// file compressed and sealed in pieces.
public protocol StreamTransformer: Transformer where Value == Data, Encoded == Data {
    /// Begins to encode a value.
    ///
    /// - Parameter context: Where the value lives.
    /// - Returns: A stream from the value's bytes to encoded ones.
    /// - Throws: ``TransformerError``.
    func encodingStream(in context: TransformContext) throws -> any ByteStream

    /// Begins to decode a value.
    ///
    /// - Parameter context: Where the value lives; for a contextual transformer the same as when it was encoded.
    /// - Returns: A stream from encoded bytes, possibly damaged or hostile, to the value's.
    /// - Throws: ``TransformerError``.
    func decodingStream(in context: TransformContext) throws -> any ByteStream
}

extension IdentityTransformer: StreamTransformer where Value == Data {
    /// Gives what it takes.
    public func encodingStream(in context: TransformContext) -> any ByteStream { IdentityStream() }

    /// Gives what it takes.
    public func decodingStream(in context: TransformContext) -> any ByteStream { IdentityStream() }
}

extension ComposedTransformer: StreamTransformer where First: StreamTransformer, Second: StreamTransformer {
    /// Encodes by the first transformer, then by the second.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        let plain = try plainStream { try first.encodingStream(in: context) }
        return PipedStream(plain, try second.encodingStream(in: context))
    }

    /// Decodes by the second transformer, then by the first.
    public func decodingStream(in context: TransformContext) throws -> any ByteStream {
        let outer = try second.decodingStream(in: context)
        return PipedStream(outer, try plainStream { try first.decodingStream(in: context) })
    }

    /// A stream of the first transformer, which shows no more than it may.
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
