internal import Foundation
public import Transformable

/// A transformer that converts text to Unicode's composed normal form (NFC, UAX #15), so that equal texts have equal
/// bytes.
///
/// Swift considers texts that differ only in normalization equal. Therefore, the decoded text equals the encoded one,
/// although its code points may differ.
public struct NFCTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the normalized text.
    public func encode(_ value: String, in context: TransformContext) -> String {
        value.utf8.allSatisfy { $0 < 0x80 } ? value : value.precomposedStringWithCanonicalMapping
    }

    /// Returns the text.
    public func decode(_ encoded: String, in context: TransformContext) -> String { encoded }
}
