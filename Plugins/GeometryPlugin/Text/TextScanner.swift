internal import Transformable

/// Reads braces, commas and numbers of a text from left to right; spaces between them are free.
///
/// The text is handed to each call, since a span cannot be stored.
struct TextScanner {
    /// What is read, for messages.
    let layout: GeometryLayout
    /// How many bytes are read.
    var offset = 0

    init(_ layout: GeometryLayout) {
        self.layout = layout
    }

    /// The byte at the offset, unless the text is at its end.
    func next(_ text: Span<UInt8>) -> UInt8? {
        offset < text.count ? text[offset] : nil
    }

    mutating func skipSpaces(_ text: Span<UInt8>) {
        while let byte = next(text), byte == .space || (.tab ... .carriageReturn).contains(byte) {
            offset += 1
        }
    }

    /// Reads one byte if it is the one given.
    mutating func skip(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard next(text) == byte else { return false }
        offset += 1
        return true
    }

    /// Demands a punctuation mark, with spaces before it.
    mutating func demand(_ mark: UInt8, _ text: Span<UInt8>) throws(TransformerError) {
        skipSpaces(text)
        guard skip(mark, text) else {
            throw unexpected("“\(Unicode.Scalar(mark))”")
        }
    }

    /// Demands that nothing but spaces follows.
    mutating func demandEnd(_ text: Span<UInt8>) throws(TransformerError) {
        skipSpaces(text)
        guard offset == text.count else {
            throw unexpected("the end")
        }
    }

    /// Reads a decimal digit, if one is next.
    mutating func digit(_ text: Span<UInt8>) -> UInt8? {
        guard let byte = next(text), byte.isDigit else { return nil }
        offset += 1
        return byte - UInt8(ascii: "0")
    }

    /// The error for whatever stands at the offset.
    func unexpected(_ expected: String) -> TransformerError {
        failure("\(expected) is expected", at: offset)
    }

    /// An error that shows the form of the whole.
    func failure(_ reason: String, at offset: Int) -> TransformerError {
        .invalidData("\(reason); the form is \(layout)", offset: offset)
    }
}

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let minus = UInt8(ascii: "-")
    static let comma = UInt8(ascii: ",")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
