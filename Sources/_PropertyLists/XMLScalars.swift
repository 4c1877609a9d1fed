/// The five entities of XML, and characters by number.
enum XMLEntity {
    static func scalar(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
}

/// Integers as property lists write them: decimal, or hexadecimal after `0x`.
enum XMLNumber {
    static func integer(_ text: String) -> Int128? {
        let sign = text.first == "-" ? "-" : ""
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        guard let first = digits.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else { return nil }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        return isHexadecimal ? Int128(sign + digits.dropFirst(2), radix: 16) : Int128(sign + digits)
    }

    /// A real number in the shortest form that reads back to the same bits.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
        return number.description
    }
}

/// Dates as property lists write them: `2001-01-01T00:00:00Z`, whole seconds, in UTC.
package enum XMLDate {
    private static let secondsPerDay = 86_400

    /// Seconds since the first instant of 2001.
    package static func seconds(_ text: String) -> Int? {
        let isNegative = text.first == "-"
        let bytes = Array(text.utf8.drop { $0 == UInt8(ascii: "-") })
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        let parts = bytes.dropLast().split(omittingEmptySubsequences: false) { "-T:".utf8.contains($0) }
        let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 6, numbers.count == 6, parts.dropFirst().allSatisfy({ $0.count == 2 }),
            parts[0].count <= 9, 1...12 ~= numbers[1], 1...31 ~= numbers[2],
            0...24 ~= numbers[3], 0...59 ~= numbers[4], 0...60 ~= numbers[5]
        else { return nil }
        let year = isNegative ? -numbers[0] : numbers[0]
        let days = days(year: year, month: numbers[1], day: numbers[2])
        guard date(days: days) == (year, numbers[1], numbers[2]) else { return nil }
        return days * secondsPerDay + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
    }

    package static func text(_ seconds: Int) -> String {
        let day = Int((Double(seconds) / Double(secondsPerDay)).rounded(.down))
        let rest = seconds - day * secondsPerDay
        let date = date(days: day)
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(time)Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(abs(number))
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// Days since the first of January 2001 in the proleptic Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        // Years begin in March, so that a leap day is the last of its year.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }

    private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 730_791
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
