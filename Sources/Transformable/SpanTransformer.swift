public import Foundation

/// A transformer that decodes bytes in place, without requiring that they are copied to `Data` first.
///
/// A store passes the bytes of a row directly, which saves two allocations per value. A composition conforms to this
/// protocol if its second transformer does, because that transformer takes the bytes.
///
/// ```swift
/// struct SeverityTransformer: SpanTransformer {
///     let traits: TransformerTraits = .plain
///
///     func encode(_ value: UInt8, in context: TransformContext) -> Data { Data([value]) }
///
///     func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws(TransformerError) -> UInt8 {
///         guard encoded.count == 1 else { throw .invalidData("a severity must be one byte", offset: encoded.count) }
///         return encoded[0]
///     }
/// }
/// ```
public protocol SpanTransformer<Value>: Transformer where Encoded == Data {
    /// Decodes bytes.
    ///
    /// - Parameters:
    ///   - encoded: The bytes, which can be damaged or malicious. Their indices start at 0.
    ///   - context: The context of the value. For a contextual transformer, it must be the same as for encoding.
    /// - Returns: The value.
    /// - Throws: ``TransformerError``, usually with the code ``TransformerError/Code/invalidData`` and an offset, if
    ///   the bytes are invalid.
    func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Value
}

extension SpanTransformer {
    /// Decodes the bytes without copying them.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        try decode(encoded.span, in: context)
    }
}

extension ComposedTransformer: SpanTransformer where First: Transformer, Second: SpanTransformer {
    /// Decodes an encoded form with the second transformer, then with the first.
    public func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> First.Value {
        let middle = try second.decode(encoded, in: context)
        return try decodeFirst(middle, in: context)
    }
}

extension StageTransformer: SpanTransformer where Base: SpanTransformer {
    func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Base.Value {
        do {
            return try base.decode(encoded, in: context)
        } catch {
            throw named(error, .invalidData)
        }
    }
}
