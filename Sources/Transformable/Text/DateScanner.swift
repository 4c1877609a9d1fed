/// Reads the parts of a date's text from its bytes.
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

    package mutating func take(_ characters: Unicode.Scalar...) -> Bool {
        guard let next, characters.contains(Unicode.Scalar(next)) else { return false }
        position += 1
        return true
    }

    /// Passes one byte, whatever it is.
    package mutating func skip() {
        position = min(position + 1, bytes.count)
    }

    package mutating func expect(_ character: Unicode.Scalar) throws(TransformerError) {
        guard take(character) else { throw failure("expected “\(character)”") }
    }

    package func expectEnd() throws(TransformerError) {
        guard position == bytes.count else { throw failure("expected the end of the date") }
    }

    /// The digits that are next, as their values.
    package mutating func takeDigits() -> [UInt8] {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) {
            position += 1
        }
        return bytes[start..<position].map { $0 - 0x30 }
    }

    /// A number of so many digits, within a range.
    package mutating func takeNumber(
        digits: ClosedRange<Int>,
        in range: ClosedRange<Int>,
        _ what: String
    ) throws(TransformerError) -> Int {
        let start = position
        let taken = takeDigits()
        let number = taken.prefix(9).reduce(0) { $0 * 10 + Int($1) }
        guard digits.contains(taken.count) else {
            let count = digits.count == 1 ? "\(digits.lowerBound)" : "\(digits.lowerBound) to \(digits.upperBound)"
            throw failure("expected \(what) of \(count) digits", at: start)
        }
        guard range.contains(number) else {
            throw failure("\(what) is from \(range.lowerBound) to \(range.upperBound)", at: start)
        }
        return number
    }

    /// The ASCII letters that are next.
    package mutating func takeLetters() -> String {
        let start = position
        while let byte = next, (0x61...0x7A).contains(byte | 0x20) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// One of a list of names, in any letter case; gives its index.
    package mutating func takeName(of names: [String], _ what: String) throws(TransformerError) -> Int {
        let start = position
        let name = takeLetters().lowercased()
        guard let index = names.firstIndex(where: { $0.lowercased() == name }) else {
            throw failure("expected \(what)", at: start)
        }
        return index
    }

    /// `hh:mm:ss`, where a second of 60 is a leap second.
    package mutating func takeTime() throws(TransformerError) -> (hour: Int, minute: Int, second: Int) {
        let hour = try takeNumber(digits: 2...2, in: 0...23, "an hour")
        try expect(":")
        let minute = try takeNumber(digits: 2...2, in: 0...59, "a minute")
        try expect(":")
        return (hour, minute, try takeNumber(digits: 2...2, in: 0...60, "a second"))
    }
}

extension CivilTime {
    /// Checks that the month has the day.
    package func checkDay(_ scanner: DateScanner, at offset: Int) throws(TransformerError) {
        guard day <= Self.days(in: month, of: year) else {
            throw scanner.failure("month \(month) of \(year) has no day \(day)", at: offset)
        }
    }

    /// Seconds since 2001 of this time in a zone so many minutes ahead of UTC.
    ///
    /// A leap second, which comes only at the end of a UTC month, counts as the second after it.
    package func seconds(
        minutesAhead: Int,
        years: ClosedRange<Int> = Self.years,
        _ scanner: DateScanner
    ) throws(TransformerError) -> Int64 {
        let result = seconds - Int64(minutesAhead * 60)
        guard let utc = CivilTime(seconds: result), years.contains(utc.year) else {
            throw scanner.failure("in UTC the year is from \(years.lowerBound) to \(years.upperBound)", at: 0)
        }
        guard second < 60 || (utc.day == 1 && utc.hour == 0 && utc.minute == 0) else {
            throw scanner.failure("a minute has a second 60 only at the end of a UTC month", at: 0)
        }
        return result
    }
}
