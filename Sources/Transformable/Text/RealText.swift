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
