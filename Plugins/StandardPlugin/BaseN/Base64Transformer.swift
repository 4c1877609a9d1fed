public import Foundation
public import Transformable

/// A transformer that converts bytes to text of 64 characters (RFC 4648, sections 4 and 5).
///
/// Decoding is strict: it requires the exact padding, and does not allow newlines or bits beyond the last byte.
public struct Base64Transformer: Transformer {
    /// The characters that represent the values 62 and 63.
    public enum Alphabet: Sendable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`, which are safe in URLs and file names.
        case url
    }

    private let groups: BitGroups
    /// Whether Foundation, which is faster, produces the same text.
    private let isFoundations: Bool

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - alphabet: The characters that represent the values 62 and 63.
    ///   - padding: Whether the text is padded with `=` to a multiple of 4 characters. If so, padding is also required
    ///     for decoding.
    public init(alphabet: Alphabet = .standard, padding: Bool = true) {
        isFoundations = alphabet == .standard && padding
        groups = BitGroups(
            name: alphabet == .standard ? "base 64" : "base 64 for URLs",
            alphabet: alphabet == .standard ? Self.standard : Self.url,
            bits: 6,
            groupLength: 4,
            padding: padding
        )
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Encodes bytes, with 4 characters for 3 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        isFoundations ? value.base64EncodedString() : groups.encode(value)
    }

    /// Decodes a text.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        if let bytes = foundationsBytes(of: encoded) { return bytes }
        return try groups.decode(encoded)
    }

    /// Returns what Foundation decodes, or nil if the result is not certain to be the same as ours, which includes an
    /// offset for errors.
    ///
    /// Only the last group can have padding and unused bits, so it is checked separately. The number of bytes rules out
    /// padding anywhere else.
    private func foundationsBytes(of text: String) -> Data? {
        let count = text.utf8.count
        guard isFoundations, count > 64, count.isMultiple(of: 4), let bytes = Data(base64Encoded: text),
            let last = try? groups.decode(String(text.utf8.suffix(4)) ?? "")
        else { return nil }
        return bytes.count == (count - 4) / 4 * 3 + last.count ? bytes : nil
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = BaseNAlphabet(letters + "+/")
    private static let url = BaseNAlphabet(letters + "-_")
}
