public import Foundation
public import Transformable

/// Bytes as text of 64 characters (RFC 4648, sections 4 and 5).
///
/// Strict: the padding exactly as stated, no line ends, and no bits beyond the last byte.
public struct Base64Transformer: Transformer {
    /// Which characters stand for 62 and 63.
    public enum Alphabet: Sendable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`, which are safe in URLs and file names.
        case url
    }

    private let groups: BitGroups
    /// Whether Foundation, which is faster, writes the same.
    private let isFoundations: Bool

    /// Makes a transformer of base 64.
    ///
    /// - Parameters:
    ///   - alphabet: Which characters stand for 62 and 63.
    ///   - padding: Whether `=` fills up to a multiple of 4 characters, written and demanded.
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

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// 4 characters for 3 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        isFoundations ? value.base64EncodedString() : groups.encode(value)
    }

    /// The bytes.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        if let bytes = foundationsBytes(of: encoded) { return bytes }
        return try groups.decode(encoded)
    }

    /// What Foundation reads, where that is beyond doubt; nil leaves it to us, who know the fault's offset.
    ///
    /// The last group, which alone can have padding and idle bits, is checked by us, and the number of
    /// bytes excludes padding anywhere else.
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
