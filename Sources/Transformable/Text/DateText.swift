package import Foundation

/// The text of a date where a person gives and sees it: ISO 8601, which reads back to the same bits.
///
/// Every number of seconds since 2001 has a text. It is written in UTC and in the Gregorian calendar, also before
/// 1582, with the fewest digits of a second that lead back to it: `2024-05-22T00:59:00Z`, `2001-01-01T00:00:00.1Z`.
/// A year that four digits do not write has a sign and six digits or more, as in `+012024-05-22T00:59:00Z`; what is
/// farther away than any calendar reaches is written as its seconds: `1e+300 s since 2001`.
///
/// Read are a day alone, which is its midnight in UTC, and a day and a time with seconds. A space may stand for the
/// `T`, an offset for the `Z`, and without either the time is in UTC. A date has no leap seconds, so second 60 is
/// refused like any other time that no clock shows.
package enum DateText {
    /// The years whose seconds 64 bits hold.
    private static let years = -200_000_000_000...200_000_000_000
    private static let earliest = CivilTime(year: years.lowerBound, month: 1, day: 1).seconds
    private static let latest = CivilTime(year: years.upperBound, month: 12, day: 31).seconds
    private static let suffix = " s since 2001"

    /// Writes a date.
    ///
    /// - Parameter date: Any date.
    /// - Returns: Its text.
    package static func text(of date: Date) -> String {
        text(ofSeconds: date.timeIntervalSinceReferenceDate)
    }

    /// Writes seconds since 2001 as a date.
    ///
    /// - Parameter seconds: Any number.
    /// - Returns: Its text.
    package static func text(ofSeconds seconds: Double) -> String {
        guard let parts = DecimalSeconds(exactly: seconds), (earliest...latest).contains(parts.whole) else {
            return "\(seconds)\(suffix)"
        }
        let civil = CivilTime(secondsOfAnyYear: parts.whole)
        return "\(civil.dateText)T\(civil.timeText)\(parts.fractionText())Z"
    }

    /// Reads a date.
    ///
    /// - Parameter text: A text.
    /// - Returns: The date nearest to what the text says.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidData`, which says where the text is wrong.
    package static func date(_ text: String) throws(TransformerError) -> Date {
        Date(timeIntervalSinceReferenceDate: try seconds(text))
    }

    /// Reads a date as seconds since 2001.
    ///
    /// - Parameter text: A text.
    /// - Returns: The number nearest to what the text says.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidData`, which says where the text is wrong.
    package static func seconds(_ text: String) throws(TransformerError) -> Double {
        if text.hasSuffix(suffix), let seconds = plainSeconds(text.dropLast(suffix.count)) { return seconds }
        var scanner = DateScanner(text)
        let year = try takeYear(&scanner)
        var civil = try scanner.takeMonthAndDay(ofYear: year)
        guard scanner.next != nil else { return Double(civil.seconds) }
        guard scanner.take("T", "t", " ") else { throw scanner.failure("expected “T” and a time, or the end") }
        let start = scanner.position
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        guard civil.second < 60 else { throw scanner.failure("a second is from 0 to 59", at: start + 6) }
        let fraction = try scanner.takeFraction()
        let isUTC = scanner.next == nil || scanner.take("z")
        let minutes = isUTC ? 0 : try scanner.takeZone()
        try scanner.expectEnd()
        return DecimalSeconds(whole: civil.seconds - Int64(minutes * 60), fraction: fraction).time
    }

    /// Four digits, or a sign and up to twelve.
    private static func takeYear(_ scanner: inout DateScanner) throws(TransformerError) -> Int {
        let isNegative = scanner.next == UInt8(ascii: "-")
        let isSigned = scanner.take("+", "-")
        let digits = scanner.takeDigits()
        guard digits.count == 4 || isSigned && (4...12).contains(digits.count) else {
            throw scanner.failure("expected a year of 4 digits, or a sign and up to 12", at: 0)
        }
        let year = digits.reduce(0) { $0 * 10 + Int($1) } * (isNegative ? -1 : 1)
        guard years.contains(year) else {
            throw scanner.failure("a year is from \(years.lowerBound) to \(years.upperBound)", at: 0)
        }
        return year
    }

    private static func plainSeconds(_ text: Substring) -> Double? {
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || "+-.e".utf8.contains($0) }
        guard isNumber || text == "inf" || text == "-inf" else { return nil }
        return Double(text)
    }
}
