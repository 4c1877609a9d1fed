internal import Foundation
internal import Transformable

/// Converts bytes to characters of a fixed number of bits each: base 32 and base 64 (RFC 4648).
struct BitGroups: Sendable {
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
