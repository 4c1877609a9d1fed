internal import Foundation
public import Transformable

/// Text by an ICU transform, such as `Latin-Cyrillic` or `Any-Hex`; back by its inverse.
///
/// An ICU inverse is seldom exact, so what comes back may differ from what was encoded. ICU's time grows
/// with the square of the length, so texts are limited to 16,384 UTF-16 code units.
public struct TransliterationTransformer: Transformer {
    /// The transform's id, as ICU names it.
    public let transform: String
    private static let longestText = 1 << 14
    /// A code unit becomes up to ten: `\U0010FFFF` for half of a pair.
    private static let longestEncoded = longestText * 10
    /// Whether ICU has an inverse of the transform; without one, decoding is an error.
    public let hasInverse: Bool

    /// Makes a transformer of an ICU transform.
    ///
    /// - Parameter transform: An ICU transform's id, compound ids (`NFD; Any-Latin`) included.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidArgument` if ICU knows none such.
    public init(_ transform: String) throws(TransformerError) {
        guard "a".applyingTransform(StringTransform(transform), reverse: false) != nil else {
            throw TransformerError(.invalidArgument, "ICU has no transform “\(transform)”")
        }
        self.transform = transform
        hasInverse = "a".applyingTransform(StringTransform(transform), reverse: true) != nil
    }

    /// Lossy: an inverse need not restore every text.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Applies the transform, and refuses a text whose transformed form ``decode(_:in:)`` refuses.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> String {
        let encoded = try applyTransform(transform, to: value, limit: Self.longestText, reverse: false)
        if hasInverse { _ = try restored(encoded) }
        return encoded
    }

    /// Applies the transform's inverse, and refuses what gives a text that ``encode(_:in:)`` refuses.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        guard hasInverse else { throw TransformerError(.unsupported, "ICU has no inverse of “\(transform)”") }
        let value = try restored(encoded)
        // An inexact inverse may give a text that grows each time: “щ” is “shch”, and that four letters.
        _ = try encode(value, in: context)
        return value
    }

    private func restored(_ encoded: String) throws(TransformerError) -> String {
        let value = try applyTransform(transform, to: encoded, limit: Self.longestEncoded, reverse: true)
        guard value.utf16.count <= Self.longestText else { throw .textTooLong(limit: Self.longestText) }
        return value
    }
}
