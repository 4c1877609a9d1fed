public import Transformable

/// A range as text, location and length in braces: `{2, 5}`.
///
/// Writes what Apple's `NSStringFromRange` writes, and reads it with spaces anywhere between the parts.
public struct RangeTransformer<Value: IntegerRange>: Transformer {
    /// Makes a transformer to text.
    public init() {}

    /// Equal ranges have equal texts.
    public var traits: TransformerTraits { .plain }

    /// Location and length in braces.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> String {
        let (location, length) = try value.validParts()
        return "{\(location), \(length)}"
    }

    /// The range of location and length in braces.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        let (location, length) = try RangeText.parts(of: encoded)
        return Value(location: location, length: length)
    }
}
