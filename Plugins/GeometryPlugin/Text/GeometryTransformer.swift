public import Transformable

/// A geometry value as text in braces: `{3, 4}`, `{{1, 2}, {3, 4}}`.
///
/// Writes what Apple's `NSStringFromRect` and its kin write, with numbers that read back to the same
/// bits. Reads whatever those functions print, in any ``NumberStyle`` and with spaces anywhere
/// between the parts; everything else is an error with its offset.
public struct GeometryTransformer<Value: GeometryValue>: Transformer {
    /// How numbers are written.
    public let style: NumberStyle

    /// Makes a transformer to text.
    ///
    /// - Parameter style: How numbers are written.
    public init(style: NumberStyle = .shortest) {
        self.style = style
    }

    /// Repeats itself, and is not canonical.
    ///
    /// 0 and -0 are equal and written apart, as are a rect of negative size and the one that covers the same.
    /// The style ``NumberStyle/apple`` is lossy: it forgets the sign and payload of a NaN.
    public var traits: TransformerTraits {
        style == .apple ? [.deterministic, .lossy] : [.deterministic]
    }

    /// The numbers in braces.
    public func encode(_ value: Value, in context: TransformContext) -> String {
        GeometryText.text(of: value.numbers, Value.layout, style)
    }

    /// The value of numbers in braces.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        Value(numbers: try GeometryText.numbers(of: encoded, Value.layout))
    }
}
