public import Foundation
public import Transformable

/// A transformer that formats dates as in HTTP headers: `Fri, 25 Sep 2015 07:00:00 GMT` (RFC 9110, section 5.6.7).
///
/// The two obsolete formats can also be parsed: C's `Fri Sep 25 07:00:00 2015`, and `Friday, 25-Sep-15 07:00:00 GMT`.
/// The latter has a year of two digits. It belongs to the 1900s or the 2000s, whichever matches the weekday, which
/// differs between the two centuries. Therefore, the result does not depend on the current date.
public struct HTTPDateTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is lossy, because fractions of a second are rounded down.
    public var traits: TransformerTraits { [.deterministic, .canonical, .lossy] }

    /// Formats a date.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        "\(try mailText(of: value)) GMT"
    }

    /// Parses a date.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = DateScanner(encoded)
        let weekday = try Self.takeWeekday(&scanner)
        let civil: CivilTime
        if scanner.take(",") {
            try scanner.expect(" ")
            civil = try Self.takeDate(&scanner, on: weekday)
        } else {
            civil = try Self.takeDateOfC(&scanner)
        }
        try scanner.expectEnd()
        guard weekday == civil.weekday else {
            throw scanner.failure("\(civil.dateText) was a \(CivilTime.dayNames[civil.weekday])", at: 0)
        }
        return Date(
            timeIntervalSinceReferenceDate: Double(
                try civil.seconds(minutesAhead: 0, years: RFC2822Transformer.years, scanner)
            )
        )
    }

    private static let longDayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static func takeWeekday(_ scanner: inout DateScanner) throws(TransformerError) -> Int {
        let name = scanner.takeLetters()
        guard let index = CivilTime.dayNames.firstIndex(of: name) ?? longDayNames.firstIndex(of: name) else {
            throw scanner.failure("expected a weekday such as Fri", at: 0)
        }
        return index
    }

    /// Parses `25 Sep 2015 07:00:00 GMT` or `25-Sep-15 07:00:00 GMT`.
    private static func takeDate(
        _ scanner: inout DateScanner,
        on weekday: Int
    ) throws(TransformerError) -> CivilTime {
        let start = scanner.position
        let day = try scanner.takeNumber(digits: 2...2, in: 1...31, "a day")
        let isOld = scanner.take("-")
        if !isOld { try scanner.expect(" ") }
        let month = try scanner.takeName(of: CivilTime.monthNames, "a month such as Sep") + 1
        try scanner.expect(isOld ? "-" : " ")
        let year = try scanner.takeNumber(digits: isOld ? 2...2 : 4...4, in: isOld ? 0...99 : 1...9999, "a year")
        var civil = CivilTime(year: year, month: month, day: day)
        if isOld { civil.year += century(of: civil, on: weekday) }
        try civil.checkDay(scanner, at: start)
        try scanner.expect(" ")
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        for character in " GMT".unicodeScalars {
            try scanner.expect(character)
        }
        return civil
    }

    /// Returns the century of a date with a two-digit year.
    ///
    /// If the weekday matches neither, returns 2000, which leads to an error later.
    private static func century(of date: CivilTime, on weekday: Int) -> Int {
        let last = CivilTime(year: 1900 + date.year, month: date.month, day: date.day)
        let isDay = date.day <= CivilTime.days(in: date.month, of: last.year)
        return isDay && last.weekday == weekday ? 1900 : 2000
    }

    /// Parses ` Sep 25 07:00:00 2015` or ` Nov  6 08:49:37 1994`.
    private static func takeDateOfC(_ scanner: inout DateScanner) throws(TransformerError) -> CivilTime {
        try scanner.expect(" ")
        let month = try scanner.takeName(of: CivilTime.monthNames, "a month such as Sep") + 1
        try scanner.expect(" ")
        let start = scanner.position
        let digits = scanner.take(" ") ? 1...1 : 2...2
        let day = try scanner.takeNumber(digits: digits, in: 1...31, "a day")
        try scanner.expect(" ")
        let time = try scanner.takeTime()
        try scanner.expect(" ")
        let year = try scanner.takeNumber(digits: 4...4, in: 1...9999, "a year")
        let civil = CivilTime(
            year: year,
            month: month,
            day: day,
            hour: time.hour,
            minute: time.minute,
            second: time.second
        )
        try civil.checkDay(scanner, at: start)
        return civil
    }
}
