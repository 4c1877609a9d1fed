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
        var civil = try Self.takeDate(&scanner)
        try scanner.expect("T")
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        var fraction: [UInt8] = []
        if scanner.take(".", ",") {
            fraction = scanner.takeDigits()
            guard !fraction.isEmpty else { throw scanner.failure("expected the digits of a fraction") }
        }
        let seconds = try civil.seconds(minutesAhead: Self.takeZone(&scanner), scanner)
        try scanner.expectEnd()
        let time = DecimalSeconds(whole: seconds, fraction: fraction).time
        guard time.rounded(.down) <= Double(CivilTime.lastSecond) else {
            throw .invalidData("the nearest time that a date holds is in the year 10000", offset: 0)
        }
        return Date(timeIntervalSinceReferenceDate: time)
    }

    private static func takeDate(_ scanner: inout DateScanner) throws(TransformerError) -> CivilTime {
        let year = try scanner.takeNumber(digits: 4...4, in: CivilTime.years, "a year")
        try scanner.expect("-")
        let month = try scanner.takeNumber(digits: 2...2, in: 1...12, "a month")
        try scanner.expect("-")
        let start = scanner.position
        let day = try scanner.takeNumber(digits: 2...2, in: 1...31, "a day")
        let civil = CivilTime(year: year, month: month, day: day)
        try civil.checkDay(scanner, at: start)
        return civil
    }

    /// Minutes ahead of UTC.
    private static func takeZone(_ scanner: inout DateScanner) throws(TransformerError) -> Int {
        if scanner.take("Z") { return 0 }
        let isAhead = scanner.next == UInt8(ascii: "+")
        guard scanner.take("+", "-") else {
            throw scanner.failure("expected a time zone: Z or an offset such as +02:00")
        }
        let start = scanner.position
        let digits = scanner.takeDigits()
        var minutes = 0
        if digits.count == 2, scanner.take(":") {
            minutes = try scanner.takeNumber(digits: 2...2, in: 0...59, "a minute")
        } else if digits.count == 4 {
            minutes = Int(digits[2]) * 10 + Int(digits[3])
        } else if digits.count != 2 {
            throw scanner.failure("an offset is written ±hh:mm, ±hhmm or ±hh", at: start)
        }
        let hours = Int(digits[0]) * 10 + Int(digits[1])
        guard hours < 24, minutes < 60 else { throw scanner.failure("an offset is less than 24 hours", at: start) }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }
}
