internal import Foundation

/// Collects the bytes of a string, which is faster than many small appends to a string.
typealias TextWriter = OutputSpan<UInt8>

extension TextWriter {
    /// The size of the longest number, such as `-nan(0x7ffffffffffff)` or `-2.2250738585072014e-308`, in bytes.
    static let numberCount = 24

    mutating func write(_ text: some StringProtocol) {
        for byte in text.utf8 { append(byte) }
    }

    /// Writes the first bytes of a string.
    ///
    /// A slice of a string would be traversed character by character.
    mutating func write(_ text: String, count: Int) {
        let utf8 = text.utf8.span
        for index in 0..<count {
            append(utf8[index])
        }
    }

    /// Writes an integer in decimal digits.
    mutating func write(_ number: Int64) {
        if number < 0 {
            append(.minus)
        }
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var start = digits.count
        var rest = number.magnitude
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            start -= 1
            digits[start] += UInt8(digit)
            rest = quotient
        } while rest > 0
        for index in start..<digits.count {
            append(digits[index])
        }
    }
}

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

/// Writes doubles with the fewest digits that represent them exactly.
enum ShortestNumber {
    static func write(_ number: Double, to writer: inout TextWriter) {
        if let integer = number.shortInteger {
            writer.write(integer)
        } else if number.isNaN {
            writeNaN(number, to: &writer)
        } else {
            writeFraction(number, to: &writer)
        }
    }

    /// Writes Swift's description of a number, without the `.0` of large integers and zeros.
    ///
    /// Infinities are `inf` and `-inf`.
    private static func writeFraction(_ number: Double, to writer: inout TextWriter) {
        let digits = number.description
        let count = digits.utf8.count
        writer.write(digits, count: digits.hasSuffix(".0") ? count - 2 : count)
    }

    /// Writes Swift's description of a NaN: `nan`, `-nan`, `nan(0x…)`, or `snan(0x…)` if it is signaling.
    private static func writeNaN(_ number: Double, to writer: inout TextWriter) {
        let payload = number.bitPattern & NaNBits.payload
        writer.write(number.sign == .minus ? "-" : "")
        writer.write(number.bitPattern & NaNBits.quiet == 0 ? "snan" : "nan")
        writer.write(payload == 0 ? "" : "(0x\(String(payload, radix: 16)))")
    }
}

extension Double {
    /// The number if it is an integer of at most 15 digits, and not -0.
    ///
    /// All styles write its digits.
    var shortInteger: Int64? {
        guard magnitude < 1e15, self == rounded(.towardZero), self != 0 || sign == .plus else { return nil }
        return Int64(self)
    }
}

/// The parts of a NaN's bit pattern (IEEE 754-2019, section 6.2.1).
enum NaNBits {
    static let sign: UInt64 = 1 << 63
    static let exponent: UInt64 = 0x7FF << 52
    static let quiet: UInt64 = 1 << 51
    static let payload: UInt64 = quiet - 1
}
