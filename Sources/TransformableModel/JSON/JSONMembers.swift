/// Reads the members of a JSON object (RFC 8259) as text.
///
/// A string is returned unescaped, null as `nil`, and anything else exactly as it is written, so that no digit is lost.
package struct JSONMembers {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var isBegun = false

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }

    /// Returns the next member, or `nil` at the end of the object.
    ///
    /// - Throws: ``JSONFault`` if the text is not a JSON object.
    package mutating func next() throws(JSONFault) -> (name: String, text: String?)? {
        if !isBegun {
            try expect("{")
            isBegun = true
            if take("}") { return try end() }
        } else if take("}") {
            return try end()
        } else {
            try expect(",")
        }
        skipSpace()
        guard byte == UInt8(ascii: "\"") else { throw failure("expected the name of a member") }
        let name = try string()
        try expect(":")
        return (name, try value())
    }

    private func end() throws(JSONFault) -> (name: String, text: String?)? {
        guard position == bytes.endIndex else { throw failure("the line does not end after the object") }
        return nil
    }

    private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func failure(_ message: String) -> JSONFault {
        JSONFault(message: "\(message), at byte \(position - bytes.startIndex + 1) of the object")
    }

    private mutating func skipSpace() {
        while let byte, Self.isSpace(byte) { position += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(JSONFault) {
        guard take(sign) else { throw failure("expected “\(sign)”") }
    }
}

// MARK: - Values

extension JSONMembers {
    private mutating func value() throws(JSONFault) -> String? {
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try structure()
        default: return try word()
        }
    }

    /// Returns an object or an array as it is written, without checking that it is well formed.
    private mutating func structure() throws(JSONFault) -> String {
        let start = position
        var depth = 0
        repeat {
            switch byte {
            case nil: throw failure("the closing bracket is missing")
            case UInt8(ascii: "\""): _ = try string()
            case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, position) = (depth + 1, position + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): (depth, position) = (depth - 1, position + 1)
            default: position += 1
            }
        } while depth > 0
        return try text(bytes[start..<position])
    }

    private mutating func word() throws(JSONFault) -> String? {
        let start = position
        while let byte, !Self.isSpace(byte), ![UInt8(ascii: ","), UInt8(ascii: "}")].contains(byte) { position += 1 }
        let word = try text(bytes[start..<position])
        if word == "null" { return nil }
        let isNumber = word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
        guard isNumber || word == "true" || word == "false" else {
            position = start
            throw failure("expected a value")
        }
        return word
    }

    private func text(_ bytes: some Collection<UInt8>) throws(JSONFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSONFault(message: "the row is not UTF-8")
        }
        return text
    }

    /// Returns the content of a string.
    ///
    /// The position is at the opening quotation mark.
    private mutating func string() throws(JSONFault) -> String {
        position += 1
        var content: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw failure("a string contains a control character") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                content += try escaped()
            } else {
                content.append(byte)
            }
        }
        guard byte != nil else { throw failure("the closing quote is missing") }
        position += 1
        return try text(content)
    }

    /// Returns the UTF-8 of an escaped character.
    ///
    /// The position is after the backslash.
    private mutating func escaped() throws(JSONFault) -> [UInt8] {
        guard let byte else { throw failure("the closing quote is missing") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array("\(try scalar())".utf8)
        default: throw failure("a string contains an invalid escape")
        }
    }

    /// Returns the character of four hexadecimal digits, or of two groups of four that form a surrogate pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try digits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard bytes[position...].starts(with: Array("\\u".utf8)) else { throw failure("a surrogate has no partner") }
        position += 2
        let second = try digits()
        guard (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure("a surrogate has no partner") }
        return scalar
    }

    private mutating func digits() throws(JSONFault) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("expected four hexadecimal digits") }
        position += 4
        return number
    }
}

/// A fault in a JSON text.
package struct JSONFault: Error {
    /// The fault, as part of a sentence.
    package let message: String

    package init(message: String) {
        self.message = message
    }
}
