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
/// treated as UTC, because they were originally defined with the wrong sign. Any other zone name is an error, and is
/// not treated as UTC. As the RFC requires, a weekday that does not match the date is an error.
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

/// Parses a date of RFC 5322, including obsolete formats and comments and line folds between its parts.
private struct MailDateScanner {
    private var scanner: DateScanner

    init(_ text: String) {
        scanner = DateScanner(text)
    }

    mutating func takeDate() throws(TransformerError) -> Date {
        try skipComments()
        let weekday = try takeWeekday()
        var civil = try takeDay()
        if let weekday, weekday.index != civil.weekday {
            let name = CivilTime.dayNames[civil.weekday]
            throw scanner.failure("\(civil.dateText) was a \(name)", at: weekday.offset)
        }
        try takeTime(into: &civil)
        try skipComments()
        let seconds = try civil.seconds(minutesAhead: takeZone(), years: RFC2822Transformer.years, scanner)
        try skipComments()
        try scanner.expectEnd()
        return Date(timeIntervalSinceReferenceDate: Double(seconds))
    }

    private mutating func takeWeekday() throws(TransformerError) -> (index: Int, offset: Int)? {
        guard let byte = scanner.next, !(0x30...0x39).contains(byte) else { return nil }
        let offset = scanner.position
        let index = try scanner.takeName(of: CivilTime.dayNames, "a weekday such as Fri, or a day's number")
        try skipComments()
        try scanner.expect(",")
        try skipComments()
        return (index, offset)
    }

    private mutating func takeDay() throws(TransformerError) -> CivilTime {
        let start = scanner.position
        let day = try scanner.takeNumber(digits: 1...2, in: 1...31, "a day")
        try skipComments()
        let month = try scanner.takeName(of: CivilTime.monthNames, "a month such as Sep") + 1
        try skipComments()
        let civil = CivilTime(year: try takeYear(), month: month, day: day)
        try civil.checkDay(scanner, at: start)
        try skipComments()
        return civil
    }

    private mutating func takeYear() throws(TransformerError) -> Int {
        let start = scanner.position
        let year = try scanner.takeNumber(digits: 2...4, in: 0...9999, "a year")
        switch scanner.position - start {
        case 2: return year < 50 ? 2000 + year : 1900 + year
        case 3: return 1900 + year
        default:
            guard RFC2822Transformer.years.contains(year) else {
                throw scanner.failure("a year must be from 1900 to 9999", at: start)
            }
            return year
        }
    }

    private mutating func takeTime(into civil: inout CivilTime) throws(TransformerError) {
        civil.hour = try scanner.takeNumber(digits: 2...2, in: 0...23, "an hour")
        try skipComments()
        try scanner.expect(":")
        try skipComments()
        civil.minute = try scanner.takeNumber(digits: 2...2, in: 0...59, "a minute")
        try skipComments()
        guard scanner.take(":") else { return }
        try skipComments()
        civil.second = try scanner.takeNumber(digits: 2...2, in: 0...60, "a second")
    }

    private static let zones = [
        "ut": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
        "pdt": -7,
    ]

    /// Parses a time zone, and returns its offset from UTC in minutes.
    private mutating func takeZone() throws(TransformerError) -> Int {
        let start = scanner.position
        let isAhead = scanner.next == UInt8(ascii: "+")
        if scanner.take("+", or: "-") {
            let offset = try scanner.takeNumber(digits: 4...4, in: 0...9959, "an offset")
            guard offset % 100 < 60 else {
                throw scanner.failure("the minutes of an offset must be less than 60", at: start)
            }
            return (isAhead ? 1 : -1) * (offset / 100 * 60 + offset % 100)
        }
        let name = scanner.takeLetters().lowercased()
        if name.utf8.count == 1, name != "j" { return 0 }
        guard let hours = Self.zones[name] else {
            throw scanner.failure("expected a time zone: an offset such as +0200, or GMT", at: start)
        }
        return hours * 60
    }

    /// Skips whitespace, line folds, and comments, which can be nested.
    private mutating func skipComments() throws(TransformerError) {
        var depth = 0
        let start = scanner.position
        while let byte = scanner.next {
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")") where depth > 0: depth -= 1
            case UInt8(ascii: "\\") where depth > 0: _ = scanner.take("\\")
            case 0x20, 0x09, 0x0D, 0x0A: break
            default: if depth == 0 { return }
            }
            scanner.skip()
        }
        guard depth == 0 else { throw scanner.failure("a comment is never closed", at: start) }
    }
}
