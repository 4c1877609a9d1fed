internal import Foundation
public import Transformable

/// A transformer that converts text with an ICU transform, such as `Latin-Cyrillic` or `Any-Hex`, and back with its
/// inverse.
///
/// The inverse of an ICU transform is seldom exact, so the decoded text may differ from the original. The time that ICU
/// takes grows with the square of the length, so text is limited to 16,384 UTF-16 code units.
public struct TransliterationTransformer: Transformer {
    /// The id of the ICU transform.
    public let transform: String
    private static let longestText = 1 << 14
    /// The maximum length of encoded text.
    ///
    /// A code unit becomes up to ten: `\U0010FFFF` for half of a pair.
    private static let longestEncoded = longestText * 10
    /// Whether ICU has an inverse of the transform.
    ///
    /// Without one, decoding is an error.
    public let hasInverse: Bool

    /// Creates a transformer.
    ///
    /// - Parameter transform: The id of an ICU transform, which can be a compound id such as `NFD; Any-Latin`.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if ICU has no such transform.
    public init(_ transform: String) throws(TransformerError) {
        guard "a".applyingTransform(StringTransform(transform), reverse: false) != nil else {
            throw TransformerError(.invalidArgument, "ICU has no transform “\(transform)”")
        }
        self.transform = transform
        hasInverse = "a".applyingTransform(StringTransform(transform), reverse: true) != nil
    }

    /// The traits of the transformer.
    ///
    /// It is lossy, because the inverse may not restore all text.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Applies the transform.
    ///
    /// Text whose transformed form ``decode(_:in:)`` would reject is an error.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> String {
        let encoded = try applyTransform(transform, to: value, limit: Self.longestText, reverse: false)
        if hasInverse { _ = try restored(encoded) }
        return encoded
    }

    /// Applies the inverse of the transform.
    ///
    /// Text whose original form ``encode(_:in:)`` would reject is an error.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        guard hasInverse else { throw TransformerError(.unsupported, "ICU has no inverse of “\(transform)”") }
        let value = try restored(encoded)
        // With an inexact inverse, text may grow each time: “щ” becomes “shch”, which becomes four letters.
        _ = try encode(value, in: context)
        return value
    }

    private func restored(_ encoded: String) throws(TransformerError) -> String {
        let value = try applyTransform(transform, to: encoded, limit: Self.longestEncoded, reverse: true)
        guard value.utf16.count <= Self.longestText else { throw .textTooLong(limit: Self.longestText) }
        return value
    }
}

/// A transformer that reverses text by grapheme clusters, so that accents stay on their letters.
///
/// Some text cannot be restored: reversing “\n\r” gives a single character, the newline CR LF. Such
/// text is an error in both directions.
public struct ReversedTextTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because it preserves normalization.
    public var traits: TransformerTraits { .deterministic }

    /// Reverses text.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> String {
        guard let reversed = Self.reverse(value) else {
            throw .invalidValue("the reversed text could not be restored, because some of its characters would combine")
        }
        return reversed
    }

    /// Restores text.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        guard let reversed = Self.reverse(encoded) else {
            throw .invalidData("this is not reversed text, because some of its characters would combine")
        }
        return reversed
    }

    /// Returns the text with its characters reversed, or nil if reversing it again does not restore the text.
    private static func reverse(_ text: String) -> String? {
        let reversed = backToFront(text)
        let isReversible = backToFront(reversed).utf8.elementsEqual(text.utf8)
        return isReversible ? reversed : nil
    }

    /// Returns the characters in reverse order, found from the front.
    ///
    /// From the back, each flag in a sequence would be counted from its start.
    private static func backToFront(_ text: String) -> String {
        String(Array(text).reversed())
    }
}

/// A transformer that converts text to Unicode's composed normal form (NFC, UAX #15), so that equal strings have equal
/// bytes.
///
/// Swift considers strings that differ only in normalization equal. Therefore, the decoded text
/// equals the encoded one, although its code points may differ.
public struct NFCTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the normalized text.
    public func encode(_ value: String, in context: TransformContext) -> String { value.composed }

    /// Returns the text.
    public func decode(_ encoded: String, in context: TransformContext) -> String { encoded }
}

/// Returns text in lowercase, using Unicode's full mapping (section 3.13).
///
/// Swift's own mapping does not handle the ends of words.
func lowercased(_ text: String) -> String {
    let sigma: Unicode.Scalar = "Σ"
    guard text.unicodeScalars.contains(sigma) else { return text.lowercased() }
    let scalars = Array(text.unicodeScalars)
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for (index, scalar) in scalars.enumerated() {
        if scalar == sigma {
            let endsWord = hasLetter(scalars[..<index].reversed()) && !hasLetter(scalars[(index + 1)...])
            result += endsWord ? "ς" : "σ"
        } else {
            result += scalar.properties.lowercaseMapping
        }
    }
    return result
}

/// Whether the first scalar that is relevant to letter case is a cased letter.
private func hasLetter(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
}
