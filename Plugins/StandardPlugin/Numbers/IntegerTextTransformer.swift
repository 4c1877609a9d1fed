public import Transformable

/// A transformer that converts integers to decimal text: digits with an optional leading `-`, without leading zeros.
public struct IntegerTextTransformer<Value: FixedWidthInteger>: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the digits of a number.
    public func encode(_ value: Value, in context: TransformContext) -> String {
        String(value)
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        var scanner = NumberScanner(encoded)
        let isNegative = scanner.takeMinus()
        try scanner.takeWholeNumber()
        try scanner.expectEnd()
        guard encoded != "-0", let value = Value(encoded) else {
            let isZero = isNegative && encoded == "-0"
            throw .invalidData(
                isZero ? "zero must not have a sign" : "the number must be from \(Value.min) to \(Value.max)",
                offset: 0
            )
        }
        return value
    }
}
