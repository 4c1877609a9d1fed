import Foundation
import StandardPlugin
import Testing
import Transformable
import _HostileInputs

@Suite struct DateTests {
    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    /// The seconds are Python's: `datetime.fromisoformat(…).timestamp()`.
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2015-09-25T07:00:00Z", 1_443_164_400), ("2000-02-29T12:34:56Z", 951_827_696),
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("1582-10-10T00:00:00Z", -12_219_724_800), ("2038-01-19T03:14:08Z", 2_147_483_648),
        ("1900-03-01T00:00:00Z", -2_203_891_200), ("2100-02-28T23:59:59Z", 4_107_542_399),
        ("1999-12-31T23:59:59Z", 946_684_799), ("2001-01-01T00:00:00Z", 978_307_200),
        ("2015-09-25T07:00:00.5Z", 1_443_164_400.5), ("1969-12-31T23:59:59.75Z", -0.25),
    ])
    func writesISO8601(text: String, seconds: Double) throws {
        #expect(try encode("iso8601", Self.date(seconds), to: String.self) == text)
        #expect(try decode("iso8601", text, as: Date.self) == Self.date(seconds))
    }

    @Test(arguments: [
        ("2015-09-25T09:00:00+02:00", 1_443_164_400.0), ("2015-09-25T09:00:00+0200", 1_443_164_400),
        ("2015-09-25T09:00:00+02", 1_443_164_400), ("2015-09-24T23:30:00-07:30", 1_443_164_400),
        ("2015-09-25T07:00:00-00:00", 1_443_164_400), ("2015-09-25T07:00:00,250Z", 1_443_164_400.25),
        ("2015-09-25T07:00:00.1250000000000000000000000000000000000000000000000Z", 1_443_164_400.125),
        ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T00:59:60+01:00", 1_483_228_800),
    ])
    func readsISO8601(text: String, seconds: Double) throws {
        #expect(try decode("iso8601", text, as: Date.self) == Self.date(seconds))
    }

    @Test(arguments: [
        ("", 0), ("2015-09-25", 10), ("2015-09-25T07:00Z", 16), ("2015-09-25T07:00:00", 19), ("15-09-25T07:00:00Z", 0),
        ("2015-13-25T07:00:00Z", 5), ("2015-09-31T07:00:00Z", 8), ("2015-02-29T07:00:00Z", 8),
        ("2015-09-25T24:00:00Z", 11), ("2015-09-25T07:60:00Z", 14), ("2015-09-25T07:00:61Z", 17),
        ("2015-09-25T07:00:60Z", 0), ("2015-09-25 07:00:00Z", 10), ("0000-01-01T00:00:00+00:01", 0),
        ("2015-09-25T07:00:00.Z", 20), ("2015-09-25T07:00:00Z ", 20), ("2015-09-25T07:00:00+2", 20),
        ("2015-09-25T07:00:00+24:00", 20), ("2015-09-25T07:00:00+02:60", 23), ("0000-02-30T00:00:00Z", 8),
        ("20150925T070000Z", 0), ("2015-09-25T07:00:00+02:", 23), ("2015-09-25T07:00:00+020", 20),
    ])
    func rejectsOtherISO8601Text(text: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode("iso8601", text, as: Date.self) }
    }

    /// The letters can be in lower case (RFC 3339, section 5.6).
    @Test(arguments: ["1985-04-12T23:20:50Z", "1985-04-12t23:20:50z", "1985-04-12t23:20:50Z", "1985-04-12T23:20:50z"])
    func readsISO8601InEitherCase(text: String) throws {
        #expect(try decode("iso8601", text, as: Date.self) == Self.date(482_196_050))
    }

    /// RFC 3339 has the years 0000 to 9999, and its appendix C makes year 0 a leap year.
    ///
    /// The seconds are GNU `date`'s.
    @Test(arguments: [
        ("0000-01-01T00:00:00Z", -62_167_219_200.0), ("0000-02-29T12:00:00Z", -62_162_078_400),
        ("0000-12-31T23:59:59Z", -62_135_596_801),
    ])
    func writesAndReadsISO8601OfYearZero(text: String, seconds: Double) throws {
        #expect(try encode("iso8601", Self.date(seconds), to: String.self) == text)
        #expect(try decode("iso8601", text, as: Date.self) == Self.date(seconds))
        expectFailure(.invalidValue) { try encode("rfc2822", Self.date(seconds), to: String.self) }
    }

    @Test(arguments: [
        (0, "2015-09-25T07:00:00Z"), (3, "2015-09-25T07:00:00.126Z"), (9, "2015-09-25T07:00:00.125999987Z"),
    ])
    func writesAFixedNumberOfFractionalDigits(digits: Int, text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: 464_857_200.126)
        let expression = "iso8601(fraction: \(digits))"
        #expect(try encode(expression, date, to: String.self) == text)
        #expect(try standardRegistry().resolve(expression, ending: .column).traits.contains([.ordered, .lossy]))
    }

    @Test func roundsUpIntoTheNextYear() throws {
        let date = Date(timeIntervalSinceReferenceDate: -0.0001)
        #expect(try encode("iso8601(fraction: 3)", date, to: String.self) == "2001-01-01T00:00:00.000Z")
        #expect(try encode("iso8601", date, to: String.self) == "2000-12-31T23:59:59.9999Z")
    }

    @Test func randomDatesRoundTripBitForBit() throws {
        var generator = SeededGenerator(seed: 7)
        let transformer = ISO8601Transformer()
        for _ in 0..<20_000 {
            let scale = Double.random(in: -12...11, using: &generator)
            let time = Double.random(in: -1...1, using: &generator) * pow(10, scale)
            guard (-63_113_904_000.0..<252_423_993_600).contains(time) else { continue }
            let date = Date(timeIntervalSinceReferenceDate: time)
            let text = try transformer.encode(date)
            #expect(try transformer.decode(text) == date, "\(time) is \(text)")
        }
    }

    @Test(arguments: [Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude, 1e-300, -1e-17, 0.1, -0.1])
    func datesNearTheReferenceDateRoundTripBitForBit(time: Double) throws {
        let transformer = ISO8601Transformer()
        let date = Date(timeIntervalSinceReferenceDate: time)
        #expect(try transformer.decode(transformer.encode(date)) == date)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 252_423_993_600, -63_145_526_401])
    func rejectsYearsBeyondFourDigits(time: Double) {
        let date = Date(timeIntervalSinceReferenceDate: time)
        expectFailure(.invalidValue) { try encode("iso8601", date, to: String.self) }
        expectFailure(.invalidValue) { try encode("iso8601(fraction: 3)", date, to: String.self) }
        expectFailure(.invalidValue) { try encode("rfc2822", date, to: String.self) }
    }

    /// RFC 5322, appendix A, and what Python's `email.utils` makes of the others.
    @Test(arguments: [
        ("Fri, 25 Sep 2015 07:00:00 +0000", 1_443_164_400.0), ("Fri, 21 Nov 1997 09:55:06 -0600", 880_127_706),
        ("Tue, 1 Jul 2003 10:52:37 +0200", 1_057_049_557), ("1 Jul 2003 10:52 +0200", 1_057_049_520),
        (
            "Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               -0330 (Newfoundland Time)",
            -27_723_480
        ),
        ("21 Nov 97 09:55:06 GMT", 880_106_106), ("Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", 880_127_706),
        ("fri, 21 nov 097 09:55:06 EST", 880_124_106), ("21 Nov 49 00:00 Z", 2_521_065_600),
        ("21 Nov 1997 09:55:06 UTC", 880_106_106), ("(a (nested \\) one)) 21 Nov 1997 09:55:06 UT", 880_106_106),
        ("21 Nov 1997 09:55:06 A", 880_106_106),
    ])
    func readsMailDates(text: String, seconds: Double) throws {
        #expect(try decode("rfc2822", text, as: Date.self) == Self.date(seconds))
    }

    @Test func writesMailAndHTTPDates() throws {
        let date = Self.date(784_111_777)
        #expect(try encode("rfc2822", date, to: String.self) == "Sun, 06 Nov 1994 08:49:37 +0000")
        #expect(try encode("http-date", date, to: String.self) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        ("", 0), ("Thu, 25 Sep 2015 07:00:00 +0000", 0), ("Fri 25 Sep 2015 07:00:00 +0000", 4),
        ("25 Sep 2015 07:00:00", 20), ("25 Sep 2015 07:00:00 CET", 21), ("25 Sep 2015 07:00:00 J", 21),
        ("31 Sep 2015 07:00:00 GMT", 0), ("25 Sept 2015 07:00:00 GMT", 3), ("25 Sep 1899 07:00:00 GMT", 7),
        ("25 Sep 2015 7:00:00 GMT", 12), ("25 Sep 2015 07:00:00 +0060", 21), ("25 Sep 2015 (07:00:00 GMT", 11),
        ("25 Sep 2015 07:00:00 GMT x", 25), ("25 Sep 2015 24:00:00 GMT", 12),
    ])
    func rejectsOtherMailDates(text: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode("rfc2822", text, as: Date.self) }
    }

    /// RFC 9110, section 5.6.7.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func readsTheThreeFormatsOfHTTPDates(text: String) throws {
        #expect(try decode("http-date", text, as: Date.self) == Self.date(784_111_777))
    }

    /// A hundred years shift the weekday: 1894, 1994 and 2094 have three different ones.
    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777.0), ("Saturday, 06-Nov-94 08:49:37 GMT", 3_939_871_777),
        ("Friday, 25-Sep-15 07:00:00 GMT", 1_443_164_400), ("Saturday, 25-Sep-15 07:00:00 GMT", -1_712_595_600),
        ("Tuesday, 29-Feb-00 00:00:00 GMT", 951_782_400),
    ])
    func theWeekdayDeterminesTheCentury(text: String, seconds: Double) throws {
        #expect(try decode("http-date", text, as: Date.self) == Self.date(seconds))
    }

    /// Python's `date.isocalendar()`.
    @Test(arguments: [
        ("2015-09-25", "2015-W39-5", 1_443_139_200.0), ("2016-01-03", "2015-W53-7", 1_451_779_200),
        ("2010-01-03", "2009-W53-7", 1_262_476_800), ("2008-12-29", "2009-W01-1", 1_230_508_800),
        ("2020-12-31", "2020-W53-4", 1_609_372_800), ("0001-01-01", "0001-W01-1", -62_135_596_800),
        ("9999-12-31", "9999-W52-5", 253_402_214_400), ("1582-10-10", "1582-W40-7", -12_219_724_800),
        ("2005-01-01", "2004-W53-6", 1_104_537_600), ("1969-12-28", "1969-W52-7", -345_600),
    ])
    func writesDays(date: String, week: String, seconds: Double) throws {
        for time in [seconds, seconds + 86_399.75] {
            #expect(try encode("iso8601-date", Self.date(time), to: String.self) == date)
            #expect(try encode("iso8601-week", Self.date(time), to: String.self) == week)
        }
        #expect(try decode("iso8601-date", date, as: Date.self) == Self.date(seconds))
        #expect(try decode("iso8601-week", week, as: Date.self) == Self.date(seconds))
    }

    @Test(arguments: [
        ("iso8601-date", "2015-09-25T00:00:00Z", 10), ("iso8601-date", "2015-02-29", 8),
        ("iso8601-date", "20150925", 0),
        ("iso8601-week", "2015-W54-1", 6), ("iso8601-week", "2014-W53-1", 6), ("iso8601-week", "2015-W00-1", 6),
        ("iso8601-week", "2015-W39-8", 9), ("iso8601-week", "2015-W39", 8), ("iso8601-week", "2015W395", 4),
        ("iso8601-week", "9999-W52-6", 6), ("iso8601-week", "2015-w39-5", 5),
    ])
    func rejectsOtherDays(expression: String, text: String, offset: Int) {
        expectFailure(.invalidData, at: offset) { try decode(expression, text, as: Date.self) }
    }

    @Test(
        arguments: ["iso8601-date", "iso8601-week"],
        [Double.nan, .infinity, 1e300, 253_402_300_800, -62_135_596_801]
    )
    func rejectsDaysBeyondFourDigitYears(expression: String, seconds: Double) {
        expectFailure(.invalidValue) { try encode(expression, Self.date(seconds), to: String.self) }
    }

    /// The proleptic Gregorian calendar, as Python's `datetime` has it.
    @Test(arguments: [
        ("0801-02-22", -36_885_542_400.0), ("0800-02-29", -36_916_560_000), ("1582-10-14", -12_219_379_200),
        ("2015-09-25", 1_443_139_200),
    ])
    func theISOCalendarHasNoJulianDates(text: String, seconds: Double) throws {
        let expression = "date-format(pattern: \"yyyy-MM-dd\", calendar: iso8601)"
        #expect(try encode(expression, Self.date(seconds), to: String.self) == text)
        #expect(try decode(expression, text, as: Date.self) == Self.date(seconds))
        expectFailure(.invalidData) { try decode(expression, "0900-02-29", as: Date.self) }
    }

    /// What is written is read back as the same day or year, or refused.
    @Test(arguments: [
        ("y-MM-dd", "japanese", 1.0), ("Gy-MM-dd", "japanese", 1), ("YYYY-MM-dd", "gregorian", 1),
        ("y-MM-dd bbb", "gregorian", 1), ("yy-MM-dd", "gregorian", 1), ("d MMMM y", "islamic-civil", 1),
        ("y", "gregorian", 366),
    ])
    func writesOnlyDatesThatItCanRead(pattern: String, calendar: String, days: Double) throws {
        let expression = "date-format(pattern: \"\(pattern)\", calendar: \(calendar))"
        let transformer = try standardRegistry().resolve(expression, ending: .anything)
            .reversible(from: Date.self, to: String.self)
        var count = 0
        for year in stride(from: -1900.0, through: 200, by: 9.7) {
            let date = Date(timeIntervalSinceReferenceDate: (year * 365.25 * 86_400).rounded())
            do {
                let text = try transformer.encode(date)
                let lost = try date.timeIntervalSince(transformer.decode(text))
                #expect((0..<days * 86_400).contains(lost), "\(text)")
                count += 1
            } catch let error as TransformerError {
                #expect(error.code == .invalidValue)
            }
        }
        #expect(count > 0)
    }

    /// August 8, 2021, in the year 3 of its era; a day in 28 BC; August 16, 1906; and December 29, 2025, whose week
    /// belongs to 2026, so that ICU writes “2026-12-29”, and reads it as that day.
    @Test(arguments: [
        ("y-MM-dd", "japanese", 1_628_380_800.0), ("yyyy-MM-dd", "gregorian", -63_000_000_000),
        ("yy-MM-dd", "gregorian", -2_000_000_000), ("'year' yy", "gregorian", -2_000_000_000),
        ("YYYY-MM-dd", "iso8601", 1_766_966_400),
    ])
    func refusesToWriteAYearThatWouldBeReadAsAnother(pattern: String, calendar: String, seconds: Double) {
        let expression = "date-format(pattern: \"\(pattern)\", calendar: \(calendar))"
        expectFailure(.invalidValue) { try encode(expression, Self.date(seconds), to: String.self) }
    }

    /// A pattern without a year loses it, whatever letters its text contains.
    @Test func writesDaysWithoutAYear() throws {
        let expression = "date-format(pattern: \"'yearly on' MMMM d\")"
        #expect(try encode(expression, Self.date(1_443_164_400), to: String.self) == "yearly on September 25")
    }

    /// Midnights, as days since 1970, and how other programs write them.
    ///
    /// PyICU and hijridate (van Gent's tables) agree on Umm al-Qura, PyICU and convertdate on the civil calendar; the
    /// tabular one, which begins a day earlier, is PyICU's.
    @Test(arguments: [
        ("islamic", 16_703, "1436-12-12"), ("islamic", 11_688, "1422-10-17"), ("islamic", 12_500, "1425-02-02"),
        ("islamic-umm-al-qura", 10_957, "1420-09-24"), ("islamic-umm-al-qura", 13_879, "1428-12-22"),
        ("islamic-umm-al-qura", 18_262, "1441-05-06"), ("islamic-umm-al-qura", 20_000, "1446-04-01"),
        ("islamic-civil", -26_298, "1315-08-06"), ("islamic-civil", 0, "1389-10-22"),
        ("islamic-civil", 16_703, "1436-12-11"), ("islamic-civil", 20_000, "1446-03-30"),
        ("islamic-tabular", -26_298, "1315-08-07"), ("islamic-tabular", 0, "1389-10-23"),
        ("islamic-tabular", 16_703, "1436-12-12"), ("islamic-tabular", 20_000, "1446-04-01"),
    ])
    func writesAndReadsIslamicCalendars(calendar: String, day: Int, text: String) throws {
        let expression = "date-format(pattern: \"yyyy-MM-dd\", calendar: \(calendar))"
        let date = Self.date(Double(day) * 86_400)
        #expect(try encode(expression, date, to: String.self) == text)
        #expect(try decode(expression, text, as: Date.self) == date)
    }

    @Test(arguments: [
        "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun Nov 6 08:49:37 1994", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun",
    ])
    func rejectsOtherHTTPDates(text: String) {
        expectFailure(.invalidData) { try decode("http-date", text, as: Date.self) }
    }

    @Test func countsSecondsSince1970() throws {
        #expect(try encode("unix-time", Self.date(1_443_164_400.5), to: Double.self) == 1_443_164_400.5)
        #expect(try decode("unix-time", 1_443_164_400.5, as: Date.self) == Self.date(1_443_164_400.5))
        let milliseconds = "unix-time(unit: milliseconds, form: integer)"
        #expect(try encode(milliseconds, Self.date(1_443_164_400.5), to: Int64.self) == 1_443_164_400_500)
        #expect(try decode(milliseconds, Int64(1_443_164_400_500), as: Date.self) == Self.date(1_443_164_400.5))
        #expect(
            try encode("unix-time | double(order: big)", Self.date(1), to: Data.self) == Data(hex: "3ff0000000000000")
        )
        #expect(try encode("unix-time(form: integer) | int32", Self.date(1), to: Data.self) == Data([1, 0, 0, 0]))
        #expect(try standardRegistry().resolve("unix-time", ending: .column).traits.contains(.ordered))
        expectFailure(.invalidValue) { try encode("unix-time", Self.date(.nan), to: Double.self) }
        expectFailure(.invalidValue) { try encode("unix-time(form: integer)", Self.date(1e30), to: Int64.self) }
        expectFailure(.invalidData) { try decode("unix-time(form: integer)", Int64.min, as: Date.self) }
    }

    @Test func countsSecondsSince2001BitForBit() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
        let bytes = try encode("reference-time | double", date, to: Data.self)
        #expect(try decode("reference-time | double", bytes, as: Date.self) == date)
        expectFailure(.invalidData) { try decode("reference-time", Double.nan, as: Date.self) }
    }

    /// Mantle's values.
    @Test(arguments: [("September 25, 2015", 1_443_164_400.0), ("June 29, 2007", 1_183_100_400)])
    func writesDatesWithAPattern(text: String, midnight: Double) throws {
        let expression = """
            date-format(pattern: "MMMM d, yyyy", locale: "en_US", zone: "America/Los_Angeles")
            """
        #expect(try encode(expression, Self.date(midnight), to: String.self) == text)
        #expect(try decode(expression, text, as: Date.self) == Self.date(midnight))
        #expect(try encode(expression, Self.date(1_183_135_260), to: String.self) == "June 29, 2007")
        for wrong in ["September 37, 2015", "Jan\u{301}uary 3, 2001", "\(text)\u{301}", "\(text) x", " \(text)", ""] {
            expectFailure(.invalidData) { try decode(expression, wrong, as: Date.self) }
        }
    }

    @Test func writesOtherCalendars() throws {
        let expression = "date-format(pattern: \"yyyy\", calendar: buddhist)"
        #expect(try encode(expression, Self.date(0), to: String.self) == "2513")
    }

    @Test(arguments: [
        "date-format(pattern: \"\")", "date-format(pattern: \"y\", zone: \"Nowhere/X\")",
        "date-format(pattern: \"y\", locale: \"xx_YY\")", "iso8601(fraction: 10)", "unix-time(unit: days)",
    ])
    func rejectsInvalidArguments(expression: String) {
        expectFailure(.invalidArgument) {
            try standardRegistry().resolve(expression, for: Date.self, ending: .anything)
        }
    }
}
