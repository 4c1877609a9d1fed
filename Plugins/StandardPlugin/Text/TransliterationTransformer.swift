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
    /// The maximum length of an encoded text.
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
    /// It is lossy, because the inverse may not restore every text.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Applies the transform.
    ///
    /// A text whose transformed form ``decode(_:in:)`` would reject is an error.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> String {
        let encoded = try applyTransform(transform, to: value, limit: Self.longestText, reverse: false)
        if hasInverse { _ = try restored(encoded) }
        return encoded
    }

    /// Applies the inverse of the transform.
    ///
    /// A text whose original ``encode(_:in:)`` would reject is an error.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        guard hasInverse else { throw TransformerError(.unsupported, "ICU has no inverse of “\(transform)”") }
        let value = try restored(encoded)
        // With an inexact inverse, a text may grow each time: “щ” becomes “shch”, which becomes four letters.
        _ = try encode(value, in: context)
        return value
    }

    private func restored(_ encoded: String) throws(TransformerError) -> String {
        let value = try applyTransform(transform, to: encoded, limit: Self.longestEncoded, reverse: true)
        guard value.utf16.count <= Self.longestText else { throw .textTooLong(limit: Self.longestText) }
        return value
    }
}
