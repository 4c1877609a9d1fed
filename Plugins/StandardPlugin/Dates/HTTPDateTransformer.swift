public import Foundation
public import Transformable

/// A date as in HTTP headers, `Fri, 25 Sep 2015 07:00:00 GMT` (RFC 9110, section 5.6.7).
///
/// Reads the two obsolete forms as well: `Friday, 25-Sep-15 07:00:00 GMT`, whose years 70 to 99 are
/// those of the last century whatever the clock says, and C's `Fri Sep 25 07:00:00 2015`.
public struct HTTPDateTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Lossy: fractions of a second are rounded down.
    public var traits: TransformerTraits { [.deterministic, .canonical, .lossy] }

    /// The date's text.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> String {
        "\(try mailText(of: value)) GMT"
    }

    /// The text's date.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Date {
        var scanner = DateScanner(encoded)
        let weekday = try Self.takeWeekday(&scanner)
        let civil: CivilTime
        if scanner.take(",") {
            try scanner.expect(" ")
            civil = try Self.takeDate(&scanner)
        } else {
            civil = try Self.takeDateOfC(&scanner)
        }
        try scanner.expectEnd()
        guard weekday == civil.weekday else {
            throw scanner.failure("\(civil.dateText) was a \(CivilTime.dayNames[civil.weekday])", at: 0)
        }
        return Date(
            timeIntervalSinceReferenceDate: Double(
                try civil.seconds(minutesAhead: 0, years: RFC2822Transformer.years, scanner)
            )
        )
    }

    private static let longDayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static func takeWeekday(_ scanner: inout DateScanner) throws(TransformerError) -> Int {
        let name = scanner.takeLetters()
        guard let index = CivilTime.dayNames.firstIndex(of: name) ?? longDayNames.firstIndex(of: name) else {
            throw scanner.failure("expected a weekday such as Fri", at: 0)
        }
        return index
    }

    /// `25 Sep 2015 07:00:00 GMT` or `25-Sep-15 07:00:00 GMT`.
    private static func takeDate(_ scanner: inout DateScanner) throws(TransformerError) -> CivilTime {
        let start = scanner.position
        let day = try scanner.takeNumber(digits: 2...2, in: 1...31, "a day")
        let isOld = scanner.take("-")
        if !isOld { try scanner.expect(" ") }
        let month = try scanner.takeName(of: CivilTime.monthNames, "a month such as Sep") + 1
        try scanner.expect(isOld ? "-" : " ")
        var year = try scanner.takeNumber(digits: isOld ? 2...2 : 4...4, in: isOld ? 0...99 : 1...9999, "a year")
        if isOld { year += year < 70 ? 2000 : 1900 }
        var civil = CivilTime(year: year, month: month, day: day)
        try civil.checkDay(scanner, at: start)
        try scanner.expect(" ")
        (civil.hour, civil.minute, civil.second) = try scanner.takeTime()
        for character in " GMT".unicodeScalars {
            try scanner.expect(character)
        }
        return civil
    }

    /// ` Sep 25 07:00:00 2015` or ` Nov  6 08:49:37 1994`.
    private static func takeDateOfC(_ scanner: inout DateScanner) throws(TransformerError) -> CivilTime {
        try scanner.expect(" ")
        let month = try scanner.takeName(of: CivilTime.monthNames, "a month such as Sep") + 1
        try scanner.expect(" ")
        let start = scanner.position
        let digits = scanner.take(" ") ? 1...1 : 2...2
        let day = try scanner.takeNumber(digits: digits, in: 1...31, "a day")
        try scanner.expect(" ")
        let time = try scanner.takeTime()
        try scanner.expect(" ")
        let year = try scanner.takeNumber(digits: 4...4, in: 1...9999, "a year")
        let civil = CivilTime(
            year: year,
            month: month,
            day: day,
            hour: time.hour,
            minute: time.minute,
            second: time.second
        )
        try civil.checkDay(scanner, at: start)
        return civil
    }
}
