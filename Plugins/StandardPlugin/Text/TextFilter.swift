internal import Foundation
public import Transformable

/// A one-way change of text, such as its letter case, a selection of its characters, or the removal of marks.
///
/// The change cannot be reversed, so filters are used for projections: `lowercase | blind-index`. They do not depend on
/// the locale of the machine.
public struct TextFilter: OneWayTransformer {
    /// The traits of the filter.
    public let traits: TransformerTraits
    private let change: @Sendable (String) throws -> String

    /// Creates a filter from a function.
    ///
    /// - Parameters:
    ///   - traits: The traits of the function.
    ///   - change: A function that returns the changed text.
    public init(_ traits: TransformerTraits, _ change: @escaping @Sendable (String) throws -> String) {
        self.traits = traits
        self.change = change
    }

    /// Returns the changed text.
    public func encode(_ value: String, in context: TransformContext) throws -> String {
        try change(value)
    }

    /// Converts text to uppercase with Unicode's mapping: “ß” becomes “SS”.
    public static let uppercase = Self(.deterministic) { $0.uppercased() }

    /// Converts text to lowercase with Unicode's mapping: “ΟΔΟΣ” becomes “οδος”, with a final sigma.
    public static let lowercase = Self(.deterministic) { lowercased($0) }

    /// Capitalizes the first letter of each word, and converts all others to lowercase.
    public static let capitalized = Self(.deterministic) { $0.capitalized }

    /// Converts text to title case with ICU's `Any-Title`: “don't STOP” becomes “Don't Stop”.
    ///
    /// The time that ICU takes grows with the square of the length, so text is limited to 65,536 UTF-16 code units.
    public static let title = Self(.deterministic) { text in
        try applyTransform("Any-Title", to: text, limit: 1 << 16, reverse: false)
    }

    /// Converts text to a part of a URL: words of a to z and 0 to 9, separated by hyphens.
    ///
    /// Other scripts are converted to Latin letters and marks are removed, using ICU's `Any-Latin; Latin-ASCII`: “Łódź
    /// & Москва” becomes “lodz-moskva”. Text is limited to 65,536 UTF-16 code units.
    public static let slug = Self(.deterministic) { text in
        try applyTransform("Any-Latin; Latin-ASCII; Any-Lower", to: text, limit: 1 << 16, reverse: false).utf8
            .split { !(0x30...0x39).contains($0) && !(0x61...0x7A).contains($0) }
            .map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "-")
    }

    /// Removes whitespace and newlines, as defined by Unicode, from both ends of text.
    public static let trim = Self(.deterministic) { text in
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }

    /// Keeps only the ASCII digits of text.
    public static let digits = Self(.plain) { text in
        String(decoding: text.utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
    }

    /// Removes combining marks from text: “Rémövê” becomes “Remove”.
    ///
    /// Letters that only look as if they have marks, such as “ø” and “ł”, are kept.
    public static let removeDiacritics = Self(.plain) { text in
        let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
        return String(String.UnicodeScalarView(scalars)).composed
    }

    /// Converts text of any script to Latin letters with ICU's `Any-Latin`.
    ///
    /// The time that ICU takes grows with the square of the length, so text is limited to 65,536 UTF-16 code units.
    public static let latin = Self(.deterministic) { text in
        try applyTransform("Any-Latin", to: text, limit: 1 << 16, reverse: false)
    }

    /// Returns a filter that keeps the first characters of text, or all of it if it is shorter.
    ///
    /// - Parameter count: The number of characters (grapheme clusters).
    /// - Returns: The filter.
    public static func first(_ count: Int) -> Self {
        Self(.deterministic) { String($0.prefix(count)) }
    }

    /// Returns a filter that keeps the last characters of text, or all of it if it is shorter.
    ///
    /// - Parameter count: The number of characters (grapheme clusters).
    /// - Returns: The filter.
    public static func last(_ count: Int) -> Self {
        Self(.deterministic) { String($0.suffix(count)) }
    }
}

/// Applies an ICU transform that is known to exist, so that a failure is caused by the text.
func applyTransform(_ id: String, to text: String, limit: Int, reverse: Bool) throws(TransformerError) -> String {
    guard text.utf16.count <= limit else { throw .textTooLong(limit: limit) }
    guard let result = text.applyingTransform(StringTransform(id), reverse: reverse) else {
        throw .invalidValue("ICU's transform “\(id)” cannot be applied to this text")
    }
    return result
}

extension TransformerError {
    static func textTooLong(limit: Int) -> Self {
        .limitExceeded("the text is longer than \(limit) UTF-16 code units, the most that can be transliterated")
    }
}
