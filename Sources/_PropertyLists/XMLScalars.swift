internal import Transformable

/// The five predefined entities of XML, and numeric character references.
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
        // Numbers read from text may have a sign, which XML does not allow.
        guard !digits.contains(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
}

/// The numbers of property lists.
///
/// Integers are decimal, or hexadecimal after `0x`.
enum XMLNumber {
    static func integer(_ text: String) -> Int128? {
        let sign = text.first == "-" ? "-" : ""
        let number = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        let isHexadecimal = number.hasPrefix("0x") || number.hasPrefix("0X")
        let digits = isHexadecimal ? number.dropFirst(2) : number
        // `Int128` accepts another sign before the digits.
        guard digits.first?.isHexDigit == true else { return nil }
        return Int128(sign + digits, radix: isHexadecimal ? 16 : 10)
    }

    /// Returns the shortest text that represents a real number exactly.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
        return number.description
    }
}

/// The dates of property lists, such as `2001-01-01T00:00:00Z`, in whole seconds and UTC.
///
/// Fractions of a second are also read.
package enum XMLDate {
    /// Returns the seconds since January 1, 2001, including a fraction.
    static func time(_ text: String) -> Double? {
        guard let point = text.firstIndex(of: "."), text.last == "Z" else { return seconds(text).map(Double.init) }
        let digits = text[text.index(after: point)...].dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let whole = seconds(text[..<point] + "Z")
        else { return nil }
        // The conversion of a text rounds only once, so a time before 2001 is converted from its distance to 2001.
        if whole >= 0 { return Double("\(whole).\(digits)") }
        let number = Double("\(-whole - 1).\(complement(digits))")
        return digits.contains { $0 != "0" } ? number.map { -$0 } : Double(whole)
    }

    /// Returns the digits of one minus a fraction, which is not zero.
    private static func complement(_ digits: Substring) -> String {
        let significant = Array(digits.utf8.reversed().drop { $0 == UInt8(ascii: "0") }.reversed())
        let complements = significant.enumerated()
            .map { index, digit in (index == significant.count - 1 ? 10 : 9) - (digit - 0x30) }
        return String(decoding: complements.map { $0 + 0x30 }, as: UTF8.self)
    }

    /// Returns the whole seconds since January 1, 2001.
    package static func seconds(_ text: String) -> Int? {
        let isNegative = text.first == "-"
        let bytes = Array(text.utf8.drop { $0 == UInt8(ascii: "-") })
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        let parts = bytes.dropLast().split(omittingEmptySubsequences: false) { "-T:".utf8.contains($0) }
        // `Int` accepts a sign before the digits.
        let numbers = parts.filter { $0.first != UInt8(ascii: "+") }
            .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 6, numbers.count == 6, parts.dropFirst().allSatisfy({ $0.count == 2 }),
            parts[0].count <= 9, 1...12 ~= numbers[1], 1...31 ~= numbers[2],
            0...24 ~= numbers[3], 0...59 ~= numbers[4], 0...60 ~= numbers[5]
        else { return nil }
        let civil = CivilTime(year: isNegative ? -numbers[0] : numbers[0], month: numbers[1], day: numbers[2])
        guard civil.day <= CivilTime.days(in: civil.month, of: civil.year) else { return nil }
        return Int(civil.seconds) + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
    }

    package static func text(_ seconds: Int) -> String {
        let civil = CivilTime(secondsOfAnyYear: Int64(seconds))
        let sign = civil.year < 0 ? "-" : ""
        return
            "\(sign)\(padded(abs(civil.year), 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))T\(civil.timeText)Z"
    }
}
