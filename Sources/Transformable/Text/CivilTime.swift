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

    /// The years that can be written with four digits.
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
        let (cycle, dayOfCycle) = Self.divided(day + Self.dayNumberOf2001, by: Self.daysOfCycle)
        var days = dayOfCycle
        (year, month) = (1 + cycle * 400, 1)
        // 100 years have 36,524 days, and 4 years have 1,461. The last year of a cycle is a leap year.
        for (length, count, most) in [(100, 36_524, 3), (4, 1_461, Int.max), (1, 365, 3)] {
            let passed = min(days / count, most)
            year += passed * length
            days -= passed * count
        }
        while days >= Self.days(in: month, of: year) {
            days -= Self.days(in: month, of: year)
            month += 1
        }
        self.day = days + 1
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
        let date = Self.text([(max(year, 0) % 10_000, 4), (month, 2), (day, 2)], separator: "-")
        guard !(0...9999).contains(year) else { return date }
        return "\(year < 0 ? "-" : "+")\(padded(abs(year), 6))\(date.dropFirst(4))"
    }

    /// The time of day, such as `07:00:00`.
    package var timeText: String {
        Self.text([(hour, 2), (minute, 2), (second, 2)], separator: ":")
    }

    /// Returns numbers that are padded with zeros to their widths.
    private static func text(_ numbers: [(Int, width: Int)], separator: Unicode.Scalar) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10)
        for (number, width) in numbers {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: separator)) }
            bytes += repeatElement(UInt8(ascii: "0"), count: width)
            var rest = number
            for place in 1...width {
                bytes[bytes.count - place] += UInt8(rest % 10)
                rest /= 10
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Returns a number that is padded with zeros to a width.
package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
