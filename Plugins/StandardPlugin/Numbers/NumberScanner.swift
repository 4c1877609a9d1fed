internal import Transformable

/// Checks the text of a number against JSON's grammar (RFC 8259, section 6), in which each part has a single form.
struct NumberScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func takeMinus() -> Bool {
        take("-")
    }

    private mutating func take(_ characters: Unicode.Scalar...) -> Bool {
        guard let next, characters.contains(Unicode.Scalar(next)) else { return false }
        position += 1
        return true
    }

    /// Consumes digits without leading zeros.
    mutating func takeWholeNumber() throws(TransformerError) {
        let start = position
        try takeDigits()
        guard bytes[start] != UInt8(ascii: "0") || position == start + 1 else {
            throw .invalidData("a number must not have leading zeros", offset: start)
        }
    }

    /// Consumes one or more digits.
    mutating func takeDigits() throws(TransformerError) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) {
            position += 1
        }
        guard position > start else { throw .invalidData("expected a digit", offset: start) }
    }

    /// Consumes a sign, digits, a fraction, and an exponent, and returns the offset of the exponent's letter.
    mutating func takeNumber() throws(TransformerError) -> Int? {
        _ = takeMinus()
        try takeWholeNumber()
        if take(".") { try takeDigits() }
        let letter = position
        guard take("e", "E") else { return nil }
        _ = take("+", "-")
        try takeDigits()
        return letter
    }

    func expectEnd() throws(TransformerError) {
        guard position == bytes.count else {
            throw .invalidData("expected the end of the number", offset: position)
        }
    }
}
