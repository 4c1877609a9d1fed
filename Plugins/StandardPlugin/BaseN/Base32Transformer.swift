public import Foundation
public import Transformable

/// Bytes as text of A to Z and 2 to 7 (RFC 4648, section 6).
///
/// Strict: upper case only, the padding exactly as stated, and no bits beyond the last byte.
public struct Base32Transformer: Transformer {
    private let groups: BitGroups

    /// Makes a transformer of base 32.
    ///
    /// - Parameter padding: Whether `=` fills up to a multiple of 8 characters, written and demanded.
    public init(padding: Bool = true) {
        groups = BitGroups(name: "base 32", alphabet: Self.alphabet, bits: 5, groupLength: 8, padding: padding)
    }

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// 8 characters for 5 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        groups.encode(value)
    }

    /// The bytes.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        try groups.decode(encoded)
    }

    private static let alphabet = BaseNAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}
