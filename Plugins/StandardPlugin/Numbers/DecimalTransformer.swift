public import Foundation
public import Transformable

/// A `Decimal` as its exact text: `-12.5`, without exponent, leading or trailing zeros.
///
/// Reads any number of JSON's grammar that a `Decimal` holds exactly: up to 38 significant digits, 39 if they are
/// not above 2¹²⁸ − 1, and exponents from −128 to 127. NaN is refused.
public struct DecimalTransformer: Transformer {
    private static let mostDigits = 38
    private static let locale = Locale(identifier: "en_US_POSIX")

    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The number's text.
    public func encode(_ value: Decimal, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("NaN has no decimal text") }
        let text = value.description
        guard text.contains(".") else { return text }
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "0") }.drop { $0 == UInt8(ascii: ".") }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// The text's number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Decimal {
        var scanner = NumberScanner(encoded)
        let exponentStart = try scanner.takeNumber()
        try scanner.expectEnd()
        let mantissa = encoded.utf8.prefix(exponentStart ?? encoded.utf8.count)
        let digits = Self.significantDigits(of: mantissa)
        guard digits.count <= Self.mostDigits + 1 else { throw Self.tooManyDigits }
        guard let value = Decimal(string: Self.trimmed(encoded, mantissa), locale: Self.locale), value.isFinite,
            value.isZero == mantissa.allSatisfy({ !(0x31...0x39).contains($0) })
        else {
            throw .invalidData("the number exceeds the range of decimals", offset: 0)
        }
        guard digits.count <= Self.mostDigits || Self.significantDigits(of: value.description.utf8) == digits else {
            throw Self.tooManyDigits
        }
        return value
    }

    private static var tooManyDigits: TransformerError {
        let most = "340282366920938463463374607431768211455"
        return .invalidData(
            "a decimal holds \(mostDigits) significant digits, and of 39 those up to \(most)",
            offset: 0
        )
    }

    private static func significantDigits(of mantissa: some Sequence<UInt8>) -> [UInt8] {
        let digits = mantissa.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
        return digits.reversed().drop { $0 == 0x30 }.reversed()
    }

    /// Foundation counts the zeros at a fraction's end as digits, so they go first.
    private static func trimmed(_ text: String, _ mantissa: Substring.UTF8View) -> String {
        guard mantissa.contains(UInt8(ascii: ".")) else { return text }
        let digits = mantissa.reversed().drop { $0 == 0x30 }.drop { $0 == UInt8(ascii: ".") }.reversed()
        return String(decoding: digits, as: UTF8.self) + text.dropFirst(mantissa.count)
    }
}
