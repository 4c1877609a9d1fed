public import Foundation
public import Transformable

/// A transformer that formats dates as in mail headers: `Fri, 25 Sep 2015 07:00:00 +0000` (RFC 2822 and RFC 5322,
/// section 3.3).
///
/// Dates are written in UTC, with the weekday, in whole seconds, for the years 1900 to 9999.
///
/// Abbreviated and obsolete formats (section 4.3) can also be parsed: without the weekday or the seconds, with comments
/// and line folds between the parts, with years of two digits (00 to 49 stand for 2000 to 2049) or three digits (since
/// 1900), and with the zones `UT`, `UTC`, `GMT`, and the American zones such as `EST`. Zones of a single letter are
/// treated as UTC, because they were originally defined with the wrong sign. Other zone names are errors, instead of
/// being treated as UTC. As the RFC requires, a weekday that does not match the date is an error.
public struct RFC2822Transformer: Transformer {
    static let years = 1900...9999

    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is lossy, because fractions of a second are rounded down.
    public var traits: TransformerTraits { [.deterministic, .canonical, .lossy] }

    /// Formats a date.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        "\(try mailText(of: value)) +0000"
    }

    /// Parses a date.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = MailDateScanner(encoded)
        return try scanner.takeDate()
    }
}

/// Returns text such as `Fri, 25 Sep 2015 07:00:00`, which mail and HTTP dates have in common.
func mailText(of date: Date) throws(TransformerError) -> String {
    let time = date.timeIntervalSinceReferenceDate.rounded(.down)
    guard abs(time) < 1e12, let civil = CivilTime(seconds: Int64(time)),
        RFC2822Transformer.years.contains(civil.year)
    else {
        throw .invalidValue("the date must be in the years 1900 to 9999")
    }
    let day = "\(padded(civil.day, 2)) \(CivilTime.monthNames[civil.month - 1]) \(civil.year)"
    return "\(CivilTime.dayNames[civil.weekday]), \(day) \(civil.timeText)"
}
