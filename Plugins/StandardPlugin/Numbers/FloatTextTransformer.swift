public import Transformable

/// A number as the shortest decimal text that reads back to the same bits: `0.1`, `1e-45`, `-0.0`.
///
/// Reads any number of JSON's grammar. NaN and the infinities have no such text and are refused, as is
/// a text beyond a float's range.
public struct FloatTextTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Not canonical: 0 and −0 are equal, and each keeps its text.
    public var traits: TransformerTraits { .deterministic }

    /// The number's text.
    public func encode(_ value: Float, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) has no decimal text") }
        return value.description
    }

    /// The text's number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Float {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        guard let value = Float(encoded), value.isFinite else {
            throw .invalidData("the number exceeds a float's range", offset: 0)
        }
        return value
    }
}
