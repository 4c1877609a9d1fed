extension String {
    /// The text in Unicode's composed form (NFC).
    ///
    /// ASCII is already in this form.
    package var composed: String {
        guard !utf8.allSatisfy({ $0 < 128 }) else { return self }
        // Strings are equal if these bytes are. Foundation composes some old Hangul, and some letters above U+FFFF,
        // with what does not belong to them.
        return String(decoding: withSeparateVowels._nfcCodeUnits, as: UTF8.self)
    }

    /// The text with the Tibetan vowels that consist of two marks written as these.
    ///
    /// The vowels themselves have no combining class, so the standard library would not sort the two among other marks.
    private var withSeparateVowels: String {
        guard unicodeScalars.contains(where: { $0.secondVowel != nil }) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.flatMap { scalar in scalar.secondVowel.map { ["\u{F71}", $0] } ?? [scalar] }
            )
        )
    }

    /// Whether the text is in composed form.
    package var isComposed: Bool {
        utf8.elementsEqual(composed.utf8)
    }
}

extension Unicode.Scalar {
    /// The mark that follows U+0F71 in a Tibetan vowel of two marks, or nil for any other scalar.
    fileprivate var secondVowel: Unicode.Scalar? {
        switch self {
        case "\u{F73}": "\u{F72}"
        case "\u{F75}": "\u{F74}"
        case "\u{F81}": "\u{F80}"
        default: nil
        }
    }
}
