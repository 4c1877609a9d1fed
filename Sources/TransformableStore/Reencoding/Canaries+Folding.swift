internal import Foundation

extension Canaries {
    /// Returns the bytes by which text is found regardless of case, diacritics, white space, and punctuation.
    ///
    /// - Parameter bytes: UTF-8, whose last character may be truncated.
    /// - Returns: Only the letters and digits, in lowercase, or `nil` if the bytes are not text or contain too little
    ///   of it.
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
        // A character has at most four bytes, so a truncated one leaves at most three.
        let text = (0...3).lazy.compactMap { String(bytes: bytes.dropLast($0), encoding: .utf8) }.first
        guard let text else { return nil }
        let letters = text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
            .filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return Data(String(String.UnicodeScalarView(letters)).utf8)
    }

    /// Returns the pieces that are text, in the form that ``folded(_:)`` returns, and the original position of each.
    var folded: (canaries: Canaries, origins: [Int]) {
        let forms = pieces.enumerated().compactMap { piece in Self.folded(piece.element).map { (piece.offset, $0) } }
        var canaries = Canaries()
        canaries.pieces = forms.map(\.1)
        return (canaries, forms.map(\.0))
    }
}
