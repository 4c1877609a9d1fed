internal import Foundation

extension String {
    /// The text in Unicode's composed form (NFC).
    ///
    /// ASCII is already in this form.
    package var composed: String {
        guard !utf8.allSatisfy({ $0 < 128 }) else { return self }
        if unicodeScalars.contains(where: { $0.value > 0xFFFF }) { return composedInRuns }
        // Foundation does not join a final consonant of Hangul with a preceding syllable that has none. Decomposing the
        // text first does.
        let hasFinals = unicodeScalars.contains { (0x11A8...0x11C2).contains($0.value) }
        let text = hasFinals ? decomposedStringWithCanonicalMapping : self
        return text.precomposedStringWithCanonicalMapping
    }

    /// The composed form of text with letters above U+FFFF, composed in runs that end after such letters.
    ///
    /// If a mark up to U+FFFF follows such a letter, Foundation uses only the last 16 bits of the letter's number: U+10041
    /// with an acute accent would become “Á”. No letter above U+FFFF combines with a mark up to U+FFFF.
    private var composedInRuns: String {
        var (result, run) = ("", "")
        var isAfterLetter = false
        for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
            if scalar.value > 0xFFFF {
                isAfterLetter = isAfterLetter || scalar.properties.canonicalCombiningClass == .notReordered
            } else if isAfterLetter {
                result += run.precomposedStringWithCanonicalMapping
                run = ""
                isAfterLetter = false
            }
            run.unicodeScalars.append(scalar)
        }
        return result + run.precomposedStringWithCanonicalMapping
    }

    /// Whether the text is in composed form.
    package var isComposed: Bool {
        utf8.elementsEqual(composed.utf8)
    }
}
