public import Foundation
public import Transformable

/// A transformer that formats dates with a Unicode date format pattern (UTS #35), locale, time zone, and calendar.
///
/// Only text in exactly the same form can be parsed: days that do not exist in the month, whitespace and zeros that
/// are not part of the pattern, and text after the date are errors. A date that cannot be parsed back from its
/// formatted string, such as a year of the Japanese calendar without its era, is also an error. Anything that is not
/// part of the pattern, such as the time of day, is lost.
public struct DateFormatTransformer: Transformer {
    private let base: FormatterTransformer<DateFormatter, Date>
    /// Formats the era and the year of a date, or is nil if the pattern has no year.
    private let years: FormatterTransformer<DateFormatter, Date>?

    /// Creates a transformer from a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, for example `MMMM d, yyyy`.
    ///   - locale: The identifier of the locale.
    ///   - zone: The identifier of the time zone.
    ///   - calendar: The calendar.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if an argument is invalid.
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
        let strategy = try Self.strategy(pattern, locale, zone, Calendar(identifier: calendar.identifier))
        base = FormatterTransformer(
            Self.formatter(pattern, locale, zone, calendar),
            format: { $0.string(from: $1) },
            // DateFormatter crashes if it stops before a combining mark, as in “Jańuary”. It is used for ISO 8601,
            // because only it supports a start date of the Gregorian calendar. Therefore, `decode` rejects such marks
            // first.
            parse: { formatter, text in isProleptic ? formatter.date(from: text) : try? strategy.parse(text) }
        )
        years = Self.yearPattern(of: pattern)
            .map { pattern in
                FormatterTransformer(
                    Self.formatter(pattern, locale, zone, calendar),
                    format: { $0.string(from: $1) },
                    parse: { $0.date(from: $1) }
                )
            }
    }

    private static func formatter(
        _ pattern: String,
        _ locale: Locale,
        _ zone: TimeZone,
        _ calendar: DateCalendar
    ) -> sending DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = Calendar(identifier: calendar.identifier)
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        formatter.isLenient = false
        // ISO 8601 does not use Julian dates, but Foundation's calendar does before 1582 unless it is configured
        // otherwise.
        if calendar == .iso8601 { formatter.gregorianStartDate = beforeAllDates }
        return formatter
    }

    /// Returns the pattern of the era and the year, or nil if a pattern has no year (UTS #35, date field symbols).
    private static func yearPattern(of pattern: String) -> String? {
        // Every second part is text in quotation marks.
        let fields = pattern.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }
            .flatMap(\.element)
        if fields.contains(where: { "yuUr".contains($0) }) { return "G y" }
        guard fields.contains("Y") else { return nil }
        // The year of a week is read as a calendar year if the pattern has a month or day, as in “YYYY-MM-dd”. Otherwise,
        // the week that is read may begin in another calendar year.
        return fields.contains { "QqMLdDg".contains($0) } ? "G y" : "G Y"
    }

    /// A date that is thousands of years before the first one that a pattern can represent.
    private static let beforeAllDates = Date(timeIntervalSinceReferenceDate: -1e12)

    /// Returns Foundation's strategy for parsing with a pattern.
    ///
    /// Its initializer only takes patterns that are literals in code, but its encoded form can contain any pattern.
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
            throw TransformerError(
                .unsupported,
                "this version of Foundation cannot parse dates with a pattern",
                underlying: error
            )
        }
    }

    /// The traits of the transformer.
    ///
    /// It is lossy, because anything that is not part of the pattern is lost.
    public var traits: TransformerTraits { base.traits }

    /// Formats a date.
    public func encode(_ value: Date, in context: TransformContext) throws -> String {
        guard value.timeIntervalSinceReferenceDate.isFinite else {
            throw TransformerError.invalidValue("the date is not a finite time")
        }
        let text = try base.encode(value, in: context)
        guard !Self.hasCombinedCharacters(text) else {
            throw TransformerError.invalidValue(
                "“\(text)” contains combined characters, which cannot be parsed as a date"
            )
        }
        let parsed: Date
        do {
            parsed = try decode(text, in: context)
        } catch {
            throw TransformerError.invalidValue("“\(text)” cannot be parsed with this pattern, locale, and calendar")
        }
        // The same digits can be a year of another era or century, which is further away than a day.
        if abs(parsed.timeIntervalSince(value)) >= 86_400, let years,
            try years.encode(parsed, in: context) != years.encode(value, in: context)
        {
            let remedy = "add the era to the pattern (“G”), or all digits of the year"
            throw TransformerError.invalidValue("“\(text)” would be parsed as a date in a different year; \(remedy)")
        }
        return text
    }

    /// Parses a date.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Date {
        guard !Self.hasCombinedCharacters(encoded) else {
            throw TransformerError.invalidData(
                "the text contains combined characters, which cannot be parsed as a date"
            )
        }
        let date = try base.decode(encoded, in: context)
        let written = try base.encode(date, in: context)
        guard written.utf8.elementsEqual(encoded.utf8) else {
            throw TransformerError.invalidData("the text does not match the pattern, which would produce “\(written)”")
        }
        return date
    }

    /// Returns whether a character consists of several code points, because Foundation's formatter traps if a date ends
    /// inside one.
    private static func hasCombinedCharacters(_ text: String) -> Bool {
        text.unicodeScalars.count != text.count
    }
}

/// The calendar in which a date is written.
public enum DateCalendar: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The Gregorian calendar, and the Julian calendar before October 15, 1582.
    case gregorian
    /// The proleptic Gregorian calendar, with the weeks of ISO 8601.
    case iso8601
    /// The Buddhist calendar.
    case buddhist
    /// The Chinese calendar.
    case chinese
    /// The Coptic calendar.
    case coptic
    /// The Hebrew calendar.
    case hebrew
    /// The Indian national calendar.
    case indian
    /// The Islamic calendar of Umm al-Qura, the same as ``islamicUmmAlQura``.
    case islamic
    /// The arithmetic Islamic calendar whose first day is July 16, 622.
    case islamicCivil = "islamic-civil"
    /// The arithmetic Islamic calendar whose first day is July 15, 622.
    case islamicTabular = "islamic-tabular"
    /// The Islamic calendar of Umm al-Qura, which is used in Saudi Arabia.
    case islamicUmmAlQura = "islamic-umm-al-qura"
    /// The Japanese calendar, with its eras.
    case japanese
    /// The Persian calendar.
    case persian

    var identifier: Calendar.Identifier {
        switch self {
        case .gregorian: .gregorian
        case .iso8601: .iso8601
        case .buddhist: .buddhist
        case .chinese: .chinese
        case .coptic: .coptic
        case .hebrew: .hebrew
        case .indian: .indian
        case .islamic, .islamicUmmAlQura: .islamicUmmAlQura
        case .islamicCivil: .islamicCivil
        case .islamicTabular: .islamicTabular
        case .japanese: .japanese
        case .persian: .persian
        }
    }
}
