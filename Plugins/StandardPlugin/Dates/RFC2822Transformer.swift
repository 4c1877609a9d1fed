public import Foundation
public import Transformable

/// A date as in mail headers, `Fri, 25 Sep 2015 07:00:00 +0000` (RFC 2822 and RFC 5322, section 3.3).
///
/// Written in UTC, with the weekday, in whole seconds, for years 1900 to 9999.
///
/// Reads that form and its shortenings and old forms (section 4.3): without weekday or seconds, with
/// comments and line folds between the parts, years of two digits (00 to 49 are 2000 to 2049) and three
/// (since 1900), and zones `UT`, `UTC`, `GMT`, `EST` and the other American ones, and single letters, which
/// count as UTC since they were defined the wrong way round. Other zone names are an error rather than
/// UTC. A weekday that is not that of the date is an error, as the RFC demands.
public struct RFC2822Transformer: Transformer {
    static let years = 1900...9999

    /// Makes the transformer.
    public init() {}

    /// Lossy: fractions of a second are rounded down.
    public var traits: TransformerTraits { [.deterministic, .canonical, .lossy] }

    /// The date's text.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        "\(try mailText(of: value)) +0000"
    }

    /// The text's date.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = MailDateScanner(encoded)
        return try scanner.takeDate()
    }
}

/// `Fri, 25 Sep 2015 07:00:00`, which mail and HTTP have in common.
func mailText(of date: Date) throws(TransformerError) -> String {
    let time = date.timeIntervalSinceReferenceDate.rounded(.down)
    guard abs(time) < 1e12, let civil = CivilTime(seconds: Int64(time)),
        RFC2822Transformer.years.contains(civil.year)
    else {
        throw .invalidValue("the date is not in the years 1900 to 9999")
    }
    let day = "\(padded(civil.day, 2)) \(CivilTime.monthNames[civil.month - 1]) \(civil.year)"
    return "\(CivilTime.dayNames[civil.weekday]), \(day) \(civil.timeText)"
}
