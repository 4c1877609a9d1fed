public import Transformable

/// Text back to front by grapheme cluster, so that an accent stays on its letter.
///
/// Some texts have no way back: “\n\r” reversed is one character, the line end CR LF. These are
/// refused, in both directions.
public struct ReversedTextTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Not canonical, since it keeps the normalization of what it is given.
    public var traits: TransformerTraits { .deterministic }

    /// The text reversed.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> String {
        guard let reversed = Self.reverse(value) else {
            throw .invalidValue("this text has no way back once reversed: some of its characters would join")
        }
        return reversed
    }

    /// The text reversed again.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        guard let reversed = Self.reverse(encoded) else {
            throw .invalidData("no text gives this when reversed: some of its characters would join")
        }
        return reversed
    }

    /// The characters in reverse; nil if they do not come back when reversed again.
    private static func reverse(_ text: String) -> String? {
        let reversed = backToFront(text)
        let isReversible = backToFront(reversed).utf8.elementsEqual(text.utf8)
        return isReversible ? reversed : nil
    }

    /// Characters are found from the front only: from the back, each flag in a row of flags is counted from its start.
    private static func backToFront(_ text: String) -> String {
        String(Array(text).reversed())
    }
}
