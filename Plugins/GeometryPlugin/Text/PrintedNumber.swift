internal import Foundation

/// Writes doubles like C's `%.17g` in the C locale, independently of the process's locale.
enum PrintedNumber {
    private static let precision = 17

    static func write(_ number: Double, to writer: inout TextWriter) {
        if let integer = number.shortInteger {
            writer.write(integer)
        } else if number.isNaN {
            writer.write("nan")
        } else {
            writer.write(number.sign == .minus ? "-" : "")
            writeMagnitude(number.magnitude, to: &writer)
        }
    }

    private static func writeMagnitude(_ number: Double, to writer: inout TextWriter) {
        if number.isInfinite {
            writer.write("inf")
        } else if number == 0 {
            writer.write("0")
        } else {
            let (digits, exponent) = roundedDigits(of: number)
            write(digits.description, exponent: exponent, to: &writer)
        }
    }

    /// Writes digits according to ISO C, 7.21.6.1: in style `e` below 1e-4 and from 1e17, in style `f` between them,
    /// and without trailing zeros.
    private static func write(_ digits: String, exponent: Int, to writer: inout TextWriter) {
        guard (-4..<precision).contains(exponent) else {
            writePointed(digits, integerDigits: 1, to: &writer)
            writer.write(exponent < 0 ? "e-" : "e+")
            writer.write(exponent.magnitude < 10 ? "0" : "")
            writer.write(Int64(exponent.magnitude))
            return
        }
        if exponent < 0 {
            writePointed(String(repeating: "0", count: -exponent) + digits, integerDigits: 1, to: &writer)
        } else {
            writePointed(digits, integerDigits: exponent + 1, to: &writer)
        }
    }

    private static func writePointed(_ digits: String, integerDigits: Int, to writer: inout TextWriter) {
        writer.write(digits.prefix(integerDigits))
        let fraction = digits.dropFirst(integerDigits)
        if let last = fraction.lastIndex(where: { $0 != "0" }) {
            writer.write(".")
            writer.write(fraction[...last])
        }
    }

    /// Returns the first 17 significant digits, and the power of ten of the first one.
    ///
    /// The exact value is rounded half to even.
    private static func roundedDigits(of number: Double) -> (digits: UInt64, exponent: Int) {
        var exponent = Int(log10(number).rounded(.down))
        var scaled = ScaledInteger(number, powerOfTen: precision + 1 - exponent)
        // The logarithm is rounded, and may be off by one near a power of ten.
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
