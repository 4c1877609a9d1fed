/// A scanner of JSON text (RFC 8259), which every reader of JSON in the package is built on.
///
/// It takes one token at a time, so that a reader decides what to build from them, and how deep they may be nested.
package struct JSONScanner {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    /// Creates a scanner at the beginning of the text.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The number of bytes before the next one.
    package var position: Int { index - bytes.startIndex }

    /// The next byte, or `nil` at the end of the text.
    package var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    package func failure(_ message: String, at offset: Int? = nil) -> TransformerError {
        .invalidData(message, offset: offset ?? position)
    }

    package mutating func skipSpace() {
        while index < bytes.endIndex, Self.isSpace(bytes[index]) { index += 1 }
    }

    /// Skips a byte, whatever it is.
    package mutating func skipByte() {
        index = min(index + 1, bytes.endIndex)
    }

    /// Takes a structural character after whitespace, if it is the next one.
    package mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    /// Takes a literal name, such as `true`, if it is next.
    package mutating func take(word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard count <= bytes.endIndex - index,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[index..<index + count]) })
        else { return false }
        index += count
        return true
    }

    /// Throws an error if anything follows.
    package func expectEnd() throws(TransformerError) {
        guard index == bytes.endIndex else { throw failure("expected the end of the JSON") }
    }

    /// Returns the text from an offset to the next byte.
    ///
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData` if it is not UTF-8.
    package func text(from offset: Int) throws(TransformerError) -> String {
        try text(bytes[bytes.startIndex + offset..<index], at: offset)
    }

    /// Returns bytes as text.
    ///
    /// `String(validating:as:)` is generic, and looks its types up at run time for each string.
    private func text(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(TransformerError) -> String {
        guard let text = try? UTF8Span(validating: bytes.span) else {
            throw failure("the text is not valid UTF-8", at: offset)
        }
        return String(copying: text)
    }
}

// MARK: - Strings

extension JSONScanner {
    /// Takes a string, and returns its content without escapes.
    ///
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData` if no string is next.
    package mutating func string() throws(TransformerError) -> String {
        guard next == UInt8(ascii: "\"") else { throw failure("expected a string in double quotes") }
        let start = position
        index += 1
        var unescaped: [UInt8] = []
        var copied = index
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let rest = bytes[copied..<index]
                index += 1
                return try text(unescaped.isEmpty ? rest : (unescaped + rest)[...], at: start + 1)
            case UInt8(ascii: "\\"):
                unescaped += bytes[copied..<index]
                unescaped += try escape().utf8
                copied = index
            case 0..<0x20: throw failure("a control character in a string must be escaped")
            default: index += 1
            }
        }
        throw failure("the string has no closing quotation mark", at: start)
    }

    private mutating func escape() throws(TransformerError) -> String {
        let start = position
        index += 1
        guard let byte = next else { throw failure("the string has no closing quotation mark") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(at: start)
        default: throw failure("this escape sequence does not exist", at: start)
        }
    }

    private mutating func unicodeEscape(at start: Int) throws(TransformerError) -> String {
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), take(word: "\\u") { units.append(try unit()) }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw failure("a surrogate is unpaired", at: start)
        }
        return text
    }

    private mutating func unit() throws(TransformerError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}

// MARK: - Numbers

extension JSONScanner {
    /// Takes an integer of at most 18 digits, which fits in 64 bits, if one is next.
    ///
    /// Any other number, and `-0`, is left for ``number()``.
    package mutating func shortInteger() -> Int64? {
        let isNegative = next == UInt8(ascii: "-")
        let start = index + (isNegative ? 1 : 0)
        var end = start
        var number: Int64 = 0
        while end < bytes.endIndex, end - start < 18, Self.isDigit(bytes[end]) {
            number = number * 10 + Int64(bytes[end] - 0x30)
            end += 1
        }
        let isPlain = end > start && (bytes[start] != 0x30 || (end == start + 1 && !isNegative))
        guard isPlain, end == bytes.endIndex || !Self.isPartOfNumber(bytes[end]) else { return nil }
        index = end
        return isNegative ? -number : number
    }

    /// Takes a number (RFC 8259, section 6), and returns its text.
    ///
    /// - Returns: The text, and whether it has neither a fraction nor an exponent.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData` if no number is next.
    package mutating func number() throws(TransformerError) -> (text: String, isInteger: Bool) {
        let start = index
        skip("-")
        let first = index
        try skipDigits()
        guard bytes[first] != 0x30 || index == first + 1 else {
            throw failure("a number must not have leading zeros", at: first - bytes.startIndex)
        }
        var isInteger = true
        if skip(".") {
            isInteger = false
            try skipDigits()
        }
        if skip("e") || skip("E") {
            isInteger = false
            if !skip("+") { skip("-") }
            try skipDigits()
        }
        guard next.map(Self.isPartOfNumber) != true else { throw failure("expected the end of the number") }
        return (String(decoding: bytes[start..<index], as: UTF8.self), isInteger)
    }

    @discardableResult
    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    private mutating func skipDigits() throws(TransformerError) {
        let start = index
        while index < bytes.endIndex, Self.isDigit(bytes[index]) { index += 1 }
        guard index > start else { throw failure("expected a digit") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Returns a Boolean value that indicates whether a byte can occur in a number.
    package static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

/// JSON string literals (RFC 8259, section 7).
package enum JSONString {
    /// Returns a string literal, including its quotation marks.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isTerminalSafe: Whether to escape U+007F to U+009F as well, which JSON allows but terminals may obey.
    /// - Returns: The literal.
    package static func literal(_ text: String, isTerminalSafe: Bool = true) -> String {
        var output = ""
        append(text, to: &output, isTerminalSafe: isTerminalSafe)
        return output
    }

    /// Appends a string literal to the text.
    ///
    /// - Parameters:
    ///   - text: The text of the literal.
    ///   - output: The text to append to.
    ///   - isTerminalSafe: Whether to escape U+007F to U+009F as well, which JSON allows but terminals may obey.
    package static func append(_ text: String, to output: inout String, isTerminalSafe: Bool = true) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..<"\u{20}": escape(scalar, into: &output)
            case "\u{7F}"..<"\u{A0}" where isTerminalSafe: escape(scalar, into: &output)
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar, into output: inout String) {
        output += "\\u00" + HexadecimalText.text(of: [UInt8(truncatingIfNeeded: scalar.value)])
    }
}
