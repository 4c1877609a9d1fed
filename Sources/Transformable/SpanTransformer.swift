public import Foundation

/// A transformer that decodes bytes where they lie: whoever has them somewhere need not make `Data` of them first.
///
/// A store lends the bytes of a row it has read, which saves two allocations for each value. A composition does it
/// if its second part can, since that is the one which takes the bytes.
///
/// ```swift
/// struct SeverityTransformer: SpanTransformer {
///     let traits: TransformerTraits = .plain
///
///     func encode(_ value: UInt8, in context: TransformContext) -> Data { Data([value]) }
///
///     func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws(TransformerError) -> UInt8 {
///         guard encoded.count == 1 else { throw .invalidData("a severity is one byte", offset: encoded.count) }
///         return encoded[0]
///     }
/// }
/// ```
public protocol SpanTransformer<Value>: Transformer where Encoded == Data {
    /// Gives the value of encoded bytes.
    ///
    /// - Parameters:
    ///   - encoded: The bytes, possibly damaged or hostile; its indices begin at 0.
    ///   - context: Where the value lives; for a contextual transformer the same as when it was encoded.
    /// - Returns: The value.
    /// - Throws: ``TransformerError``, usually with ``TransformerError/Code/invalidData`` and an offset.
    func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Value
}

extension SpanTransformer {
    /// Decodes the bytes where they lie.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Value {
        try decode(encoded.span, in: context)
    }
}

extension ComposedTransformer: SpanTransformer where First: Transformer, Second: SpanTransformer {
    /// Decodes by the second transformer, then by the first.
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
