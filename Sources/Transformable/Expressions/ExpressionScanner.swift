/// Reads the tokens of an expression from its UTF-8 bytes.
struct ExpressionScanner {
    private let bytes: [UInt8]
    private(set) var position = 0
    /// The number of spaces that were skipped.
    private(set) var spaceCount = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    var isAtEnd: Bool {
        position == bytes.count
    }

    mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) {
            position += 1
            spaceCount += 1
        }
    }

    /// Consumes a punctuation character, including preceding spaces, if it comes next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Consumes `word *( "." word )`, or as much as matches this grammar.
    mutating func scanName() -> String? {
        let start = position
        guard scanWord() != nil else { return nil }
        while next == UInt8(ascii: ".") {
            let dot = position
            position += 1
            guard scanWord() != nil else {
                position = dot
                break
            }
        }
        return text(from: start)
    }

    /// Consumes `lower *( lower / digit ) *( "-" 1*( lower / digit ) )`.
    mutating func scanWord() -> String? {
        let start = position
        guard let first = next, isLower(first) else { return nil }
        skip(while: { isLower($0) || isDigit($0) })
        while next == UInt8(ascii: "-") {
            let dash = position
            position += 1
            skip(while: { isLower($0) || isDigit($0) })
            if position == dash + 1 {
                position = dash
                break
            }
        }
        return text(from: start)
    }

    /// Consumes `[a-z][A-Za-z0-9]*`.
    mutating func scanLabel() -> String? {
        let start = position
        guard let first = next, isLower(first) else { return nil }
        skip(while: { isLower($0) || isUpper($0) || isDigit($0) })
        return text(from: start)
    }

    /// Consumes a number in JSON's grammar, and returns its text for conversion.
    mutating func scanNumber() -> (text: String, isInteger: Bool)? {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let digits = position
        skip(while: isDigit)
        let hasLeadingZero = position > digits + 1 && bytes[digits] == UInt8(ascii: "0")
        guard position > digits, !hasLeadingZero else {
            position = start
            return nil
        }
        let fraction = scanFraction()
        let exponent = scanExponent()
        return (text(from: start), !fraction && !exponent)
    }

    private mutating func scanFraction() -> Bool {
        guard next == UInt8(ascii: ".") else { return false }
        let dot = position
        position += 1
        skip(while: isDigit)
        if position == dot + 1 { position = dot }
        return position > dot
    }

    private mutating func scanExponent() -> Bool {
        guard let letter = next, letter | 0x20 == UInt8(ascii: "e") else { return false }
        let start = position
        position += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
        let digits = position
        skip(while: isDigit)
        if position == digits { position = start }
        return position > start
    }

    /// Consumes decimal digits.
    mutating func scanDigits() -> String {
        let start = position
        skip(while: isDigit)
        return text(from: start)
    }

    /// Consumes a single byte.
    mutating func takeByte() -> UInt8? {
        guard let byte = next else { return nil }
        position += 1
        return byte
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while let byte = next, condition(byte) {
            position += 1
        }
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

private func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
private func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
