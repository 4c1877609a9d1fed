public import Foundation
public import Transformable

/// The day of a date as ISO 8601 text, in UTC, for years 1 to 9999: `2015-09-25`, or `2015-W39-5` by its week.
///
/// Decoding gives the day's first instant. Texts compare as days do.
public struct ISO8601DayTransformer: Transformer {
    /// How a day is written.
    public enum Form: Sendable {
        /// Year, month and day: `2015-09-25`.
        case date
        /// The week's year, the week and the weekday from Monday: `2015-W39-5`.
        case week
    }

    /// How a day is written.
    public let form: Form

    /// Makes a transformer of days.
    ///
    /// - Parameter form: How a day is written.
    public init(_ form: Form = .date) {
        self.form = form
    }

    /// Ordered, and lossy: the time of day is gone.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered, .lossy] }

    /// The day's text.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        let time = value.timeIntervalSinceReferenceDate.rounded(.down)
        guard abs(time) < 1e12, let day = CivilTime(seconds: Int64(time)) else {
            throw .invalidValue("the date is not in the years 1 to 9999")
        }
        return form == .date ? day.dateText : WeekDate(day).text
    }

    /// The first instant of the text's day.
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

/// A day by its week, of which the first in a year is the one with its first Thursday.
private struct WeekDate {
    let year: Int
    let week: Int
    /// From 1 for Monday.
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
        // The fourth of January is always in the first week.
        let fourth = CivilTime(year: year, month: 1, day: 4)
        let number = fourth.dayNumber - fourth.weekday + (week - 1) * 7 + weekday - 1
        guard let day = CivilTime(dayNumber: number), Self(day).year == year else {
            throw scanner.failure("\(year) has no week \(week), or its day is not in the years 1 to 9999", at: start)
        }
        return day
    }
}

extension CivilTime {
    /// Days since 1 January 2001.
    fileprivate var dayNumber: Int {
        Int(CivilTime(year: year, month: month, day: day).seconds / 86_400)
    }

    /// The day of a number of days since 2001; nil outside the years that four digits write.
    fileprivate init?(dayNumber: Int) {
        self.init(seconds: Int64(dayNumber) * 86_400)
    }
}
