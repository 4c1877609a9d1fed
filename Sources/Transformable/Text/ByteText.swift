package import Foundation

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
    /// Returns the bytes of a text, or nil if the text is not valid.
    ///
    /// White space is ignored, and so are bits beyond the last byte.
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
