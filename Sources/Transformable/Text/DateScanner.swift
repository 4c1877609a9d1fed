/// Reads the parts of a date from its text.
package struct DateScanner {
    private let bytes: [UInt8]
    package private(set) var position = 0

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    package func failure(_ message: String, at offset: Int? = nil) -> TransformerError {
        .invalidData(message, offset: offset ?? position)
    }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    package mutating func take(_ first: Unicode.Scalar, or second: Unicode.Scalar) -> Bool {
        take(first) || take(second)
    }

    /// Skips a single byte.
    package mutating func skip() {
        position = min(position + 1, bytes.count)
    }

    package mutating func expect(_ character: Unicode.Scalar) throws(TransformerError) {
        guard take(character) else { throw failure("expected “\(character)”") }
    }

    package func expectEnd() throws(TransformerError) {
        guard position == bytes.count else { throw failure("expected the end of the date") }
    }

    /// Consumes digits, and returns their values.
    package mutating func takeDigits() -> [UInt8] {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) {
            position += 1
        }
        return bytes[start..<position].map { $0 - 0x30 }
    }

    /// Consumes a number with a given number of digits, within a range.
    package mutating func takeNumber(
        digits: ClosedRange<Int>,
        in range: ClosedRange<Int>,
        _ what: String
    ) throws(TransformerError) -> Int {
        let start = position
        var number = 0
        while let byte = next, 0x30...0x39 ~= byte {
            // More digits than any range has are only counted.
            if position < start + 9 { number = number * 10 + Int(byte - 0x30) }
            position += 1
        }
        guard digits.contains(position - start) else {
            let count = digits.count == 1 ? "\(digits.lowerBound)" : "\(digits.lowerBound) to \(digits.upperBound)"
            throw failure("expected \(what) with \(count) digits", at: start)
        }
        guard range.contains(number) else {
            throw failure("\(what) must be from \(range.lowerBound) to \(range.upperBound)", at: start)
        }
        return number
    }

    /// Consumes ASCII letters.
    package mutating func takeLetters() -> String {
        let start = position
        while let byte = next, (0x61...0x7A).contains(byte | 0x20) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Consumes one of several names, ignoring case, and returns its index.
    package mutating func takeName(of names: [String], _ what: String) throws(TransformerError) -> Int {
        let start = position
        let name = takeLetters().lowercased()
        guard let index = names.firstIndex(where: { $0.lowercased() == name }) else {
            throw failure("expected \(what)", at: start)
        }
        return index
    }

    /// Consumes `hh:mm:ss`.
    ///
    /// A second of 60 is a leap second.
    package mutating func takeTime() throws(TransformerError) -> (hour: Int, minute: Int, second: Int) {
        let hour = try takeNumber(digits: 2...2, in: 0...23, "an hour")
        try expect(":")
        let minute = try takeNumber(digits: 2...2, in: 0...59, "a minute")
        try expect(":")
        return (hour, minute, try takeNumber(digits: 2...2, in: 0...60, "a second"))
    }
}

extension CivilTime {
    /// Verifies that the day exists in the month.
    package func checkDay(_ scanner: DateScanner, at offset: Int) throws(TransformerError) {
        guard day <= Self.days(in: month, of: year) else {
            throw scanner.failure("month \(month) of \(year) has no day \(day)", at: offset)
        }
    }

    /// Returns the number of seconds since 2001 of this time in a zone with the given offset from UTC, in minutes.
    ///
    /// A leap second, which can only occur at the end of a month in UTC, is treated as the following second.
    package func seconds(
        minutesAhead: Int,
        years: ClosedRange<Int>,
        _ scanner: DateScanner
    ) throws(TransformerError) -> Int64 {
        let result = seconds - Int64(minutesAhead * 60)
        let utc = CivilTime(secondsOfAnyYear: result)
        guard years.contains(utc.year) else {
            throw scanner.failure("the year in UTC must be from \(years.lowerBound) to \(years.upperBound)", at: 0)
        }
        guard second < 60 || (utc.day == 1 && utc.hour == 0 && utc.minute == 0) else {
            throw scanner.failure("a second of 60 is only possible at the end of a month in UTC", at: 0)
        }
        return result
    }
}

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

    /// Consumes `Z` in upper or lower case, `±hh:mm`, `±hhmm`, or `±hh`, and returns the offset from UTC in minutes.
    package mutating func takeZone() throws(TransformerError) -> Int {
        if take("Z", or: "z") { return 0 }
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
        guard hours < 24, minutes < 60 else {
            throw failure("an offset must have less than 24 hours and less than 60 minutes", at: start)
        }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }
}
