internal import Foundation

/// Parses JSON (RFC 8259) into a tree that keeps the digits of its numbers.
///
/// An error states the line and column.
struct JSONTreeParser {
    struct Failure: Error {
        let message: String
        let place: TextPlace
    }

    private static let deepest = 512
    private let bytes: [UInt8]
    private var position = 0

    /// Parses a document.
    static func tree(of json: Data) throws(Failure) -> JSONTree {
        var parser = Self(bytes: Array(json))
        if json.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        guard String(validating: parser.bytes, as: UTF8.self) != nil else { throw parser.failure("it is not UTF-8") }
        let tree = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.next == nil else { throw parser.failure("expected the end of the document") }
        return tree
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ message: String, at offset: Int? = nil) -> Failure {
        Failure(message: message, place: TextPlace(min(offset ?? position, bytes.count), in: bytes))
    }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONTree {
        guard depth <= Self.deepest else { throw failure("the nesting is deeper than \(Self.deepest) levels") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try elements(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private mutating func elements(depth: Int) throws(Failure) -> [JSONTree] {
        position += 1
        var elements: [JSONTree] = []
        if take("]") { return elements }
        repeat { elements.append(try value(depth: depth)) } while take(",")
        guard take("]") else { throw failure("expected “,” or “]”") }
        return elements
    }

    private mutating func members(depth: Int) throws(Failure) -> [String: JSONTree] {
        position += 1
        var members: [String: JSONTree] = [:]
        if take("}") { return members }
        repeat {
            skipSpace()
            let start = position
            guard next == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
            let key = try string()
            guard take(":") else { throw failure("expected “:”") }
            guard members.updateValue(try value(depth: depth), forKey: key) == nil else {
                throw failure("the key “\(key)” is used twice in the same object", at: start)
            }
        } while take(",")
        guard take("}") else { throw failure("expected “,” or “}”") }
        return members
    }

    // MARK: - Scalars

    private mutating func word() throws(Failure) -> JSONTree {
        let start = position
        while let next, !(next <= 0x20 || ",:]}[{\"".utf8.contains(next)) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        guard Self.isNumber(bytes[start..<position]) else {
            throw failure(word.isEmpty ? "expected a value" : "“\(word)” is not a JSON value", at: start)
        }
        if let number = Int64(word) { return .integer(number) }
        // An integer may be written with a fraction of zeros.
        if let number = Double(word), number.says(word), let whole = Int64(exactly: number) { return .integer(whole) }
        return .number(word)
    }

    /// Returns whether a word is a number as RFC 8259 defines it in section 6.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        func takeDigits() -> Int {
            let digits = rest.prefix(while: isDigit)
            rest = rest[digits.endIndex...]
            return digits.count
        }
        func take(_ signs: String) -> Bool {
            guard let first = rest.first, signs.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take("-")
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = takeDigits()
        guard count == 1 || (count > 1 && !startsWithZero) else { return false }
        if take("."), takeDigits() == 0 { return false }
        if take("eE") {
            _ = take("+-")
            if takeDigits() == 0 { return false }
        }
        return rest.isEmpty
    }

    /// Reads a string.
    ///
    /// Foundation decodes its escapes.
    private mutating func string() throws(Failure) -> String {
        let start = position
        position += 1
        var isSimple = true
        while let next, next != UInt8(ascii: "\"") {
            if next == UInt8(ascii: "\\") || next < 0x20 { isSimple = false }
            position += next == UInt8(ascii: "\\") ? 2 : 1
        }
        guard next != nil else { throw failure("the closing quote is missing", at: start) }
        position += 1
        if isSimple { return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self) }
        guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<position])) else {
            throw failure("the string contains a control character or an invalid escape", at: start)
        }
        return text
    }
}
