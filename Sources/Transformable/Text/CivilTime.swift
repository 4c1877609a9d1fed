/// A date and time of day in UTC, in the proleptic Gregorian calendar (ISO 8601).
///
/// The calculations do not use Foundation's calendars, which switch to the Julian calendar before 1582.
package struct CivilTime: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    /// The years after the beginning of the era that can be written with four digits.
    package static let years = 1...9999

    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The names of the days, starting with Monday, as in ``weekday``.
    package static let dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    private static let secondsPerDay: Int64 = 86_400

    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The number of days since January 1, 2001, which was a Monday.
    private var dayNumber: Int {
        // Before year 1, shifts the date by enough 400-year cycles to make the year positive.
        let cycles = year > 0 ? 0 : -year / 400 + 1
        let previous = year + cycles * 400 - 1
        let leapDays = previous / 4 - previous / 100 + previous / 400
        let daysBefore = (1..<month).reduce(0) { $0 + Self.days(in: $1, of: year) }
        return previous * 365 + leapDays + daysBefore + day - 1 - Self.dayNumberOf2001 - cycles * Self.daysOfCycle
    }

    /// The number of days from January 1 of year 1 to January 1, 2001.
    private static let dayNumberOf2001 = 2000 * 365 + 2000 / 4 - 2000 / 100 + 2000 / 400
    /// The number of days from March 1 of year 0 to January 1 of year 1.
    private static let daysFromMarch = 306
    /// The number of days in 400 years.
    private static let daysOfCycle = 146_097

    /// The day of the week, where 0 is Monday.
    package var weekday: Int {
        let remainder = dayNumber % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// The number of seconds since 00:00 UTC on January 1, 2001.
    package var seconds: Int64 {
        Int64(dayNumber) * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
    }

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The first second of the years with four digits.
    package static let firstSecond = Self(year: years.lowerBound, month: 1, day: 1).seconds
    /// The last second of the years with four digits.
    package static let lastSecond = Self(year: years.upperBound, month: 12, day: 31, hour: 23, minute: 59, second: 59)
        .seconds

    /// Creates a time from a number of seconds since 2001, or returns nil if the year does not have four digits.
    package init?(seconds: Int64) {
        guard (Self.firstSecond...Self.lastSecond).contains(seconds) else { return nil }
        self.init(secondsOfAnyYear: seconds)
    }

    /// Creates a time from a number of seconds since 2001, in any year.
    ///
    /// Year 0 is the year before year 1.
    package init(secondsOfAnyYear seconds: Int64) {
        let (day, time) = Self.divided(Int(seconds), by: Int(Self.secondsPerDay))
        // In a year that begins in March, the leap day is the last day, and the first day of a month is a linear
        // function of the month (H. Hinnant, “chrono-Compatible Low-Level Date Algorithms”, civil_from_days).
        let (cycle, dayOfCycle) = Self.divided(day + Self.dayNumberOf2001 + Self.daysFromMarch, by: Self.daysOfCycle)
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    }

    /// Returns the quotient, rounded down, and the remainder, which is never negative.
    private static func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension CivilTime {
    /// The date, such as `2015-09-25`.
    ///
    /// A year that does not fit in four digits has a sign and at least six digits: `+012015-09-25`.
    package var dateText: String {
        var bytes: [UInt8] = []
        appendDate(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The time of day, such as `07:00:00`.
    package var timeText: String {
        var bytes: [UInt8] = []
        appendTime(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the date and time with a fraction, such as `2015-09-25T07:00:00.125Z`.
    ///
    /// - Parameters:
    ///   - fraction: The digits of the fraction of the second, from 0 to 9.
    ///   - width: The minimum number of digits. Zeros are added at the end.
    /// - Returns: The text.
    package func text(fraction: [UInt8], width: Int = 0) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + fraction.count)
        appendDate(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendTime(to: &bytes)
        if !fraction.isEmpty || width > 0 {
            bytes.append(UInt8(ascii: "."))
            for digit in fraction { bytes.append(digit + 0x30) }
            bytes += repeatElement(UInt8(ascii: "0"), count: max(0, width - fraction.count))
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendDate(to bytes: inout [UInt8]) {
        if (0...9999).contains(year) {
            Self.append(year / 100, to: &bytes)
            Self.append(year % 100, to: &bytes)
        } else {
            bytes += "\(year < 0 ? "-" : "+")\(padded(abs(year), 6))".utf8
        }
        Self.append(month, after: "-", to: &bytes)
        Self.append(day, after: "-", to: &bytes)
    }

    private func appendTime(to bytes: inout [UInt8]) {
        Self.append(hour, to: &bytes)
        Self.append(minute, after: ":", to: &bytes)
        Self.append(second, after: ":", to: &bytes)
    }

    /// Appends a number from 0 to 99 with two digits.
    private static func append(_ number: Int, after separator: Unicode.Scalar? = nil, to bytes: inout [UInt8]) {
        if let separator { bytes.append(UInt8(ascii: separator)) }
        bytes.append(0x30 + UInt8(number / 10))
        bytes.append(0x30 + UInt8(number % 10))
    }
}

/// Returns a number that is padded with zeros to a width.
package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
