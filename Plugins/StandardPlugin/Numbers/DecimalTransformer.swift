public import Foundation
public import Transformable

/// A `Decimal` as its exact text: `-12.5`, without exponent, leading or trailing zeros.
///
/// Reads any number of JSON's grammar that a `Decimal` holds exactly: up to 38 significant digits, 39 if they are
/// not above 2¹²⁸ − 1, and exponents from −128 to 127. NaN is refused.
public struct DecimalTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The number's text.
    public func encode(_ value: Decimal, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("NaN has no decimal text") }
        return DecimalText.text(of: value)
    }

    /// The text's number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Decimal {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        return try DecimalText.decimal(encoded)
    }
}
