public import Transformable

/// A transformer that converts a geometry value to text in braces, such as `{3, 4}` or `{{1, 2}, {3, 4}}`.
///
/// The text has the format of Apple's `NSStringFromRect` and similar functions, with numbers that represent the values
/// exactly. Every text that these functions return can be parsed, in any ``NumberStyle`` and with spaces between the
/// parts. Any other text is an error, which includes an offset.
public struct GeometryTransformer<Value: GeometryValue>: Transformer {
    /// How numbers are written.
    public let style: NumberStyle

    /// Creates a transformer.
    ///
    /// - Parameter style: How numbers are written.
    public init(style: NumberStyle = .shortest) {
        self.style = style
    }

    /// The traits of the transformer.
    ///
    /// It is deterministic, but not canonical.
    ///
    /// The values 0 and -0 are equal but have different texts, as do a rectangle with a negative size and the
    /// standardized rectangle. The style ``NumberStyle/apple`` is lossy, because it discards the sign and the payload
    /// of a NaN.
    public var traits: TransformerTraits {
        style == .apple ? [.deterministic, .lossy] : [.deterministic]
    }

    /// Encodes a value as text.
    public func encode(_ value: Value, in context: TransformContext) -> String {
        GeometryText.text(of: value.numbers, Value.layout, style)
    }

    /// Parses a value.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        Value(numbers: try GeometryText.numbers(of: encoded, Value.layout))
    }
}

/// How numbers are written in text.
///
/// All styles can be parsed.
public enum NumberStyle: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The fewest digits that represent the number exactly: `0.1`, `3`, `1e-05`, `nan(0x1)`.
    case shortest
    /// C's `%.17g`, which Apple's frameworks use for the numbers in an `NSValue`: `0.10000000000000001`.
    ///
    /// It preserves all bits, except the sign and the payload of a NaN.
    case apple
}

extension NumberStyle {
    func write(_ number: Double, to writer: inout TextWriter) {
        switch self {
        case .shortest: ShortestNumber.write(number, to: &writer)
        case .apple: PrintedNumber.write(number, to: &writer)
        }
    }
}
