public import Foundation
public import Transformable

/// A transformer that converts bytes to text of 64 characters (RFC 4648, sections 4 and 5).
///
/// Decoding is strict: it requires the exact padding, and does not allow newlines or bits beyond the last byte.
public struct Base64Transformer: Transformer {
    /// The characters that represent the values 62 and 63.
    public enum Alphabet: Sendable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`, which are safe in URLs and file names.
        case url
    }

    private let groups: BitGroups
    /// Whether Foundation, which is faster, produces the same text.
    private let isFoundations: Bool

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - alphabet: The characters that represent the values 62 and 63.
    ///   - padding: Whether the text is padded with `=` to a multiple of 4 characters. If so, padding is also required
    ///     for decoding.
    public init(alphabet: Alphabet = .standard, padding: Bool = true) {
        isFoundations = alphabet == .standard && padding
        groups = BitGroups(
            name: alphabet == .standard ? "base 64" : "base 64 for URLs",
            alphabet: alphabet == .standard ? Self.standard : Self.url,
            bits: 6,
            groupLength: 4,
            padding: padding
        )
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Encodes bytes, with 4 characters for 3 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        isFoundations ? value.base64EncodedString() : groups.encode(value)
    }

    /// Decodes text.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        if let bytes = foundationsBytes(of: encoded) { return bytes }
        return try groups.decode(encoded)
    }

    /// Returns what Foundation decodes, or nil if the result is not certain to be the same as ours, which includes an
    /// offset for errors.
    ///
    /// Only the last group can have padding and unused bits, so it is checked separately. The number of bytes rules out
    /// padding anywhere else.
    private func foundationsBytes(of text: String) -> Data? {
        let count = text.utf8.count
        guard isFoundations, count > 64, count.isMultiple(of: 4), let bytes = Data(base64Encoded: text),
            let last = try? groups.decode(String(text.utf8.suffix(4)) ?? "")
        else { return nil }
        return bytes.count == (count - 4) / 4 * 3 + last.count ? bytes : nil
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = BaseNAlphabet(letters + "+/")
    private static let url = BaseNAlphabet(letters + "-_")
}

/// A transformer that converts bytes to text of the characters A to Z and 2 to 7 (RFC 4648, section 6).
///
/// Decoding is strict: it requires uppercase letters and the exact padding, and does not allow bits beyond the last
/// byte.
public struct Base32Transformer: Transformer {
    private let groups: BitGroups

    /// Creates a transformer.
    ///
    /// - Parameter padding: Whether the text is padded with `=` to a multiple of 8 characters. If so, padding is also
    ///   required for decoding.
    public init(padding: Bool = true) {
        groups = BitGroups(name: "base 32", alphabet: Self.alphabet, bits: 5, groupLength: 8, padding: padding)
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Encodes bytes, with 8 characters for 5 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        groups.encode(value)
    }

    /// Decodes text.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        try groups.decode(encoded)
    }

    private static let alphabet = BaseNAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}

/// A transformer that converts bytes to hexadecimal digits (RFC 4648, section 8).
///
/// It accepts uppercase and lowercase digits.
public struct Base16Transformer: Transformer {
    /// Whether digits above 9 are written in lowercase.
    public let lowercase: Bool

    /// Creates a transformer.
    ///
    /// - Parameter lowercase: Whether digits above 9 are written in lowercase.
    public init(lowercase: Bool = false) {
        self.lowercase = lowercase
    }

    /// The traits of the transformer.
    ///
    /// It is ordered, because digits compare like bytes.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Encodes bytes as two digits each.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        let digits = lowercase ? Self.lower : Self.upper
        var text = [UInt8](repeating: 0, count: value.count * 2)
        var index = 0
        for byte in [UInt8](value) {
            text[index] = digits.characters[Int(byte >> 4)]
            text[index + 1] = digits.characters[Int(byte & 15)]
            index += 2
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes pairs of digits.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        let text = Array(encoded.utf8)
        guard text.count.isMultiple(of: 2) else {
            throw .invalidData("base 16 must have an even number of digits", offset: text.count)
        }
        var bytes = [UInt8](repeating: 0, count: text.count / 2)
        for index in bytes.indices {
            let high = Self.values[Int(text[2 * index])]
            let low = Self.values[Int(text[2 * index + 1])]
            guard high < 16, low < 16 else {
                throw .illegalCharacter(in: "base 16", offset: 2 * index + (high < 16 ? 1 : 0))
            }
            bytes[index] = high << 4 | low
        }
        return Data(bytes)
    }

    private static let upper = BaseNAlphabet("0123456789ABCDEF")
    private static let lower = BaseNAlphabet("0123456789abcdef")
    /// The values of both uppercase and lowercase digits.
    ///
    /// A character without a value is 255 in both tables.
    private static let values = zip(upper.values, lower.values).map(min)
}

/// Converts bytes to characters of a fixed number of bits each: base 32 and base 64 (RFC 4648).
private struct BitGroups: Sendable {
    let name: String
    let alphabet: BaseNAlphabet
    /// The number of bits per character: 5 or 6.
    let bits: Int
    /// The number of characters in a whole group: 8 or 4.
    let groupLength: Int
    let padding: Bool

    private static let pad = UInt8(ascii: "=")

    func encode(_ value: Data) -> String {
        let count = (value.count * 8 + bits - 1) / bits
        let padded = padding ? (count + groupLength - 1) / groupLength * groupLength : count
        var text = [UInt8](repeating: Self.pad, count: padded)
        let (bits, characters) = (bits, alphabet.characters)
        let mask = 1 << bits - 1
        var (index, pending, available) = (0, 0, 0)
        for byte in [UInt8](value) {
            pending = pending << 8 | Int(byte)
            available += 8
            while available >= bits {
                available -= bits
                text[index] = characters[pending >> available & mask]
                index += 1
            }
            pending &= 1 << available - 1
        }
        if available > 0 {
            text[index] = characters[pending << (bits - available) & mask]
        }
        return String(decoding: text, as: UTF8.self)
    }

    func decode(_ encoded: String) throws(TransformerError) -> Data {
        let text = Array(encoded.utf8)
        let count = try countOfCharacters(text)
        let (bits, values) = (bits, alphabet.values)
        var bytes = [UInt8](repeating: 0, count: count * bits / 8)
        var (index, pending, available) = (0, 0, 0)
        for offset in 0..<count {
            let value = values[Int(text[offset])]
            guard value != BaseNAlphabet.invalid else { throw .illegalCharacter(in: name, offset: offset) }
            pending = pending << bits | Int(value)
            available += bits
            if available >= 8 {
                available -= 8
                bytes[index] = UInt8(truncatingIfNeeded: pending >> available)
                pending &= 1 << available - 1
                index += 1
            }
        }
        guard available < bits else {
            throw .invalidData("\(name) cannot have this number of characters", offset: count)
        }
        guard pending == 0 else {
            throw .invalidData("the last character has unused bits that are not zero", offset: count - 1)
        }
        return Data(bytes)
    }

    /// Returns the number of characters before the padding, whose length is checked.
    private func countOfCharacters(_ text: [UInt8]) throws(TransformerError) -> Int {
        guard padding else { return text.count }
        let padCount = text.suffix(groupLength).reversed().prefix { $0 == Self.pad }.count
        guard text.count.isMultiple(of: groupLength), padCount < groupLength else {
            throw .invalidData(
                "\(name) must be padded with = to a multiple of \(groupLength) characters",
                offset: text.count
            )
        }
        let count = text.count - padCount
        let lastBytes = (groupLength - padCount) * bits / 8
        let expected = (lastBytes * 8 + bits - 1) / bits
        guard count == 0 || groupLength - padCount == expected else {
            throw .invalidData("the padding has the wrong length", offset: count)
        }
        return count
    }
}

/// The characters of a base and their values.
struct BaseNAlphabet: Sendable {
    /// The ASCII characters by value.
    let characters: [UInt8]
    /// The values by ASCII character, or 255 if a character has no value.
    let values: [UInt8]

    static let invalid: UInt8 = 255

    init(_ characters: String) {
        self.characters = Array(characters.utf8)
        var values = [UInt8](repeating: Self.invalid, count: 256)
        for (value, character) in characters.utf8.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        self.values = values
    }
}

extension TransformerError {
    /// Returns the error for a character that is not in the alphabet.
    static func illegalCharacter(in base: String, offset: Int) -> Self {
        .invalidData("this character is not valid in \(base)", offset: offset)
    }
}
