public import Foundation
public import Transformable

/// A date as ISO 8601 text, `2015-09-25T07:00:00.125Z`, for years 1 to 9999.
///
/// Written in UTC. By default the fraction has as many digits as bring back the same bits; with a
/// stated number of digits the date is rounded, and texts compare as dates do.
///
/// Reads what RFC 3339 allows, strictly: date and time with seconds, then `Z` or an offset `±hh:mm`,
/// `±hhmm` or `±hh`, and any number of digits of a fraction after `.` or `,`. A leap second counts as
/// the second after it.
public struct ISO8601Transformer: Transformer {
    /// How many digits of a second are written; nil for as many as the date has.
    public let fraction: Int?

    /// Makes a transformer of dates that writes them exactly.
    public init() {
        fraction = nil
    }

    /// Makes a transformer of dates.
    ///
    /// - Parameter fraction: How many digits of a second are written, up to 9; nil for as many as the date has.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidArgument`.
    public init(fraction: Int?) throws(TransformerError) {
        guard (0...9).contains(fraction ?? 0) else {
            throw TransformerError(.invalidArgument, "“fraction” is from 0 to 9 digits")
        }
        self.fraction = fraction
    }

    /// Exact without a number of digits; with one, ordered and lossy.
    public var traits: TransformerTraits {
        fraction == nil ? .plain : [.deterministic, .canonical, .ordered, .lossy]
    }

    /// The date's text.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        let time = value.timeIntervalSinceReferenceDate
        let parts = fraction.map { DecimalSeconds(time, digits: $0) } ?? DecimalSeconds(exactly: time)
        guard let parts, let civil = CivilTime(seconds: parts.whole) else {
            throw .invalidValue("the date is not in the years 1 to 9999")
        }
        return "\(civil.dateText)T\(civil.timeText)\(parts.fractionText(width: fraction ?? 0))Z"
    }

    /// The text's date.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = DateScanner(encoded)
        let year = try scanner.takeNumber(digits: 4...4, in: CivilTime.years, "a year")
        var civil = try scanner.takeMonthAndDay(ofYear: year)
        try scanner.expect("T")
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        let fraction = try scanner.takeFraction()
        let seconds = try civil.seconds(minutesAhead: scanner.takeZone(), scanner)
        try scanner.expectEnd()
        let time = DecimalSeconds(whole: seconds, fraction: fraction).time
        guard time.rounded(.down) <= Double(CivilTime.lastSecond) else {
            throw .invalidData("the nearest time that a date holds is in the year 10000", offset: 0)
        }
        return Date(timeIntervalSinceReferenceDate: time)
    }
}
