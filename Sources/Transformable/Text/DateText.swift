package import Foundation

/// The human-readable form of a date: ISO 8601 text that can be parsed to exactly the same date.
///
/// Every date has such a form. It is written in UTC and in the Gregorian calendar, even before 1582, with the fewest
/// fractional digits that are exact: `2024-05-22T00:59:00Z`, `2001-01-01T00:00:00.1Z`. A year that does not fit in four
/// digits has a sign and at least six digits, as in `+012024-05-22T00:59:00Z`. Dates beyond the range of the calendar
/// are written as seconds: `1e+300 s since 2001`.
///
/// A day without a time stands for midnight in UTC. Otherwise, the time must include seconds. A space can replace the
/// `T`, and an offset can replace the `Z`. Without either, the time is in UTC. A date has no leap seconds, so a second
/// of 60 is rejected, like any other time that does not exist.
package enum DateText {
    /// The years whose seconds fit in 64 bits.
    private static let years = -200_000_000_000...200_000_000_000
    private static let earliest = CivilTime(year: years.lowerBound, month: 1, day: 1).seconds
    private static let latest = CivilTime(year: years.upperBound, month: 12, day: 31).seconds
    private static let suffix = " s since 2001"

    /// Returns the text of a date.
    ///
    /// - Parameter date: A date.
    /// - Returns: The text.
    package static func text(of date: Date) -> String {
        text(ofSeconds: date.timeIntervalSinceReferenceDate)
    }

    /// Returns the text of a date, given as seconds since 2001.
    ///
    /// - Parameter seconds: Any number.
    /// - Returns: The text.
    package static func text(ofSeconds seconds: Double) -> String {
        guard let parts = DecimalSeconds(exactly: seconds), (earliest...latest).contains(parts.whole) else {
            return "\(seconds)\(suffix)"
        }
        return CivilTime(secondsOfAnyYear: parts.whole).text(fraction: parts.fraction)
    }

    /// Parses a date as seconds since 2001.
    ///
    /// - Parameter text: A text.
    /// - Returns: The nearest number.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData`, which describes the problem, if
    ///   the text is not a date.
    package static func seconds(_ text: String) throws(TransformerError) -> Double {
        if text.hasSuffix(suffix), let seconds = plainSeconds(text.dropLast(suffix.count)) { return seconds }
        var scanner = DateScanner(text)
        let year = try takeYear(&scanner)
        var civil = try scanner.takeMonthAndDay(ofYear: year)
        guard scanner.next != nil else { return Double(civil.seconds) }
        guard scanner.take("T", or: "t") || scanner.take(" ") else {
            throw scanner.failure("expected “T” and a time, or the end")
        }
        let start = scanner.position
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        guard civil.second < 60 else { throw scanner.failure("a second must be from 0 to 59", at: start + 6) }
        let fraction = try scanner.takeFraction()
        let minutes = scanner.next == nil ? 0 : try scanner.takeZone()
        try scanner.expectEnd()
        return DecimalSeconds(whole: civil.seconds - Int64(minutes * 60), fraction: fraction).time
    }

    /// Consumes four digits, or a sign and up to twelve digits.
    private static func takeYear(_ scanner: inout DateScanner) throws(TransformerError) -> Int {
        let isNegative = scanner.next == UInt8(ascii: "-")
        let isSigned = scanner.take("+", or: "-")
        let digits = scanner.takeDigits()
        guard digits.count == 4 || isSigned && (4...12).contains(digits.count) else {
            throw scanner.failure("expected a year with 4 digits, or with a sign and up to 12 digits", at: 0)
        }
        let year = digits.reduce(0) { $0 * 10 + Int($1) } * (isNegative ? -1 : 1)
        guard years.contains(year) else {
            throw scanner.failure("a year must be from \(years.lowerBound) to \(years.upperBound)", at: 0)
        }
        return year
    }

    private static func plainSeconds(_ text: Substring) -> Double? {
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || "+-.e".utf8.contains($0) }
        guard isNumber || text == "inf" || text == "-inf" else { return nil }
        return Double(text)
    }
}

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
