internal import Transformable

/// Reads braces, commas, and numbers from text.
///
/// Spaces between them are ignored.
///
/// The text is passed to each method, because a span cannot be stored.
struct TextScanner {
    /// The layout, for messages.
    let layout: GeometryLayout
    /// The number of bytes that were read.
    var offset = 0

    init(_ layout: GeometryLayout) {
        self.layout = layout
    }

    /// Returns the byte at the offset, or nil at the end of the text.
    func next(_ text: Span<UInt8>) -> UInt8? {
        offset < text.count ? text[offset] : nil
    }

    mutating func skipSpaces(_ text: Span<UInt8>) {
        while let byte = next(text), byte == .space || (.tab ... .carriageReturn).contains(byte) {
            offset += 1
        }
    }

    /// Reads a byte if it equals the given one.
    mutating func skip(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard next(text) == byte else { return false }
        offset += 1
        return true
    }

    /// Reads a punctuation mark, with preceding spaces, or throws an error.
    mutating func demand(_ mark: UInt8, _ text: Span<UInt8>) throws(TransformerError) {
        skipSpaces(text)
        guard skip(mark, text) else {
            throw unexpected("“\(Unicode.Scalar(mark))”")
        }
    }

    /// Verifies that only spaces follow.
    mutating func demandEnd(_ text: Span<UInt8>) throws(TransformerError) {
        skipSpaces(text)
        guard offset == text.count else {
            throw unexpected("the end")
        }
    }

    /// Reads a decimal digit, if it comes next.
    mutating func digit(_ text: Span<UInt8>) -> UInt8? {
        guard let byte = next(text), byte.isDigit else { return nil }
        offset += 1
        return byte - UInt8(ascii: "0")
    }

    /// Returns the error for the text at the offset.
    func unexpected(_ expected: String) -> TransformerError {
        failure("expected \(expected)", at: offset)
    }

    /// Returns an error that shows the layout of the whole text.
    func failure(_ reason: String, at offset: Int) -> TransformerError {
        .invalidData("\(reason); the format is \(layout)", offset: offset)
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

extension TextScanner {
    /// Parses an integer that fits in 64 bits.
    mutating func integer(_ text: Span<UInt8>) throws(TransformerError) -> Int {
        skipSpaces(text)
        let start = offset
        let isNegative = skip(.minus, text)
        guard let byte = next(text), byte.isDigit else {
            throw unexpected("an integer")
        }
        var number: Int = 0
        while let digit = digit(text).map(Int.init) {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            guard !isTooLarge, !overflows else {
                throw failure("the number does not fit in 64 bits", at: start)
            }
            number = sum
        }
        return number
    }
}
