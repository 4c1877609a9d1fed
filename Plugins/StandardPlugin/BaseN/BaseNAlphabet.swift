internal import Transformable

/// The characters of a base, each with its value.
struct BaseNAlphabet: Sendable {
    /// The ASCII characters by value.
    let characters: [UInt8]
    /// The values by ASCII character; 255 where a character has none.
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
    /// The error for a character that the base lacks.
    static func illegalCharacter(in base: String, offset: Int) -> Self {
        .invalidData("this character is not one of \(base)", offset: offset)
    }
}
