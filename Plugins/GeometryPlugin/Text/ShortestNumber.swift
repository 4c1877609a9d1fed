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
        let isWhole = digits.utf8.suffix(2).elementsEqual(".0".utf8)
        writer.write(digits, count: digits.utf8.count - (isWhole ? 2 : 0))
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
