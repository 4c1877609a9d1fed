internal import Foundation
public import Transformable

/// A one-way change of text: letter case, a selection of its characters, a form without marks.
///
/// What is lost cannot be decoded, so these serve projections: `lowercase | blind-index`. All are
/// independent of the machine's locale.
public struct TextFilter: OneWayTransformer {
    /// What holds of this transformer.
    public let traits: TransformerTraits
    private let change: @Sendable (String) throws -> String

    /// Makes a filter of a function.
    ///
    /// - Parameters:
    ///   - traits: What holds of the function.
    ///   - change: From the text to its changed form.
    public init(_ traits: TransformerTraits, _ change: @escaping @Sendable (String) throws -> String) {
        self.traits = traits
        self.change = change
    }

    /// Gives the changed text.
    public func encode(_ value: String, in context: TransformContext) throws -> String {
        try change(value)
    }

    /// Text in upper case, as Unicode maps it: “ß” becomes “SS”.
    public static let uppercase = Self(.deterministic) { $0.uppercased() }

    /// Text in lower case, as Unicode maps it: “ΟΔΟΣ” becomes “οδος”, with the sigma of a word's end.
    public static let lowercase = Self(.deterministic) { lowercased($0) }

    /// Text with the first letter of each word in upper case and the others in lower case.
    public static let capitalized = Self(.deterministic) { $0.capitalized }

    /// Text in title case, as ICU's `Any-Title` writes it: “don't STOP” becomes “Don't Stop”.
    ///
    /// ICU's time grows with the square of the length: up to 65,536 UTF-16 code units are taken.
    public static let title = Self(.deterministic) { text in
        try applyTransform("Any-Title", to: text, limit: 1 << 16, reverse: false)
    }

    /// Text as a part of a URL: words of a to z and 0 to 9 with hyphens between them.
    ///
    /// Other scripts become Latin letters and marks are dropped, as ICU's `Any-Latin; Latin-ASCII` does: “Łódź &
    /// Москва” becomes “lodz-moskva”. Up to 65,536 UTF-16 code units are taken.
    public static let slug = Self(.deterministic) { text in
        try applyTransform("Any-Latin; Latin-ASCII; Any-Lower", to: text, limit: 1 << 16, reverse: false).utf8
            .split { !(0x30...0x39).contains($0) && !(0x61...0x7A).contains($0) }
            .map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "-")
    }

    /// Text without white space and line ends, as Unicode defines them, at its beginning and end.
    public static let trim = Self(.deterministic) { text in
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }

    /// The ASCII digits of a text, and nothing else of it.
    public static let digits = Self(.plain) { text in
        String(decoding: text.utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
    }

    /// Text without combining marks: “Rémövê” becomes “Remove”.
    ///
    /// Letters that only look marked, such as “ø” and “ł”, stay.
    public static let removeDiacritics = Self(.plain) { text in
        let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
        return String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
    }

    /// Text of any script in Latin letters, as ICU's `Any-Latin` writes them.
    ///
    /// ICU's time grows with the square of the length: up to 65,536 UTF-16 code units are taken.
    public static let latin = Self(.deterministic) { text in
        try applyTransform("Any-Latin", to: text, limit: 1 << 16, reverse: false)
    }

    /// The first characters of a text, or all of a shorter one.
    ///
    /// - Parameter count: How many characters, as a person counts them (grapheme clusters).
    /// - Returns: The filter.
    public static func first(_ count: Int) -> Self {
        Self(.deterministic) { String($0.prefix(count)) }
    }

    /// The last characters of a text, or all of a shorter one.
    ///
    /// - Parameter count: How many characters, as a person counts them (grapheme clusters).
    /// - Returns: The filter.
    public static func last(_ count: Int) -> Self {
        Self(.deterministic) { String($0.suffix(count)) }
    }
}

/// Applies an ICU transform; the transform is known to exist, so that a failure is the text's.
func applyTransform(_ id: String, to text: String, limit: Int, reverse: Bool) throws(TransformerError) -> String {
    guard text.utf16.count <= limit else { throw .textTooLong(limit: limit) }
    guard let result = text.applyingTransform(StringTransform(id), reverse: reverse) else {
        throw .invalidValue("ICU's transform “\(id)” does not take this text")
    }
    return result
}

extension TransformerError {
    static func textTooLong(limit: Int) -> Self {
        .limitExceeded("a text that is transliterated has at most \(limit) UTF-16 code units")
    }
}
