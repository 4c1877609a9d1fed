internal import Transformable

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
