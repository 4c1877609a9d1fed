internal import Transformable

/// Reads JSON strictly (RFC 8259), and reports the offset of errors.
struct JSONReader {
    private var scanner: JSONScanner
    private var lastCount = 0

    init(_ bytes: [UInt8]) {
        scanner = JSONScanner(bytes[...])
    }

    mutating func readDocument() throws(TransformerError) -> JSONValue {
        let value = try readValue(depth: 0)
        scanner.skipSpace()
        try scanner.expectEnd()
        return value
    }

    private mutating func readValue(depth: Int) throws(TransformerError) -> JSONValue {
        scanner.skipSpace()
        switch scanner.next {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try scanner.string())
        case UInt8(ascii: "t") where scanner.take(word: "true"): return .bool(true)
        case UInt8(ascii: "f") where scanner.take(word: "false"): return .bool(false)
        case UInt8(ascii: "n") where scanner.take(word: "null"): return .null
        case .some(let byte) where JSONScanner.isPartOfNumber(byte): return try readNumber()
        default: throw scanner.failure("expected a JSON value")
        }
    }

    private func checkDepth(_ depth: Int) throws(TransformerError) {
        guard depth <= StructureLimit.depth else {
            let message = "JSON is nested more than \(StructureLimit.depth) levels deep"
            throw .limitExceeded(message, offset: scanner.position)
        }
    }

    private mutating func readArray(depth: Int) throws(TransformerError) -> [JSONValue] {
        try checkDepth(depth)
        scanner.skipByte()
        var values: [JSONValue] = []
        guard !scanner.take("]") else { return values }
        repeat {
            values.append(try readValue(depth: depth))
        } while scanner.take(",")
        guard scanner.take("]") else { throw scanner.failure("expected “,” or “]”") }
        return values
    }

    private mutating func readObject(depth: Int) throws(TransformerError) -> [String: JSONValue] {
        try checkDepth(depth)
        scanner.skipByte()
        guard !scanner.take("}") else { return [:] }
        // Records often have equal shapes. The bound keeps small objects from taking much memory.
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(lastCount)
        repeat {
            scanner.skipSpace()
            let start = scanner.position
            guard scanner.next == UInt8(ascii: "\"") else { throw scanner.failure("expected a name in double quotes") }
            let name = try scanner.string()
            guard scanner.take(":") else { throw scanner.failure("expected “:”") }
            guard members.updateValue(try readValue(depth: depth), forKey: name) == nil else {
                throw scanner.failure("the object contains this name twice", at: start)
            }
        } while scanner.take(",")
        guard scanner.take("}") else { throw scanner.failure("expected “,” or “}”") }
        lastCount = min(members.count, 8)
        return members
    }

    private mutating func readNumber() throws(TransformerError) -> JSONValue {
        if let integer = scanner.shortInteger() { return .integer(integer) }
        let start = scanner.position
        let (text, isInteger) = try scanner.number()
        let isWhole = isInteger && text != "-0"
        if isWhole {
            if let number = Int64(text) { return .integer(number) }
            if let number = UInt64(text) { return .unsignedInteger(number) }
        }
        guard let number = Double(text), number.isFinite else {
            throw scanner.failure("the number is out of range for a double", at: start)
        }
        return !isWhole && Self.holds(number, text) ? .double(number) : .number(text)
    }

    /// Returns whether a double represents all digits of the text that it was parsed from.
    private static func holds(_ number: Double, _ text: String) -> Bool {
        // A double can represent any 15 digits.
        let isShort = text.utf8.count <= 15 && !text.utf8.contains { $0 | 32 == UInt8(ascii: "e") }
        if isShort { return true }
        let shortest = number.description
        return shortest == text || digits(of: shortest) == digits(of: text)
    }

    /// Returns the digits of a number and the position of its decimal point, which are the same for all forms of a
    /// number.
    private static func digits(of text: String) -> (digits: [UInt8], exponent: Int) {
        let mantissa = text.utf8.prefix { $0 | 32 != UInt8(ascii: "e") }
        let point = mantissa.firstIndex(of: UInt8(ascii: "."))
        let fraction = point.map { mantissa[$0...].count - 1 } ?? 0
        let digits = mantissa.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
        let zeros = digits.reversed().prefix { $0 == 0x30 }.count
        // An exponent that does not fit in 64 bits gets a wrong value here. The nearest double is zero, whose
        // digits differ anyway.
        let exponent = (Int(text.dropFirst(mantissa.count + 1)) ?? 0) &- fraction &+ zeros
        return (Array(digits.dropLast(zeros)), digits.count == zeros ? 0 : exponent)
    }
}
