package import Foundation

/// The text of a decimal number, with all of its digits.
///
/// A decimal number has up to 38 significant digits, or 39 if they do not exceed 2¹²⁸ − 1, and an exponent from −128 to
/// 127.
package enum DecimalText {
    private static let mostDigits = 38
    private static let locale = Locale(identifier: "en_US_POSIX")

    /// Returns the text of a number without an exponent, and without trailing zeros in the fraction.
    ///
    /// - Parameter number: A number.
    /// - Returns: The text, which is the same for equal numbers, or `NaN`.
    package static func text(of number: Decimal) -> String {
        let text = number.description
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "0") }.drop { $0 == UInt8(ascii: ".") }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Parses a number, which consists of a sign, digits, a decimal point, and an exponent.
    ///
    /// - Parameter text: A text.
    /// - Returns: The exact number.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData` if the text is not a number, or
    ///   the number cannot be represented as a decimal.
    package static func decimal(_ text: String) throws(TransformerError) -> Decimal {
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
        guard isNumber, Double(text) != nil else { throw .invalidData("the text is not a decimal number") }
        let mantissa = text.utf8.prefix { $0 | 32 != UInt8(ascii: "e") }
        let digits = significantDigits(of: mantissa)
        guard !digits.isEmpty else { return 0 }
        guard digits.count <= mostDigits + 1 else { throw tooManyDigits }
        guard let value = Decimal(string: trimmed(text, mantissa), locale: locale), value.isFinite,
            !value.isZero
        else { throw .invalidData("the number is out of range for a decimal number", offset: 0) }
        // A number with too many digits would be rounded, which changes its digits.
        guard digits.count <= mostDigits || significantDigits(of: value.description.utf8) == digits else {
            throw tooManyDigits
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
        let digits = mantissa.filter { (48...57).contains($0) }.drop { $0 == 48 }
        return digits.reversed().drop { $0 == 48 }.reversed()
    }

    /// Removes trailing zeros from the fraction, because Foundation counts them as digits.
    private static func trimmed(_ text: String, _ mantissa: Substring.UTF8View) -> String {
        guard mantissa.contains(UInt8(ascii: ".")) else { return text }
        let digits = mantissa.reversed().drop { $0 == 48 }.drop { $0 == UInt8(ascii: ".") }.reversed()
        return String(decoding: digits, as: UTF8.self) + text.dropFirst(mantissa.count)
    }
}
