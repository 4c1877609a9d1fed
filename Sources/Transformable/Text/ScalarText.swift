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

/// The text of a floating-point number.
package enum RealText {
    /// Parses a number.
    ///
    /// - Parameters:
    ///   - text: A text, such as `1.5e-3`, `inf`, or `nan`.
    ///   - type: The type of the number.
    /// - Returns: The nearest number, or nil if the text is not a number, or if a finite number would be rounded to
    ///   infinity or a nonzero number to zero.
    package static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: String,
        as type: Number.Type = Number.self
    ) -> Number? {
        guard let number = Number(text) else { return nil }
        // Infinity itself is written as letters.
        if number.isInfinite { return text.lowercased().contains("inf") ? number : nil }
        return number.isZero && hasSignificantDigit(text) ? nil : number
    }

    private static func hasSignificantDigit(_ text: String) -> Bool {
        let isHexadecimal = text.utf8.contains { $0 | 32 == UInt8(ascii: "x") }
        let exponent = UInt8(ascii: isHexadecimal ? "p" : "e")
        return text.utf8.prefix { $0 | 32 != exponent }
            .contains { byte in
                (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte)
                    || isHexadecimal && (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 32)
            }
    }
}

/// Bytes as pairs of hexadecimal digits.
package enum HexadecimalText {
    /// Returns the digits of bytes, two for each byte.
    package static func text(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        let ten = UInt8(ascii: uppercase ? "A" : "a")
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : ten + value - 10 }
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes of digits in upper or lower case, or nil if they are not pairs of digits.
    package static func bytes(of digits: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.underestimatedCount / 2)
        var first: UInt8?
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            if let high = first { bytes.append(high << 4 | value) }
            first = first == nil ? value : nil
        }
        return first == nil ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Bytes as base64 with padding (RFC 4648, section 4).
package enum Base64Text {
    /// Returns the bytes that base64 text represents, or nil if the text is not valid.
    ///
    /// Whitespace is ignored, and so are bits beyond the last byte.
    package static func bytes(of text: some Sequence<UInt8>) -> Data? {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.underestimatedCount)
        for byte in text where byte != 0x20 && byte != 0x0A && byte != 0x09 && byte != 0x0D { letters.append(byte) }
        // Foundation also accepts padding that is too long or before other letters, as in “AAAA=” and “AA=A”.
        let padding = UInt8(ascii: "=")
        let end = letters.suffix(2)
        guard letters.count.isMultiple(of: 4), !letters.dropLast(2).contains(padding),
            end.first != padding || end.last == padding
        else { return nil }
        return Data(base64Encoded: Data(letters))
    }
}

/// The text of a URL, including its base.
///
/// The text is that of the URL, such as `https://example.com/a`. For a URL that is relative to a base, it consists of
/// the relative part, a space (which no URL contains), and the base: `../b https://example.com/a/`.
package enum URLText {
    /// Returns the text of a URL.
    ///
    /// - Parameter url: A URL.
    /// - Returns: The text.
    package static func text(of url: URL) -> String {
        url.baseURL.map { "\(url.relativeString) \($0.absoluteString)" } ?? url.absoluteString
    }

    /// Parses a URL.
    ///
    /// - Parameter text: A text. No percent-encoding is added.
    /// - Returns: The URL, or nil if the text is not a URL.
    package static func url(_ text: String) -> URL? {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let urls = parts.compactMap { URL(string: $0, encodingInvalidCharacters: false) }
        guard urls.count == parts.count, let first = urls.first else { return nil }
        guard parts.count > 1 else { return first }
        let url = URL(string: parts[0], relativeTo: urls[1])
        return url?.baseURL == nil ? nil : url
    }
}
