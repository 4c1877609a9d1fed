internal import Foundation

/// Writes doubles as C's `%.17g` does in the C locale, whatever the locale of the process is.
enum PrintedNumber {
    private static let precision = 17

    static func append(_ number: Double, to text: inout String) {
        text += number.sign == .minus && !number.isNaN ? "-" : ""
        if number.isNaN {
            text += "nan"
        } else if number.isInfinite {
            text += "inf"
        } else if number == 0 {
            text += "0"
        } else {
            let (digits, exponent) = roundedDigits(of: number.magnitude)
            append(digits, exponent: exponent, to: &text)
        }
    }

    /// ISO C, 7.21.6.1: style `e` below 1e-4 and from 1e17, style `f` between; no trailing zeros.
    private static func append(_ digits: UInt64, exponent: Int, to text: inout String) {
        let digits = digits.description
        guard (-4..<precision).contains(exponent) else {
            appendPointed(digits, integerDigits: 1, to: &text)
            text += exponent < 0 ? "e-" : "e+"
            text += exponent.magnitude < 10 ? "0" : ""
            text += exponent.magnitude.description
            return
        }
        if exponent < 0 {
            appendPointed("0" + String(repeating: "0", count: -exponent - 1) + digits, integerDigits: 1, to: &text)
        } else {
            appendPointed(digits, integerDigits: exponent + 1, to: &text)
        }
    }

    private static func appendPointed(_ digits: String, integerDigits: Int, to text: inout String) {
        text += digits.prefix(integerDigits)
        let fraction = digits.dropFirst(integerDigits)
        if let last = fraction.lastIndex(where: { $0 != "0" }) {
            text += "."
            text += fraction[...last]
        }
    }

    /// The first 17 significant digits, rounded half to even on the exact value, and the power of ten
    /// of the first one.
    private static func roundedDigits(of number: Double) -> (digits: UInt64, exponent: Int) {
        var exponent = Int(log10(number).rounded(.down))
        var scaled = ScaledInteger(number, powerOfTen: precision + 1 - exponent)
        // The logarithm is rounded, and may be off by one beside a power of ten.
        if scaled.quotient < 1_000_000_000_000_000_000 {
            exponent -= 1
            scaled = ScaledInteger(number, powerOfTen: precision + 1 - exponent)
        } else if scaled.quotient >= 10_000_000_000_000_000_000 {
            exponent += 1
            scaled = ScaledInteger(number, powerOfTen: precision + 1 - exponent)
        }
        var (digits, rest) = scaled.quotient.quotientAndRemainder(dividingBy: 100)
        let isAboveHalf = rest > 50 || (rest == 50 && scaled.hasRemainder)
        if isAboveHalf || (rest == 50 && !digits.isMultiple(of: 2)) {
            digits += 1
        }
        if digits == 100_000_000_000_000_000 {
            return (UInt64(digits / 10), exponent + 1)
        }
        return (UInt64(digits), exponent)
    }
}
