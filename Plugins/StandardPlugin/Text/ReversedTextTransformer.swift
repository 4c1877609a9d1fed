public import Transformable

/// A transformer that reverses text by grapheme clusters, so that accents stay on their letters.
///
/// Some texts cannot be restored: reversing “\n\r” gives a single character, the newline CR LF. They are errors in both
/// directions.
public struct ReversedTextTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because it preserves normalization.
    public var traits: TransformerTraits { .deterministic }

    /// Reverses a text.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> String {
        guard let reversed = Self.reverse(value) else {
            throw .invalidValue("the reversed text could not be restored, because some of its characters would combine")
        }
        return reversed
    }

    /// Restores a text.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        guard let reversed = Self.reverse(encoded) else {
            throw .invalidData("this is not a reversed text, because some of its characters would combine")
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
