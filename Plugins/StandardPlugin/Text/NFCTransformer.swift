internal import Foundation
public import Transformable

/// Text in Unicode's composed normal form (NFC, UAX #15): equal texts get equal bytes.
///
/// Swift counts texts as equal that differ in normalization only, so the decoded text equals the
/// encoded one, although its code points may differ.
public struct NFCTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The text in normal form.
    public func encode(_ value: String, in context: TransformContext) -> String {
        value.utf8.allSatisfy { $0 < 0x80 } ? value : value.precomposedStringWithCanonicalMapping
    }

    /// The text as it is.
    public func decode(_ encoded: String, in context: TransformContext) -> String { encoded }
}
