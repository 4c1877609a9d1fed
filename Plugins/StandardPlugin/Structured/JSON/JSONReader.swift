internal import Transformable

/// A strict JSON parser (RFC 8259), which reports the offset of errors.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private var lastCount = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func readDocument() throws(TransformerError) -> JSONValue {
        let value = try readValue(depth: 0)
        skipSpaces()
        guard position == bytes.count else { throw failure("expected the end of the JSON") }
        return value
    }

    private func failure(_ message: String, at offset: Int? = nil) -> TransformerError {
        .invalidData(message, offset: offset ?? position)
    }

    private mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func readValue(depth: Int) throws(TransformerError) -> JSONValue {
        skipSpaces()
        switch next {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case .some(let byte) where Self.isPartOfNumber(byte): return try readNumber()
        default: throw failure("expected a JSON value")
        }
    }

    private mutating func readWord(_ word: String, _ value: JSONValue) throws(TransformerError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("expected a JSON value") }
        position += word.utf8.count
        return value
    }

    private func checkDepth(_ depth: Int) throws(TransformerError) {
        guard depth <= StructureLimit.depth else {
            throw .limitExceeded("JSON is nested more than \(StructureLimit.depth) levels deep", offset: position)
        }
    }

    private mutating func readArray(depth: Int) throws(TransformerError) -> [JSONValue] {
        try checkDepth(depth)
        position += 1
        var values: [JSONValue] = []
        guard !take("]") else { return values }
        repeat {
            values.append(try readValue(depth: depth))
        } while take(",")
        guard take("]") else { throw failure("expected “,” or “]”") }
        return values
    }

    private mutating func readObject(depth: Int) throws(TransformerError) -> [String: JSONValue] {
        try checkDepth(depth)
        position += 1
        guard !take("}") else { return [:] }
        // Records often have equal shapes. The bound keeps small objects from taking much memory.
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(lastCount)
        repeat {
            skipSpaces()
            let start = position
            guard next == UInt8(ascii: "\"") else { throw failure("expected a name in double quotes") }
            let name = try readString()
            guard take(":") else { throw failure("expected “:”") }
            guard members.updateValue(try readValue(depth: depth), forKey: name) == nil else {
                throw failure("the object contains this name twice", at: start)
            }
        } while take(",")
        guard take("}") else { throw failure("expected “,” or “}”") }
        lastCount = min(members.count, 8)
        return members
    }

    private mutating func readNumber() throws(TransformerError) -> JSONValue {
        if let integer = takeShortInteger() { return .integer(integer) }
        let start = position
        while let byte = next, Self.isPartOfNumber(byte) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        do {
            var scanner = NumberScanner(text)
            _ = try scanner.takeNumber()
            try scanner.expectEnd()
        } catch {
            throw failure(error.message, at: start + (error.offset ?? 0))
        }
        let isWhole = text != "-0" && !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 32 == UInt8(ascii: "e") }
        if isWhole {
            if let number = Int64(text) { return .integer(number) }
            if let number = UInt64(text) { return .unsignedInteger(number) }
        }
        guard let number = Double(text), number.isFinite else {
            throw failure("the number is out of range for a double", at: start)
        }
        return !isWhole && Self.holds(number, text) ? .double(number) : .number(text)
    }

    /// Takes an integer of at most 18 digits, which fits in 64 bits, or nothing.
    private mutating func takeShortInteger() -> Int64? {
        let isNegative = next == UInt8(ascii: "-")
        let start = position + (isNegative ? 1 : 0)
        var end = start
        var number: Int64 = 0
        while end < bytes.count, end - start < 18, (0x30...0x39).contains(bytes[end]) {
            number = number * 10 + Int64(bytes[end] - 0x30)
            end += 1
        }
        // Leading zeros and “-0” are not for here.
        let isPlain = end > start && (bytes[start] != 0x30 || (end == start + 1 && !isNegative))
        guard isPlain, end == bytes.count || !Self.isPartOfNumber(bytes[end]) else { return nil }
        position = end
        return isNegative ? -number : number
    }

    /// Returns whether a double represents all digits of the text that it was parsed from.
    private static func holds(_ number: Double, _ text: String) -> Bool {
        // A double can represent any 15 digits.
        let isShort = text.utf8.count <= 15 && !text.utf8.contains { $0 | 32 == UInt8(ascii: "e") }
        if isShort { return true }
        let shortest = number.description
        return shortest == text || digits(of: shortest) == digits(of: text)
    }

    /// Returns the digits of a number and the position of its decimal point, which are the same for all texts of a
    /// number.
    private static func digits(of text: String) -> (digits: [UInt8], exponent: Int) {
        let mantissa = text.utf8.prefix { $0 | 32 != UInt8(ascii: "e") }
        let point = mantissa.firstIndex(of: UInt8(ascii: "."))
        let fraction = point.map { mantissa[$0...].count - 1 } ?? 0
        let digits = mantissa.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
        let zeros = digits.reversed().prefix { $0 == 0x30 }.count
        let exponent = Int(text.dropFirst(mantissa.count + 1)) ?? 0
        return (Array(digits.dropLast(zeros)), digits.count == zeros ? 0 : exponent - fraction + zeros)
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func readString() throws(TransformerError) -> String {
        position += 1
        let start = position
        var unescaped: [UInt8] = []
        var copied = start
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[copied..<position]
                position += 1
                return try text(unescaped.isEmpty ? rest : (unescaped + rest)[...], at: start)
            case UInt8(ascii: "\\"):
                unescaped += bytes[copied..<position]
                unescaped += try readEscape().utf8
                copied = position
            case 0..<0x20: throw failure("control characters in a string must be escaped")
            default: position += 1
            }
        }
        throw failure("the string has no closing quotation mark")
    }

    private func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(TransformerError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("the string is not valid UTF-8", at: start)
        }
        return text
    }

    private mutating func readEscape() throws(TransformerError) -> String {
        let start = position
        position += 1
        guard let byte = next else { throw failure("the string has no closing quotation mark") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape(at: start)
        default: throw failure("this escape sequence does not exist", at: start)
        }
    }

    private mutating func readUnicodeEscape(at start: Int) throws(TransformerError) -> String {
        var units = [try readUnit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
            position += 2
            units.append(try readUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw failure("a surrogate is unpaired", at: start)
        }
        return text
    }

    private mutating func readUnit() throws(TransformerError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
