public import Foundation
public import Transformable

/// A transformer that converts bytes to text of the characters A to Z and 2 to 7 (RFC 4648, section 6).
///
/// Decoding is strict: it requires uppercase letters and the exact padding, and does not allow bits beyond the last
/// byte.
public struct Base32Transformer: Transformer {
    private let groups: BitGroups

    /// Creates a transformer.
    ///
    /// - Parameter padding: Whether the text is padded with `=` to a multiple of 8 characters. If so, padding is also
    ///   required for decoding.
    public init(padding: Bool = true) {
        groups = BitGroups(name: "base 32", alphabet: Self.alphabet, bits: 5, groupLength: 8, padding: padding)
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Encodes bytes, with 8 characters for 5 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        groups.encode(value)
    }

    /// Decodes a text.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        try groups.decode(encoded)
    }

    private static let alphabet = BaseNAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}
