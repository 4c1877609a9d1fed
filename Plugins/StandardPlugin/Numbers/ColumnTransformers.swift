public import Transformable

/// A transformer that converts integers of any type to the 64-bit integers of a column.
public struct ColumnIntegerTransformer<Value: FixedWidthInteger>: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is ordered, like integers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the number if it fits in a signed 64-bit integer.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Int64 {
        guard let number = Int64(exactly: value) else { throw .invalidValue("the number is out of range for a column") }
        return number
    }

    /// Returns the number if it fits in the value type.
    public func decode(_ encoded: Int64, in context: TransformContext) throws(TransformerError) -> Value {
        guard let value = Value(exactly: encoded) else {
            throw .invalidData("the number must be from \(Value.min) to \(Value.max)")
        }
        return value
    }
}

/// A transformer that converts Booleans to the integers 1 and 0 of a column.
public struct BoolColumnTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is ordered: false precedes true.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns 1 or 0.
    public func encode(_ value: Bool, in context: TransformContext) -> Int64 {
        value ? 1 : 0
    }

    /// Returns the Boolean for 1 or 0.
    public func decode(_ encoded: Int64, in context: TransformContext) throws(TransformerError) -> Bool {
        guard encoded == 0 || encoded == 1 else { throw .invalidData("a Boolean must be 1 or 0, not \(encoded)") }
        return encoded == 1
    }
}

/// A one-way transformer that converts digits to the integers of a column.
///
/// Leading zeros are lost.
public struct TextToIntegerTransformer: OneWayTransformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the number for digits with an optional leading `-`.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> Int64 {
        var scanner = NumberScanner(value)
        _ = scanner.takeMinus()
        do {
            try scanner.takeDigits()
            try scanner.expectEnd()
        } catch {
            throw .invalidValue("the text is not an integer")
        }
        guard let number = Int64(value) else { throw .invalidValue("the number is out of range for a column") }
        return number
    }
}

/// A transformer that converts floating-point numbers of any type to the reals of a column.
public struct ColumnRealTransformer<Value: BinaryFloatingPoint>: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is ordered, like numbers.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// Returns the number.
    ///
    /// NaN is an error, because columns cannot contain it.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Double {
        guard let number = Double(exactly: value) else { throw .invalidValue("a column cannot contain \(value)") }
        return number
    }

    /// Returns the number if it fits in the value type.
    public func decode(_ encoded: Double, in context: TransformContext) throws(TransformerError) -> Value {
        guard let value = Value(exactly: encoded) else {
            throw .invalidData("\(Value.self) cannot represent \(encoded)")
        }
        return value
    }
}

/// A one-way transformer that converts numbers that are written as text to the reals of a column.
public struct TextToRealTransformer: OneWayTransformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .deterministic }

    /// Parses a number in JSON's grammar.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> Double {
        do {
            return try DoubleTextTransformer().decode(value, in: context)
        } catch {
            throw .invalidValue("the text is not a number that a column can contain: \(error.message)")
        }
    }
}

/// A transformer that converts Booleans to two words, which are `1` and `0` by default.
public struct BoolTransformer: Transformer {
    private let yes: String
    private let no: String

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - yes: The word for true.
    ///   - no: The word for false.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if both words are the same.
    public init(true yes: String = "1", false no: String = "0") throws(TransformerError) {
        guard yes != no else {
            throw TransformerError(.invalidArgument, "the words for true and false must be different")
        }
        self.yes = yes
        self.no = no
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the word for a Boolean.
    public func encode(_ value: Bool, in context: TransformContext) -> String {
        value ? yes : no
    }

    /// Returns the Boolean for a word.
    ///
    /// Any other word, or a different letter case, is an error.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Bool {
        switch encoded {
        case yes: true
        case no: false
        default: throw .invalidData("expected “\(yes)” or “\(no)”", offset: 0)
        }
    }
}
