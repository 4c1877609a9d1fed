// The parts of the extended format of ISO 8601, with hyphens and colons.
extension DateScanner {
    /// Consumes the rest of a date after its year, such as `-09-25`.
    package mutating func takeMonthAndDay(ofYear year: Int) throws(TransformerError) -> CivilTime {
        try expect("-")
        let month = try takeNumber(digits: 2...2, in: 1...12, "a month")
        try expect("-")
        let start = position
        let day = try takeNumber(digits: 2...2, in: 1...31, "a day")
        let civil = CivilTime(year: year, month: month, day: day)
        try civil.checkDay(self, at: start)
        return civil
    }

    /// Consumes a point or comma and the digits of a fraction, if present.
    package mutating func takeFraction() throws(TransformerError) -> [UInt8] {
        guard take(".", or: ",") else { return [] }
        let digits = takeDigits()
        guard !digits.isEmpty else { throw failure("expected the digits of a fraction") }
        return digits
    }

    /// Consumes `Z`, `±hh:mm`, `±hhmm`, or `±hh`, and returns the offset from UTC in minutes.
    package mutating func takeZone() throws(TransformerError) -> Int {
        if take("Z") { return 0 }
        let isAhead = next == UInt8(ascii: "+")
        guard take("+", or: "-") else { throw failure("expected a time zone: Z or an offset such as +02:00") }
        let start = position
        let digits = takeDigits()
        var minutes = 0
        if digits.count == 2, take(":") {
            minutes = try takeNumber(digits: 2...2, in: 0...59, "a minute")
        } else if digits.count == 4 {
            minutes = Int(digits[2]) * 10 + Int(digits[3])
        } else if digits.count != 2 {
            throw failure("an offset must have the form ±hh:mm, ±hhmm, or ±hh", at: start)
        }
        let hours = Int(digits[0]) * 10 + Int(digits[1])
        guard hours < 24, minutes < 60 else { throw failure("an offset must be less than 24 hours", at: start) }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }
}
