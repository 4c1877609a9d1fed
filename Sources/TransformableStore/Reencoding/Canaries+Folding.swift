internal import Foundation

extension Canaries {
    /// The bytes by which text is found in whatever case, with or without marks, blanks, and punctuation.
    ///
    /// - Parameter bytes: UTF-8, of which the last character may be cut.
    /// - Returns: Letters and digits only, in lower case; nil for what is not text, or too little of it.
    static func folded(_ bytes: Data) -> Data? {
        let folded = bytes.allSatisfy { $0 < 0x80 } ? foldedASCII(bytes) : foldedText(bytes)
        return folded.flatMap { $0.count >= shortest ? $0 : nil }
    }

    private static func foldedASCII(_ bytes: Data) -> Data {
        Data(
            bytes.compactMap { byte in
                switch byte {
                case 0x41...0x5A: byte | 0x20
                case 0x30...0x39, 0x61...0x7A: byte
                default: nil
                }
            }
        )
    }

    private static func foldedText(_ bytes: Data) -> Data? {
        // A character has four bytes at most, so that three may be left of one that is cut.
        let text = (0...3).lazy.compactMap { String(bytes: bytes.dropLast($0), encoding: .utf8) }.first
        guard let text else { return nil }
        let letters = text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
            .filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return Data(String(String.UnicodeScalarView(letters)).utf8)
    }

    /// Those that are text, in the form that ``folded(_:)`` gives, and the place here of each.
    var folded: (canaries: Canaries, origins: [Int]) {
        let forms = pieces.enumerated().compactMap { piece in Self.folded(piece.element).map { (piece.offset, $0) } }
        var canaries = Canaries()
        canaries.pieces = forms.map(\.1)
        return (canaries, forms.map(\.0))
    }
}
