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

    /// Makes a transformer of base 64.
    ///
    /// - Parameters:
    ///   - alphabet: Which characters stand for 62 and 63.
    ///   - padding: Whether `=` fills up to a multiple of 4 characters, written and demanded.
    public init(alphabet: Alphabet = .standard, padding: Bool = true) {
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
        groups.encode(value)
    }

    /// The bytes.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        try groups.decode(encoded)
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = BaseNAlphabet(letters + "+/")
    private static let url = BaseNAlphabet(letters + "-_")
}
