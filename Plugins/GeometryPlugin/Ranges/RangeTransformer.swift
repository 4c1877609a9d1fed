public import Transformable

/// A transformer that converts a range to its location and length in braces, as in `{2, 5}`.
///
/// The text is the same as that of Apple's `NSStringFromRange`. Spaces between the parts are ignored when it is parsed.
public struct RangeTransformer<Value: IntegerRange>: Transformer {
    /// Creates a transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// Equal ranges have equal texts.
    public var traits: TransformerTraits { .plain }

    /// Encodes a range as text.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> String {
        let (location, length) = try value.validParts()
        return "{\(location), \(length)}"
    }

    /// Parses a range.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        let (location, length) = try RangeText.parts(of: encoded)
        return Value(location: location, length: length)
    }
}
