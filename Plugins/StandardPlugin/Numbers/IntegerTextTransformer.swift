public import Transformable

/// A whole number as decimal text: digits after an optional `-`, without leading zeros.
public struct IntegerTextTransformer<Value: FixedWidthInteger>: Transformer {
    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The number's digits.
    public func encode(_ value: Value, in context: TransformContext) -> String {
        String(value)
    }

    /// The digits' number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        var scanner = NumberScanner(encoded)
        let isNegative = scanner.takeMinus()
        try scanner.takeWholeNumber()
        try scanner.expectEnd()
        guard encoded != "-0", let value = Value(encoded) else {
            let isZero = isNegative && encoded == "-0"
            throw .invalidData(
                isZero ? "zero has no sign" : "the number is not from \(Value.min) to \(Value.max)",
                offset: 0
            )
        }
        return value
    }
}
