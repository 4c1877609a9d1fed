public import Foundation
public import Transformable

/// A transformer that converts bytes to text, using 5 characters for every 4 bytes, in one of three alphabets.
///
/// RFC 1924 defines the representation of a single 128-bit number. For any number of bytes, this transformer does the
/// same as Python's `base64.b85encode` and git: each group of 4 bytes is a big-endian number with 5 digits. A remainder
/// of *n* bytes is filled with zeros, and only its first *n* + 1 digits are used. There is no padding. Ascii85 does the
/// same with different digits, and has a short form for four zeros. Z85 supports only whole groups.
///
/// Decoding is strict: a group that does not fit in 32 bits, a single remaining character, and digits that encoding
/// would not produce are errors.
public struct Base85Transformer: Transformer {
    /// The alphabet and its rules.
    public enum Variant: Sendable, Hashable {
        /// The digits of RFC 1924, which Python's `base64.b85encode` and git use.
        case rfc1924
        /// Ascii85 as in PostScript and PDF, with digits from `!` to `u`, and `z` for four zeros.
        ///
        /// A framed text starts with `<~` and ends with `~>`. The text is written on a single line.
        case ascii85(isFramed: Bool)
        /// Z85 of ZeroMQ (RFC 32), which requires multiples of 4 bytes. Its digits include no
        /// quotation marks or backslashes.
        case z85
    }

    private let variant: Variant
    private let alphabet: BaseNAlphabet

    /// Creates a transformer.
    ///
    /// - Parameter variant: The alphabet and its rules.
    public init(_ variant: Variant = .rfc1924) {
        self.variant = variant
        alphabet =
            switch variant {
            case .rfc1924: Self.rfc1924
            case .ascii85: Self.ascii85
            case .z85: Self.z85
            }
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Encodes groups of 4 bytes.
    public func encode(_ value: Data, in context: TransformContext) throws(TransformerError) -> String {
        guard variant != .z85 || value.count.isMultiple(of: 4) else {
            throw .invalidValue("Z85 requires a multiple of 4 bytes, but there are \(value.count)")
        }
        let bytes = [UInt8](value)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 4 * 5 + 9)
        if variant == .ascii85(isFramed: true) { text += "<~".utf8 }
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let count = min(4, bytes.count - start)
            var number: UInt32 = 0
            for index in start..<start + 4 {
                number = number << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
            }
            if number == 0, count == 4, hasShortZeros {
                text.append(Self.shortZeros)
            } else {
                append(number, digits: count + 1, to: &text)
            }
        }
        if variant == .ascii85(isFramed: true) { text += "~>".utf8 }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes groups of 5 digits.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        let all = Array(encoded.utf8)
        let text = try digits(all)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 5 * 4 + 4)
        var start = text.startIndex
        while start < text.endIndex {
            if hasShortZeros, text[start] == Self.shortZeros {
                bytes += [0, 0, 0, 0]
                start += 1
                continue
            }
            let count = min(5, text.endIndex - start)
            guard count > 1, count == 5 || variant != .z85 else {
                throw .invalidData("base 85 cannot have this number of characters", offset: text.endIndex - 1)
            }
            try append(text[start..<start + count], of: all, to: &bytes)
            start += count
        }
        return Data(bytes)
    }

    /// Returns the text inside the frame, if there is one.
    private func digits(_ text: [UInt8]) throws(TransformerError) -> ArraySlice<UInt8> {
        guard variant == .ascii85(isFramed: true) else { return text[...] }
        guard text.count >= 4, text.starts(with: "<~".utf8), text.suffix(2).elementsEqual("~>".utf8) else {
            throw .invalidData("the text is not enclosed in <~ and ~>", offset: 0)
        }
        return text[2..<text.count - 2]
    }

    /// Appends the bytes for 2 to 5 digits.
    private func append(
        _ digits: ArraySlice<UInt8>,
        of text: [UInt8],
        to bytes: inout [UInt8]
    ) throws(TransformerError) {
        let number = try number(of: text, from: digits.startIndex, count: digits.count)
        for index in 0..<digits.count - 1 {
            bytes.append(UInt8(truncatingIfNeeded: number >> (24 - 8 * index)))
        }
        guard digits.count == 5 || isExact(number, digits) else {
            throw .invalidData("the last characters do not fit in their bytes", offset: digits.endIndex - 1)
        }
    }

    private var hasShortZeros: Bool {
        guard case .ascii85 = variant else { return false }
        return true
    }

    private static let shortZeros = UInt8(ascii: "z")

    private func append(_ number: UInt32, digits: Int, to text: inout [UInt8]) {
        var divisor: UInt32 = 85 * 85 * 85 * 85
        var rest = number
        for _ in 0..<digits {
            text.append(alphabet.characters[Int(rest / divisor)])
            rest %= divisor
            divisor /= 85
        }
    }

    /// Returns the number for up to 5 digits.
    ///
    /// Missing digits count as the highest, so that the bytes before them are correct.
    private func number(of text: [UInt8], from start: Int, count: Int) throws(TransformerError) -> UInt32 {
        var number: UInt64 = 0
        for offset in start..<start + 5 {
            var value: UInt8 = 84
            if offset < start + count {
                value = alphabet.values[Int(text[offset])]
                guard value != BaseNAlphabet.invalid else { throw .illegalCharacter(in: "base 85", offset: offset) }
            }
            number = number * 85 + UInt64(value)
        }
        guard let number = UInt32(exactly: number) else {
            throw .invalidData("the five characters do not fit in 32 bits", offset: start)
        }
        return number
    }

    /// Returns whether encoding the bytes of a remainder produces the same digits.
    private func isExact(_ number: UInt32, _ digits: ArraySlice<UInt8>) -> Bool {
        let byteCount = digits.count - 1
        let mask = UInt32.max << (32 - 8 * byteCount)
        var text: [UInt8] = []
        append(number & mask, digits: digits.count, to: &text)
        return text.elementsEqual(digits)
    }

    private static let ascii85 = BaseNAlphabet(String((0x21...0x75).map { Character(Unicode.Scalar($0)) }))
    private static let z85 = BaseNAlphabet(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
    )
    private static let rfc1924 = BaseNAlphabet(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
    )
}
