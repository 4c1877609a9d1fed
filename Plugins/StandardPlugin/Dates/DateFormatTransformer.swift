public import Foundation
public import Transformable

/// A date by a Unicode date format pattern (UTS #35), in a stated locale, time zone and calendar.
///
/// Reads exactly what it writes: a day that the month lacks, white space or zeros that the pattern has
/// not, and text after the date are errors. Writes only what it reads: a date whose text by this pattern
/// cannot be read back, such as a year of the Japanese calendar without its era, is an error. What the
/// pattern leaves out, such as the time of day, is lost.
public struct DateFormatTransformer: Transformer {
    private let base: FormatterTransformer<DateFormatter, Date>

    /// Makes a transformer of a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern: `MMMM d, yyyy`.
    ///   - locale: The locale's identifier.
    ///   - zone: The time zone's identifier.
    ///   - calendar: The calendar.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidArgument`.
    public init(
        pattern: String,
        locale: String = "en_US_POSIX",
        zone: String = "UTC",
        calendar: DateCalendar = .gregorian
    ) throws(TransformerError) {
        guard !pattern.isEmpty else { throw TransformerError(.invalidArgument, "the pattern is empty") }
        guard let zone = TimeZone(identifier: zone) else {
            throw TransformerError(.invalidArgument, "there is no time zone “\(zone)”")
        }
        let locale = try knownLocale(locale)
        let isProleptic = calendar == .iso8601
        let calendar = Calendar(identifier: calendar.identifier)
        let strategy = try Self.strategy(pattern, locale, zone, calendar)
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = calendar
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        formatter.isLenient = false
        // ISO 8601 knows no Julian dates, which Foundation's calendar has before 1582 unless it is told otherwise.
        if isProleptic { formatter.gregorianStartDate = Self.beforeAllDates }
        base = FormatterTransformer(
            formatter,
            format: { $0.string(from: $1) },
            // DateFormatter itself ends the process where it stops before a combining mark: “Jańuary”. Only it
            // takes a start of the Gregorian calendar, so ISO 8601 is read by it: `decode` refuses such marks before.
            parse: { formatter, text in isProleptic ? formatter.date(from: text) : try? strategy.parse(text) }
        )
    }

    /// Thousands of years before the first one that a pattern writes.
    private static let beforeAllDates = Date(timeIntervalSinceReferenceDate: -1e12)

    /// Foundation's own way of parsing by a pattern.
    ///
    /// Its initialiser takes patterns of literals in code only; its coded form has any.
    private static func strategy(
        _ pattern: String,
        _ locale: Locale,
        _ zone: TimeZone,
        _ calendar: Calendar
    ) throws(TransformerError) -> Date.ParseStrategy {
        let template = Date.ParseStrategy(
            format: "\(year: .defaultDigits)",
            locale: locale,
            timeZone: zone,
            calendar: calendar,
            isLenient: false
        )
        do {
            let coded = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(template))
            let changed = coded.merging(["format": .string(pattern)]) { $1 }
            let strategy = try JSONDecoder().decode(Date.ParseStrategy.self, from: JSONEncoder().encode(changed))
            guard strategy.format == pattern else { throw TransformerError(.unsupported, "") }
            return strategy
        } catch {
            throw TransformerError(.unsupported, "this Foundation does not parse by pattern", underlying: error)
        }
    }

    /// Lossy: what the pattern leaves out is gone.
    public var traits: TransformerTraits { base.traits }

    /// The date's text.
    public func encode(_ value: Date, in context: TransformContext) throws -> String {
        guard value.timeIntervalSinceReferenceDate.isFinite else {
            throw TransformerError.invalidValue("the date is no finite time")
        }
        let text = try base.encode(value, in: context)
        guard !Self.hasCombinedCharacters(text) else {
            throw TransformerError.invalidValue("“\(text)” has combined characters, which no date is read from")
        }
        do {
            _ = try decode(text, in: context)
        } catch {
            throw TransformerError.invalidValue("“\(text)” cannot be read back by this pattern, locale, and calendar")
        }
        return text
    }

    /// The text's date.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Date {
        guard !Self.hasCombinedCharacters(encoded) else {
            throw TransformerError.invalidData("the text has combined characters, which no date is read from")
        }
        let date = try base.decode(encoded, in: context)
        let written = try base.encode(date, in: context)
        guard written.utf8.elementsEqual(encoded.utf8) else {
            throw TransformerError.invalidData("the text does not follow the pattern, which writes “\(written)”")
        }
        return date
    }

    /// Whether characters are of several code points: where a date ends inside one, Foundation's formatter traps.
    private static func hasCombinedCharacters(_ text: String) -> Bool {
        text.unicodeScalars.count != text.count
    }
}
