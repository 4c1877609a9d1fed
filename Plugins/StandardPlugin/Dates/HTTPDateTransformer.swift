public import Foundation
public import Transformable

/// A date as in HTTP headers, `Fri, 25 Sep 2015 07:00:00 GMT` (RFC 9110, section 5.6.7).
///
/// Reads the two obsolete forms as well: C's `Fri Sep 25 07:00:00 2015`, and `Friday, 25-Sep-15 07:00:00 GMT`,
/// whose century is the one of 1900 and 2000 in which the date falls on that weekday: a hundred years
/// shift it, so no date depends on the clock.
public struct HTTPDateTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Lossy: fractions of a second are rounded down.
    public var traits: TransformerTraits { [.deterministic, .canonical, .lossy] }

    /// The date's text.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        "\(try mailText(of: value)) GMT"
    }

    /// The text's date.
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

    /// `25 Sep 2015 07:00:00 GMT` or `25-Sep-15 07:00:00 GMT`.
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

    /// The century of a date whose year has two digits; 2000 if the weekday fits none, which is an error later.
    private static func century(of date: CivilTime, on weekday: Int) -> Int {
        let last = CivilTime(year: 1900 + date.year, month: date.month, day: date.day)
        let isDay = date.day <= CivilTime.days(in: date.month, of: last.year)
        return isDay && last.weekday == weekday ? 1900 : 2000
    }

    /// ` Sep 25 07:00:00 2015` or ` Nov  6 08:49:37 1994`.
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
