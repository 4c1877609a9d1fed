internal import Foundation
internal import Transformable

/// Splits the text of a condition into tokens.
struct ConditionScanner {
    enum Token: Hashable {
        case name(String)
        /// Names joined by periods, at least one of which is in backquotes.
        ///
        /// They are never keywords.
        case quotedPath([String])
        case literal(Operand.Literal)
        /// The name of a parameter, without its dollar sign.
        case parameter(String)
        case sign(String)
        case end
    }

    private let bytes: [UInt8]
    private(set) var offset = 0
    // Whether a sign that follows is an operator, rather than part of a number.
    private var isAfterOperand = false

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func error(_ message: String, at offset: Int) -> StoreError {
        StoreError(.invalidCondition, message, offset: offset)
    }

    /// Returns the next token and its offset.
    mutating func next() throws(StoreError) -> (token: Token, offset: Int) {
        while offset < bytes.count, [32, 9, 10, 13].contains(bytes[offset]) { offset += 1 }
        let start = offset
        let token = try token()
        switch token {
        case .name, .quotedPath, .literal, .parameter, .sign(")"): isAfterOperand = true
        case .sign, .end: isAfterOperand = false
        }
        return (token, start)
    }

    private mutating func token() throws(StoreError) -> Token {
        guard offset < bytes.count else { return .end }
        let byte = bytes[offset]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .literal(.string(try string(byte)))
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): return .literal(try number())
        case UInt8(ascii: "-"), UInt8(ascii: "+"): return isNumber ? .literal(try number()) : .sign(try sign())
        case UInt8(ascii: "$"): return .parameter(try parameter())
        case _ where Self.isWord(byte) || byte == Self.backquote: return try path()
        default: return .sign(try sign())
        }
    }

    /// Whether a sign starts a number.
    private var isNumber: Bool {
        guard !isAfterOperand, offset + 1 < bytes.count else { return false }
        return Self.isDigit(bytes[offset + 1]) || bytes[offset + 1] == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...: true
        default: false
        }
    }

    private mutating func take(while accepts: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, accepts(bytes[offset]) { offset += 1 }
        return bytes[start..<offset]
    }

    private static let backquote = UInt8(ascii: "`")

    private mutating func parameter() throws(StoreError) -> String {
        let start = offset
        offset += 1
        let name = String(decoding: take(while: Self.isWord), as: UTF8.self).composed
        guard !name.isEmpty else { throw error("“$” must be followed by the name of a parameter", at: start) }
        return name
    }

    /// Reads a name, or several names joined by periods.
    private mutating func path() throws(StoreError) -> Token {
        var names: [String] = []
        var isQuoted = false
        repeat {
            if bytes[offset] == Self.backquote {
                isQuoted = true
                names.append(try quoted(Self.backquote))
            } else {
                let start = offset
                if bytes[offset] == UInt8(ascii: "@") { offset += 1 }
                _ = take(while: Self.isWord)
                names.append(String(decoding: bytes[start..<offset], as: UTF8.self).composed)
            }
        } while takePoint()
        return isQuoted ? .quotedPath(names) : .name(names.joined(separator: "."))
    }

    /// Consumes a period that is followed by another name.
    private mutating func takePoint() -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ".") else { return false }
        let isComputed = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "@")
        let next = isComputed ? offset + 2 : offset + 1
        guard next < bytes.count, Self.isWord(bytes[next]) || (!isComputed && bytes[next] == Self.backquote) else {
            return false
        }
        offset += 1
        return true
    }

    private mutating func sign() throws(StoreError) -> String {
        for sign in ["==", "!=", "<>", "<=", ">=", "&&", "||"] where bytes[offset...].starts(with: sign.utf8) {
            offset += 2
            return sign
        }
        let sign = Character(Unicode.Scalar(bytes[offset]))
        guard "=<>!(),+-*/%[]".contains(sign) else {
            let remedy = "put text in quotes, and names in backquotes"
            throw error("the character “\(sign)” has no meaning here; \(remedy)", at: offset)
        }
        offset += 1
        return String(sign)
    }

    /// Reads a name or text, in which the closing quote is written twice.
    private mutating func quoted(_ quote: UInt8) throws(StoreError) -> String {
        let start = offset
        var content: [UInt8] = []
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            guard byte == quote else {
                content.append(byte)
                continue
            }
            guard offset < bytes.count, bytes[offset] == quote else {
                return String(decoding: content, as: UTF8.self)
            }
            content.append(quote)
            offset += 1
        }
        throw error("the closing quote is missing", at: start)
    }

    private mutating func string(_ quote: UInt8) throws(StoreError) -> String {
        guard quote == UInt8(ascii: "\"") else { return try quoted(quote) }
        let start = offset
        offset += 1
        while offset < bytes.count, bytes[offset] != quote {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard offset < bytes.count else { throw error("the closing quote is missing", at: start) }
        offset += 1
        let literal = Data(bytes[start..<offset])
        guard literal.contains(UInt8(ascii: "\\")) else {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        do {
            return try JSONDecoder().decode(String.self, from: literal)
        } catch {
            throw self.error("the text contains an invalid escape", at: start)
        }
    }

    /// Reads a number or a date.
    ///
    /// Both start with digits.
    private mutating func number() throws(StoreError) -> Operand.Literal {
        let start = offset
        if isDay { return try date() }
        if !Self.isDigit(bytes[offset]), bytes[offset] != UInt8(ascii: ".") { offset += 1 }
        _ = take { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
        if offset < bytes.count, bytes[offset] | 32 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, [43, 45].contains(bytes[offset]) { offset += 1 }
        }
        _ = take(while: Self.isWord)
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if let number = Int64(text) { return .integer(number) }
        let isDecimal = text.utf8.allSatisfy { Self.isDigit($0) || [43, 45, 46, 69, 101].contains($0) }
        guard isDecimal, Double(text) != nil else {
            throw error("“\(text)” is neither a number nor a date", at: start)
        }
        guard let number = RealText.number(text, as: Double.self) else {
            throw error("the number “\(text)” is too large, or too close to zero", at: start)
        }
        return .number(number, text: text)
    }

    /// Whether four digits, two digits, and two digits follow, separated by hyphens.
    private var isDay: Bool {
        let characters = bytes[offset...].prefix(10)
        return characters.count == 10
            && zip(characters, "0000-00-00".utf8)
                .allSatisfy { $1 == UInt8(ascii: "0") ? Self.isDigit($0) : $0 == $1 }
    }

    private mutating func date() throws(StoreError) -> Operand.Literal {
        let start = offset
        let characters = take { byte in
            Self.isWord(byte)
                || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ":")].contains(byte)
        }
        let text = String(decoding: characters, as: UTF8.self)
        if let fault = PlainText.fault(text, as: .date) {
            throw error("“\(text)” is not a date: \(fault.message)", at: start)
        }
        return .date(text)
    }
}
