internal import Transformable

/// Scans the markup of an XML property list.
struct XMLScanner {
    /// The start tag or the end tag of an element.
    struct Tag {
        var name: Range<Int>
        var isClosing: Bool
        /// Whether the element has no content, as in `<true/>`.
        var isEmpty: Bool
    }

    let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position >= bytes.count }

    func starts(with text: StaticString) -> Bool {
        starts(with: text, at: position)
    }

    private func starts(with text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - offset else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + count]) }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }

    /// Verifies that the XML declaration does not specify an encoding other than UTF-8.
    static func checkEncoding(of bytes: [UInt8]) throws(TransformerError) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let scanner = Self(bytes, from: start)
        guard scanner.starts(with: "<?xml"), let end = bytes[start...].prefix(256).firstIndex(of: UInt8(ascii: ">"))
        else { return }
        let declaration = scanner.text(start..<end).lowercased()
        guard !declaration.contains("encoding") || ["utf-8", "ascii"].contains(where: { declaration.contains($0) })
        else {
            throw TransformerError(.unsupported, "the property list is not in UTF-8", offset: start)
        }
    }

    /// Skips whitespace, comments, processing instructions, and the document type.
    mutating func skipMisc() throws(TransformerError) {
        while true {
            while !isAtEnd, Self.isSpace(bytes[position]) {
                position += 1
            }
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    mutating func skip(past text: StaticString) throws(TransformerError) {
        let start = position
        while !isAtEnd {
            if bytes[position] == text.utf8Start[0], starts(with: text) {
                position += text.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw .invalidData("the XML is truncated: “\(text)” is missing", offset: start)
    }

    /// Skips the document type, which must not declare entities.
    private mutating func skipDocumentType() throws(TransformerError) {
        let start = position
        while !isAtEnd, bytes[position] != UInt8(ascii: ">") {
            guard bytes[position] != UInt8(ascii: "[") else {
                let message = "a property list must not declare entities"
                throw TransformerError(.unsupported, message, offset: position)
            }
            position += 1
        }
        guard !isAtEnd else { throw .invalidData("the XML is truncated: “>” is missing", offset: start) }
        position += 1
    }

    /// Reads the tag at the current position.
    mutating func readTag() throws(TransformerError) -> Tag {
        guard !isAtEnd, bytes[position] == UInt8(ascii: "<") else {
            throw .invalidData("expected a tag in the XML", offset: position)
        }
        let start = position
        position += 1
        let isClosing = !isAtEnd && bytes[position] == UInt8(ascii: "/")
        position += isClosing ? 1 : 0
        let nameStart = position
        while !isAtEnd, isNameByte(bytes[position]) {
            position += 1
        }
        let name = nameStart..<position
        var last: UInt8 = 0
        while !isAtEnd, bytes[position] != UInt8(ascii: ">") {
            last = bytes[position]
            position += 1
            if last == UInt8(ascii: "\"") { try skip(past: "\"") }
            if last == UInt8(ascii: "'") { try skip(past: "'") }
        }
        guard !isAtEnd, !name.isEmpty else { throw .invalidData("a tag of the XML is malformed", offset: start) }
        position += 1
        return Tag(name: name, isClosing: isClosing, isEmpty: last == UInt8(ascii: "/"))
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }

    /// Reads content up to the next markup.
    mutating func readText() -> Range<Int> {
        let start = position
        while !isAtEnd, bytes[position] != UInt8(ascii: "<") {
            position += 1
        }
        return start..<position
    }

    /// Reads the end tag of an element.
    mutating func readEnd(of name: Range<Int>) throws(TransformerError) {
        let start = position
        let tag = try readTag()
        guard tag.isClosing, bytes[tag.name].elementsEqual(bytes[name]) else {
            throw .invalidData("“\(text(name))” is not closed", offset: start)
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

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
        // Converting text rounds only once, so a time before 2001 is converted from its distance to 2001.
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

    /// Returns the text of a time with its fraction, or nil if it is not a number or too far away.
    package static func exactText(_ time: Double) -> String? {
        guard abs(time) < 0x1p50, let parts = DecimalSeconds(exactly: time) else { return nil }
        let whole = text(Int(parts.whole))
        guard !parts.fraction.isEmpty else { return whole }
        return "\(whole.dropLast()).\(parts.fraction.map { "\($0)" }.joined())Z"
    }

    package static func text(_ seconds: Int) -> String {
        let civil = CivilTime(secondsOfAnyYear: Int64(seconds))
        let sign = civil.year < 0 ? "-" : ""
        return
            "\(sign)\(padded(abs(civil.year), 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))T\(civil.timeText)Z"
    }
}
