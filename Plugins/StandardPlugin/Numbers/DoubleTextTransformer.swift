public import Transformable

/// A transformer that converts numbers to the shortest decimal text that represents them exactly: `0.1`, `5e-324`,
/// `-0.0`.
///
/// It parses any number in JSON's grammar. NaN and infinities have no such text and are errors, as are numbers that are
/// out of range for a double.
public struct DoubleTextTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because 0 and −0 are equal, but keep their text.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the text of a number.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) cannot be written as decimal text") }
        return value.description
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Double {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        guard let value = Double(encoded), value.isFinite else {
            throw .invalidData("the number is out of range for a double", offset: 0)
        }
        return value
    }
}
