public import Foundation
public import Transformable

/// A transformer that formats dates as ISO 8601 text, such as `2015-09-25T07:00:00.125Z`, for the years 1 to 9999.
///
/// Dates are written in UTC. By default, the fraction has as many digits as are required to represent the date exactly.
/// With a fixed number of digits, dates are rounded, and texts compare like dates.
///
/// The formats that RFC 3339 allows can be parsed: a date and a time with seconds, an optional fraction with any number
/// of digits after `.` or `,`, and then `Z` or an offset of the form `±hh:mm`, `±hhmm`, or `±hh`. A leap second is
/// treated as the following second.
public struct ISO8601Transformer: Transformer {
    /// The number of fractional digits, or nil for as many as the date needs.
    public let fraction: Int?

    /// Creates a transformer that represents dates exactly.
    public init() {
        fraction = nil
    }

    /// Creates a transformer with a number of fractional digits.
    ///
    /// - Parameter fraction: The number of fractional digits, up to 9, or nil for as many as the date needs.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if the number is invalid.
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
        guard let parts, let civil = CivilTime(seconds: parts.whole) else {
            throw .invalidValue("the date must be in the years 1 to 9999")
        }
        return civil.text(fraction: parts.fraction, width: fraction ?? 0)
    }

    /// Parses a date.
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
            throw .invalidData("the nearest date is in the year 10000", offset: 0)
        }
        return Date(timeIntervalSinceReferenceDate: time)
    }
}
