/// Writes doubles with the fewest digits that read back to the same bits.
enum ShortestNumber {
    /// Integers below this have at most 15 digits, all of them exact.
    private static let integerLimit = 1e15

    static func append(_ number: Double, to text: inout String) {
        if number.magnitude < integerLimit, number == number.rounded(.towardZero) {
            appendInteger(number, to: &text)
        } else if number.isNaN {
            appendNaN(number, to: &text)
        } else {
            appendFraction(number, to: &text)
        }
    }

    private static func appendInteger(_ number: Double, to text: inout String) {
        if number == 0, number.sign == .minus {
            text += "-0"
        } else {
            text += Int64(number).description
        }
    }

    /// As Swift describes it, without the `.0` of large integers; infinities are `inf` and `-inf`.
    private static func appendFraction(_ number: Double, to text: inout String) {
        let digits = number.description
        text += digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]
    }

    /// As Swift describes it: `nan`, `-nan`, `nan(0x…)`, and `snan(0x…)` for a signaling one.
    private static func appendNaN(_ number: Double, to text: inout String) {
        let payload = number.bitPattern & NaNBits.payload
        text += number.sign == .minus ? "-" : ""
        text += number.bitPattern & NaNBits.quiet == 0 ? "snan" : "nan"
        text += payload == 0 ? "" : "(0x\(String(payload, radix: 16)))"
    }
}

/// The parts of a NaN's bit pattern (IEEE 754-2019, section 6.2.1).
enum NaNBits {
    static let sign: UInt64 = 1 << 63
    static let exponent: UInt64 = 0x7FF << 52
    static let quiet: UInt64 = 1 << 51
    static let payload: UInt64 = quiet - 1
}
