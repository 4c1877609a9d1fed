public import Transformable

/// A number as the shortest decimal text that reads back to the same bits: `0.1`, `5e-324`, `-0.0`.
///
/// Reads any number of JSON's grammar. NaN and the infinities have no such text and are refused, as is
/// a text beyond a double's range.
public struct DoubleTextTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Not canonical: 0 and −0 are equal, and each keeps its text.
    public var traits: TransformerTraits { .deterministic }

    /// The number's text.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) has no decimal text") }
        return value.description
    }

    /// The text's number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Double {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        guard let value = Double(encoded), value.isFinite else {
            throw .invalidData("the number exceeds a double's range", offset: 0)
        }
        return value
    }
}
