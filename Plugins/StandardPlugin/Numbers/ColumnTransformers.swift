public import Transformable

/// A whole number of any type as a column's 64-bit integer.
public struct ColumnIntegerTransformer<Value: FixedWidthInteger>: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Ordered, as integers are.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// The number, if 64 bits with a sign hold it.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Int64 {
        guard let number = Int64(exactly: value) else { throw .invalidValue("the number exceeds a column's integer") }
        return number
    }

    /// The number, if the type holds it.
    public func decode(_ encoded: Int64, in context: TransformContext) throws(TransformerError) -> Value {
        guard let value = Value(exactly: encoded) else {
            throw .invalidData("the number is not from \(Value.min) to \(Value.max)")
        }
        return value
    }
}

/// A Boolean as a column's integer: 1 or 0.
public struct BoolColumnTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Ordered: false comes before true.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// 1 or 0.
    public func encode(_ value: Bool, in context: TransformContext) -> Int64 {
        value ? 1 : 0
    }

    /// What 1 or 0 stand for.
    public func decode(_ encoded: Int64, in context: TransformContext) throws(TransformerError) -> Bool {
        guard encoded == 0 || encoded == 1 else { throw .invalidData("a Boolean is 1 or 0, not \(encoded)") }
        return encoded == 1
    }
}

/// Digits as a column's integer; one-way, since leading zeros are lost.
public struct TextToIntegerTransformer: OneWayTransformer {
    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The number of the digits, with an optional `-` before them.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> Int64 {
        var scanner = NumberScanner(value)
        _ = scanner.takeMinus()
        do {
            try scanner.takeDigits()
            try scanner.expectEnd()
        } catch {
            throw .invalidValue("the text is not a whole number")
        }
        guard let number = Int64(value) else { throw .invalidValue("the number exceeds a column's integer") }
        return number
    }
}

/// A floating-point number of any type as a column's real.
public struct ColumnRealTransformer<Value: BinaryFloatingPoint>: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Ordered, as numbers are.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// The number; NaN, which columns do not hold, is refused.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Double {
        guard let number = Double(exactly: value) else { throw .invalidValue("a column does not hold \(value)") }
        return number
    }

    /// The number, if the type holds it.
    public func decode(_ encoded: Double, in context: TransformContext) throws(TransformerError) -> Value {
        guard let value = Value(exactly: encoded) else { throw .invalidData("\(Value.self) does not hold \(encoded)") }
        return value
    }
}

/// The text of a number as a column's real; one-way, since one number has many texts.
public struct TextToRealTransformer: OneWayTransformer {
    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .deterministic }

    /// The number, in JSON's grammar.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> Double {
        do {
            return try DoubleTextTransformer().decode(value, in: context)
        } catch {
            throw .invalidValue("the text is not a number that a column holds: \(error.message)")
        }
    }
}
