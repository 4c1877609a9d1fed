public import Foundation
public import Transformable

/// A transformer that converts a `Decimal` to its exact text, such as `-12.5`, without an exponent or leading or
/// trailing zeros.
///
/// It parses any number in JSON's grammar that a `Decimal` can represent exactly: up to 38 significant digits, or 39 if
/// they do not exceed 2¹²⁸ − 1, and exponents from −128 to 127. NaN is an error.
public struct DecimalTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the text of a number.
    public func encode(_ value: Decimal, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("NaN cannot be written as decimal text") }
        return DecimalText.text(of: value)
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Decimal {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        return try DecimalText.decimal(encoded)
    }
}
