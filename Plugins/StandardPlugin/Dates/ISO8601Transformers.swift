public import Foundation
public import Transformable

/// A transformer that formats dates as ISO 8601 text, such as `2015-09-25T07:00:00.125Z`, for the years 0 to 9999.
///
/// Dates are in the Gregorian calendar, even before 1582. Year 0 is the year before year 1.
///
/// Dates are written in UTC. By default, the fraction has as many digits as are required to represent
/// the date exactly. With a fixed number of digits, dates are rounded, and the strings sort in chronological order.
///
/// The formats that RFC 3339 defines in section 5.6 can be parsed: a date, `T`, and a time with seconds, an optional
/// fraction with any number of digits after `.` or `,`, and then `Z` or an offset of the form `±hh:mm`, `±hhmm`, or
/// `±hh`. The letters can be in lower case. A leap second is treated as the following second.
public struct ISO8601Transformer: Transformer {
    /// The years that RFC 3339 has, which are those with four digits.
    private static let years = 0...9999

    /// The number of fractional digits, or nil for as many as the date needs.
    public let fraction: Int?

    /// Creates a transformer that represents dates exactly.
    public init() {
        fraction = nil
    }

    /// Creates a transformer with a number of fractional digits.
    ///
    /// - Parameter fraction: The number of fractional digits, up to 9, or nil for as many as the date needs.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if `fraction` is not from 0 to 9.
    public init(fraction: Int?) throws(TransformerError) {
        guard (0...9).contains(fraction ?? 0) else {
            throw TransformerError(.invalidArgument, "“fraction” must be from 0 to 9 digits")
        }
        self.fraction = fraction
    }

    /// The traits of the transformer.
    ///
    /// With a fixed number of digits, it is ordered and lossy; otherwise, it is exact.
    public var traits: TransformerTraits {
        fraction == nil ? .plain : [.deterministic, .canonical, .ordered, .lossy]
    }

    /// Formats a date.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        let time = value.timeIntervalSinceReferenceDate
        let parts = fraction.map { DecimalSeconds(time, digits: $0) } ?? DecimalSeconds(exactly: time)
        guard let parts, case let civil = CivilTime(secondsOfAnyYear: parts.whole), Self.years.contains(civil.year)
        else { throw .invalidValue("the date must be in the years 0 to 9999") }
        return civil.text(fraction: parts.fraction, width: fraction ?? 0)
    }

    /// Parses a date.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = DateScanner(encoded)
        let year = try scanner.takeNumber(digits: 4...4, in: Self.years, "a year")
        var civil = try scanner.takeMonthAndDay(ofYear: year)
        guard scanner.take("T", or: "t") else { throw scanner.failure("expected “T”") }
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        let fraction = try scanner.takeFraction()
        let seconds = try civil.seconds(minutesAhead: scanner.takeZone(), years: Self.years, scanner)
        try scanner.expectEnd()
        let time = DecimalSeconds(whole: seconds, fraction: fraction).time
        guard time.rounded(.down) <= Double(CivilTime.lastSecond) else {
            throw .invalidData("the nearest date is in the year 10000", offset: 0)
        }
        return Date(timeIntervalSinceReferenceDate: time)
    }
}

/// A transformer that formats the day of a date in UTC as ISO 8601 text: `2015-09-25`, or `2015-W39-5` for week dates.
///
/// It supports the years 1 to 9999. Decoding returns the first instant of the day. Strings compare like days.
public struct ISO8601DayTransformer: Transformer {
    /// The format of a day.
    public enum Form: Sendable {
        /// The year, the month, and the day: `2015-09-25`.
        case date
        /// The year of the week, the week, and the weekday, starting with Monday: `2015-W39-5`.
        case week
    }

    /// The format of a day.
    public let form: Form

    /// Creates a transformer.
    ///
    /// - Parameter form: The format of a day.
    public init(_ form: Form = .date) {
        self.form = form
    }

    /// The traits of the transformer.
    ///
    /// It is ordered, and lossy because the time of day is lost.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered, .lossy] }

    /// Formats the day of a date.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        let time = value.timeIntervalSinceReferenceDate.rounded(.down)
        guard abs(time) < 1e12, let day = CivilTime(seconds: Int64(time)) else {
            throw .invalidValue("the date must be in the years 1 to 9999")
        }
        return form == .date ? day.dateText : WeekDate(day).text
    }

    /// Parses a day, and returns its first instant.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = DateScanner(encoded)
        let day = form == .date ? try Self.takeDay(&scanner) : try WeekDate.takeDay(&scanner)
        try scanner.expectEnd()
        return Date(timeIntervalSinceReferenceDate: Double(day.seconds))
    }

    private static func takeDay(_ scanner: inout DateScanner) throws(TransformerError) -> CivilTime {
        let year = try scanner.takeNumber(digits: 4...4, in: CivilTime.years, "a year")
        return try scanner.takeMonthAndDay(ofYear: year)
    }
}

/// A week date.
///
/// The first week of a year is the one that contains its first Thursday.
private struct WeekDate {
    let year: Int
    let week: Int
    /// The weekday, where 1 is Monday.
    let weekday: Int

    init(_ day: CivilTime) {
        let thursday = CivilTime(dayNumber: day.dayNumber + 3 - day.weekday) ?? day
        year = thursday.year
        week = (thursday.dayNumber - CivilTime(year: year, month: 1, day: 1).dayNumber) / 7 + 1
        weekday = day.weekday + 1
    }

    var text: String { "\(padded(year, 4))-W\(padded(week, 2))-\(weekday)" }

    static func takeDay(_ scanner: inout DateScanner) throws(TransformerError) -> CivilTime {
        let year = try scanner.takeNumber(digits: 4...4, in: CivilTime.years, "a year")
        try scanner.expect("-")
        try scanner.expect("W")
        let start = scanner.position
        let week = try scanner.takeNumber(digits: 2...2, in: 1...53, "a week")
        try scanner.expect("-")
        let weekday = try scanner.takeNumber(digits: 1...1, in: 1...7, "a weekday")
        // January 4 is always in the first week.
        let fourth = CivilTime(year: year, month: 1, day: 4)
        let number = fourth.dayNumber - fourth.weekday + (week - 1) * 7 + weekday - 1
        guard let day = CivilTime(dayNumber: number), Self(day).year == year else {
            throw scanner.failure("\(year) has no week \(week), or its day is not in the years 1 to 9999", at: start)
        }
        return day
    }
}

extension CivilTime {
    /// The number of days since January 1, 2001.
    fileprivate var dayNumber: Int {
        Int(CivilTime(year: year, month: month, day: day).seconds / 86_400)
    }

    /// Creates a week date from a number of days since 2001, or returns nil if the year does not have four digits.
    fileprivate init?(dayNumber: Int) {
        self.init(seconds: Int64(dayNumber) * 86_400)
    }
}
