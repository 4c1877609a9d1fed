internal import Foundation
internal import Transformable

/// Reads JSON (RFC 8259), strictly; a failure names its offset.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0

    static func parse(_ data: Data) throws(TransformerError) -> JSON {
        _ = try TextTransformer().decode(data, in: .none)
        var parser = Self(bytes: Array(data))
        let value = try parser.parseValue(depth: 0)
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.failure("one JSON value is expected") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func failure(_ message: String) -> TransformerError {
        .invalidData(message, offset: position)
    }

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            position += 1
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - position,
            text.withUTF8Buffer({ $0.elementsEqual(bytes[position..<position + count]) })
        else { return false }
        position += count
        return true
    }

    private mutating func parseValue(depth: Int) throws(TransformerError) -> JSON {
        guard depth < JSON.deepest else {
            throw .limitExceeded("the JSON is nested more than \(JSON.deepest) deep", offset: position)
        }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try parseObject(depth: depth)
        case UInt8(ascii: "["): return try parseArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t") where skip("true"): return .boolean(true)
        case UInt8(ascii: "f") where skip("false"): return .boolean(false)
        case UInt8(ascii: "n") where skip("null"): return .null
        default: return try parseNumber()
        }
    }

    private mutating func parseArray(depth: Int) throws(TransformerError) -> JSON {
        position += 1
        var elements: [JSON] = []
        skipSpace()
        if skip("]") { return .array(elements) }
        while true {
            elements.append(try parseValue(depth: depth + 1))
            skipSpace()
            if skip("]") { return .array(elements) }
            guard skip(",") else { throw failure("“,” or “]” is expected in an array") }
        }
    }

    private mutating func parseObject(depth: Int) throws(TransformerError) -> JSON {
        position += 1
        var members: [JSON.Member] = []
        skipSpace()
        if skip("}") { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a name in double quotes is expected in an object") }
            let name = try parseString()
            skipSpace()
            guard skip(":") else { throw failure("“:” is expected after a name") }
            members.append(JSON.Member(name, try parseValue(depth: depth + 1)))
            skipSpace()
            if skip("}") { return .object(members) }
            guard skip(",") else { throw failure("“,” or “}” is expected in an object") }
        }
    }

    /// Digits without fraction and exponent are an integer, anything else a real number.
    private mutating func parseNumber() throws(TransformerError) -> JSON {
        let start = position
        var isInteger = true
        _ = skip("-")
        let first = position
        skipDigits()
        guard position > first, position == first + 1 || bytes[first] != UInt8(ascii: "0") else {
            throw failure("a JSON value is expected")
        }
        if skip(".") {
            isInteger = false
            try requireDigits()
        }
        if skip("e") || skip("E") {
            isInteger = false
            _ = skip("+") || skip("-")
            try requireDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let number = Int128(text) { return .integer(number) }
        guard !isInteger, let number = Double(text), number.isFinite else {
            throw .invalidData("the number is too large", offset: start)
        }
        return .real(number)
    }

    private mutating func skipDigits() {
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
            position += 1
        }
    }

    private mutating func requireDigits() throws(TransformerError) {
        let start = position
        skipDigits()
        guard position > start else { throw failure("digits are expected in a number") }
    }

    private mutating func parseString() throws(TransformerError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: UTF8.encode(try parseEscape()) ?? .init())
            case 0..<0x20: throw failure("a control character stands in a string; write it as an escape")
            default: text.append(byte)
            }
        }
        throw failure("a string is not closed")
    }

    private mutating func parseEscape() throws(TransformerError) -> Unicode.Scalar {
        guard let byte = next else { throw failure("a string is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try parseCodePoint()
        default: throw failure("a string has an escape that JSON does not know")
        }
    }

    private mutating func parseCodePoint() throws(TransformerError) -> Unicode.Scalar {
        var number = UInt32(try parseUnit())
        if 0xD800..<0xDC00 ~= number, skip("\\u") {
            let low = UInt32(try parseUnit())
            if 0xDC00..<0xE000 ~= low {
                number = 0x1_0000 + (number - 0xD800) << 10 + (low - 0xDC00)
            }
        }
        guard let scalar = Unicode.Scalar(number) else { throw failure("a string has half a surrogate pair") }
        return scalar
    }

    private mutating func parseUnit() throws(TransformerError) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("four hexadecimal digits are expected after “\\u”") }
        position += 4
        return unit
    }
}
