package import Foundation

/// The human-readable form of a date: ISO 8601 text that can be parsed to exactly the same date.
///
/// Every date has a text. It is written in UTC and in the Gregorian calendar, even before 1582, with the fewest
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

    /// Parses a date.
    ///
    /// - Parameter text: A text.
    /// - Returns: The nearest date.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData`, which describes the problem, if
    ///   the text is not a date.
    package static func date(_ text: String) throws(TransformerError) -> Date {
        Date(timeIntervalSinceReferenceDate: try seconds(text))
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
        let isUTC = scanner.next == nil || scanner.take("z")
        let minutes = isUTC ? 0 : try scanner.takeZone()
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
