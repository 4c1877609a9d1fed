internal import Foundation
internal import Transformable

/// Reads JSON strictly (RFC 8259) as a list of tokens, and reports the offset of errors.
struct JSONParser {
    private var scanner: JSONScanner
    private var tokens: [JSONToken] = []
    /// For each open container, whether it is an object.
    private var areObjects: [Bool] = []

    static func parse(_ data: Data) throws(TransformerError) -> [JSONToken] {
        _ = try TextTransformer().decode(data, in: .none)
        var parser = Self(scanner: JSONScanner(Array(data)[...]))
        repeat {
            try parser.parseValue()
            try parser.finishContainers()
        } while !parser.areObjects.isEmpty
        parser.scanner.skipSpace()
        try parser.scanner.expectEnd()
        return parser.tokens
    }

    private init(scanner: JSONScanner) {
        self.scanner = scanner
    }

    /// Parses a scalar, or the beginnings of containers up to a scalar or an end.
    private mutating func parseValue() throws(TransformerError) {
        while true {
            scanner.skipSpace()
            switch scanner.next {
            case UInt8(ascii: "{"):
                try begin(.beginObject, isObject: true)
                if startsWithClosing("}") { return }
                try parseName()
            case UInt8(ascii: "["):
                try begin(.beginArray, isObject: false)
                if startsWithClosing("]") { return }
            case UInt8(ascii: "\""): return tokens.append(.string(try scanner.string()))
            case UInt8(ascii: "t") where scanner.take(word: "true"): return tokens.append(.boolean(true))
            case UInt8(ascii: "f") where scanner.take(word: "false"): return tokens.append(.boolean(false))
            case UInt8(ascii: "n") where scanner.take(word: "null"): return tokens.append(.null)
            case .some(let byte) where JSONScanner.isPartOfNumber(byte): return tokens.append(try parseNumber())
            default: throw scanner.failure("expected a JSON value")
            }
        }
    }

    private mutating func begin(_ token: JSONToken, isObject: Bool) throws(TransformerError) {
        guard areObjects.count < JSONToken.deepest else {
            let message = "the JSON is nested more than \(JSONToken.deepest) levels deep"
            throw .limitExceeded(message, offset: scanner.position)
        }
        scanner.skipByte()
        tokens.append(token)
        areObjects.append(isObject)
    }

    private mutating func startsWithClosing(_ closing: Unicode.Scalar) -> Bool {
        scanner.skipSpace()
        return scanner.next == UInt8(ascii: closing)
    }

    /// Consumes the ends of containers after a value, up to a comma or the end of the text.
    private mutating func finishContainers() throws(TransformerError) {
        while let isObject = areObjects.last {
            if scanner.take(isObject ? "}" : "]") {
                areObjects.removeLast()
                tokens.append(isObject ? .endObject : .endArray)
            } else if scanner.take(",") {
                return isObject ? try parseName() : ()
            } else {
                throw scanner.failure(isObject ? "expected “,” or “}” in an object" : "expected “,” or “]” in an array")
            }
        }
    }

    private mutating func parseName() throws(TransformerError) {
        scanner.skipSpace()
        guard scanner.next == UInt8(ascii: "\"") else {
            throw scanner.failure("expected a name in double quotes in an object")
        }
        tokens.append(.name(try scanner.string()))
        guard scanner.take(":") else { throw scanner.failure("expected “:” after a name") }
    }

    /// Parses a number.
    ///
    /// Digits without a fraction and an exponent are an integer, and anything else is a real number.
    private mutating func parseNumber() throws(TransformerError) -> JSONToken {
        let start = scanner.position
        let (text, isInteger) = try scanner.number()
        if isInteger, let number = Int128(text) { return .integer(number) }
        guard !isInteger, let number = Double(text), number.isFinite else {
            throw scanner.failure("the number is too large", at: start)
        }
        return .real(number)
    }
}
