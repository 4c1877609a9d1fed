internal import Foundation

/// A time as whole seconds since 2001 and the decimal digits of the fraction that follows.
///
/// A binary fraction is converted to the shortest digits that represent it exactly, and digits are converted to the
/// nearest double, using Swift's own conversions. The fraction is added to the whole second. Before 2001, its digits
/// are therefore the complement of those of the double.
package struct DecimalSeconds {
    package var whole: Int64
    /// The digits from 0 to 9, without trailing zeros.
    package var fraction: [UInt8]

    package init(whole: Int64, fraction: [UInt8]) {
        self.whole = whole
        self.fraction = Array(fraction.reversed().drop { $0 == 0 }.reversed())
    }

    /// Splits a time exactly, or returns nil if it is not a number or its whole seconds do not fit in 64 bits.
    package init?(exactly time: Double) {
        if let whole = Int64(exactly: time) {
            self.init(whole: whole, fraction: [])
            return
        }
        // Beyond 2⁵³ every number is an integer.
        guard abs(time) < 0x1p53 else { return nil }
        let (digits, pointPosition) = Self.digits(of: abs(time).description)
        let whole = digits.prefix(max(pointPosition, 0)).reduce(Int64(0)) { $0 * 10 + Int64($1) }
        let zeros = [UInt8](repeating: 0, count: max(-pointPosition, 0))
        self.init(whole: whole, fraction: zeros + digits.dropFirst(max(pointPosition, 0)))
        guard time < 0 else { return }
        self.whole = fraction.isEmpty ? -whole : -whole - 1
        fraction = Self.complement(fraction)
    }

    /// Rounds a time to a number of digits, or returns nil if it is not a number or is far outside the years with four
    /// digits.
    package init?(_ time: Double, digits count: Int) {
        guard abs(time) < 1e12 else { return nil }
        let scale = pow(10, Double(count))
        var floor = Int64(time.rounded(.down))
        var part = Int64(((time - time.rounded(.down)) * scale).rounded())
        if part == Int64(scale) {
            // Rounding must not go beyond the last year.
            let isLast = floor == CivilTime.lastSecond
            part = isLast ? part - 1 : 0
            floor += isLast ? 0 : 1
        }
        let text = padded(Int(part), count)
        self.init(whole: floor, fraction: count == 0 ? [] : text.utf8.map { $0 - 0x30 })
    }

    /// The nearest double.
    package var time: Double {
        guard !fraction.isEmpty else { return Double(whole) }
        guard whole < 0 else { return Self.double(whole, fraction) }
        return -Self.double(-(whole + 1), Self.complement(fraction))
    }

    private static func double(_ whole: Int64, _ fraction: [UInt8]) -> Double {
        let digits = String(decoding: fraction.map { $0 + 0x30 }, as: UTF8.self)
        return Double("\(whole).\(digits)") ?? Double(whole)
    }

    /// Returns one minus the fraction.
    private static func complement(_ fraction: [UInt8]) -> [UInt8] {
        guard let last = fraction.last else { return [] }
        return fraction.dropLast().map { 9 - $0 } + [10 - last]
    }

    /// Returns the digits of a number as printed by Swift, and the number of digits before the decimal point.
    private static func digits(of text: String) -> (digits: [UInt8], pointPosition: Int) {
        let (mantissa, exponent) =
            text.utf8.firstIndex(of: UInt8(ascii: "e"))
            .map { (text.utf8[..<$0], Int(text[text.utf8.index(after: $0)...]) ?? 0) } ?? (text.utf8[...], 0)
        var digits: [UInt8] = []
        digits.reserveCapacity(mantissa.count)
        var pointPosition: Int?
        for byte in mantissa {
            if byte == UInt8(ascii: ".") { pointPosition = digits.count } else { digits.append(byte - 0x30) }
        }
        return (digits, (pointPosition ?? digits.count) + exponent)
    }
}
