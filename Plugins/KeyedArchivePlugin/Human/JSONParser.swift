internal import Foundation
internal import Transformable

/// A strict JSON parser (RFC 8259), which reports the offset of errors.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var tokens: [JSONToken] = []
    /// For each open container, whether it is an object.
    private var areObjects: [Bool] = []

    static func parse(_ data: Data) throws(TransformerError) -> [JSONToken] {
        _ = try TextTransformer().decode(data, in: .none)
        var parser = Self(bytes: Array(data))
        repeat {
            try parser.parseValue()
            try parser.finishContainers()
        } while !parser.areObjects.isEmpty
        parser.skipSpace()
        guard parser.position == parser.bytes.count else { throw parser.failure("expected a single JSON value") }
        return parser.tokens
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

    /// Parses a scalar, or the beginnings of containers up to a scalar or an end.
    private mutating func parseValue() throws(TransformerError) {
        while true {
            skipSpace()
            switch next {
            case UInt8(ascii: "{"):
                try begin(.beginObject, isObject: true)
                if startsWithClosing("}") { return }
                try parseName()
            case UInt8(ascii: "["):
                try begin(.beginArray, isObject: false)
                if startsWithClosing("]") { return }
            case UInt8(ascii: "\""): return tokens.append(.string(try parseString()))
            case UInt8(ascii: "t") where skip("true"): return tokens.append(.boolean(true))
            case UInt8(ascii: "f") where skip("false"): return tokens.append(.boolean(false))
            case UInt8(ascii: "n") where skip("null"): return tokens.append(.null)
            default: return tokens.append(try parseNumber())
            }
        }
    }

    private mutating func begin(_ token: JSONToken, isObject: Bool) throws(TransformerError) {
        guard areObjects.count < JSONToken.deepest else {
            throw .limitExceeded("the JSON is nested more than \(JSONToken.deepest) levels deep", offset: position)
        }
        position += 1
        tokens.append(token)
        areObjects.append(isObject)
    }

    private mutating func startsWithClosing(_ closing: Unicode.Scalar) -> Bool {
        skipSpace()
        return next == UInt8(ascii: closing)
    }

    /// Consumes the ends of containers after a value, up to a comma or the end of the text.
    private mutating func finishContainers() throws(TransformerError) {
        while let isObject = areObjects.last {
            skipSpace()
            if skip(isObject ? "}" : "]") {
                areObjects.removeLast()
                tokens.append(isObject ? .endObject : .endArray)
            } else if skip(",") {
                return isObject ? try parseName() : ()
            } else {
                throw failure(isObject ? "expected “,” or “}” in an object" : "expected “,” or “]” in an array")
            }
        }
    }

    private mutating func parseName() throws(TransformerError) {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw failure("expected a name in double quotes in an object") }
        tokens.append(.name(try parseString()))
        skipSpace()
        guard skip(":") else { throw failure("expected “:” after a name") }
    }

    /// Parses a number.
    ///
    /// Digits without a fraction and an exponent are an integer, and anything else is a real number.
    private mutating func parseNumber() throws(TransformerError) -> JSONToken {
        let start = position
        var isInteger = true
        _ = skip("-")
        let first = position
        skipDigits()
        guard position > first, position == first + 1 || bytes[first] != UInt8(ascii: "0") else {
            throw failure("expected a JSON value")
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
        guard position > start else { throw failure("expected digits in a number") }
    }

    private mutating func parseString() throws(TransformerError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: UTF8.encode(try parseEscape()) ?? .init())
            case 0..<0x20: throw failure("a string contains a control character; write it as an escape sequence")
            default: text.append(byte)
            }
        }
        throw failure("a string is never closed")
    }

    private mutating func parseEscape() throws(TransformerError) -> Unicode.Scalar {
        guard let byte = next else { throw failure("a string is never closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try parseCodePoint()
        default: throw failure("a string contains an unknown escape sequence")
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
        guard let scalar = Unicode.Scalar(number) else { throw failure("a string contains an unpaired surrogate") }
        return scalar
    }

    private mutating func parseUnit() throws(TransformerError) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("expected four hexadecimal digits after “\\u”") }
        position += 4
        return unit
    }
}
