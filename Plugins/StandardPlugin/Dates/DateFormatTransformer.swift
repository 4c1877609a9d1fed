public import Foundation
public import Transformable

/// A date by a Unicode date format pattern (UTS #35), in a stated locale, time zone and calendar.
///
/// Reads exactly what it writes: a day that the month lacks, white space or zeros that the pattern has
/// not, and text after the date are errors. What the pattern leaves out, such as the time of day, is lost.
public struct DateFormatTransformer: Transformer {
    private let base: FormatterTransformer<DateFormatter, Date>

    /// Makes a transformer of a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern: `MMMM d, yyyy`.
    ///   - locale: The locale's identifier.
    ///   - zone: The time zone's identifier.
    ///   - calendar: The calendar.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/invalidArgument``.
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
        let formatter = DateFormatter()
        formatter.locale = try knownLocale(locale)
        formatter.calendar = Calendar(identifier: calendar.identifier)
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        formatter.isLenient = false
        base = FormatterTransformer(
            formatter,
            format: { $0.string(from: $1) },
            parse: { $0.date(from: $1) }
        )
    }

    /// Lossy: what the pattern leaves out is gone.
    public var traits: TransformerTraits { base.traits }

    /// The date's text.
    public func encode(_ value: Date, in context: TransformContext) throws -> String {
        guard value.timeIntervalSinceReferenceDate.isFinite else {
            throw TransformerError.invalidValue("the date is no finite time")
        }
        return try base.encode(value, in: context)
    }

    /// The text's date.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Date {
        let date = try base.decode(encoded, in: context)
        let written = try base.encode(date, in: context)
        guard written.utf8.elementsEqual(encoded.utf8) else {
            throw TransformerError.invalidData("the text does not follow the pattern, which writes “\(written)”")
        }
        return date
    }
}
