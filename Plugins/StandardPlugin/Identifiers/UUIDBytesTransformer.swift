public import Foundation
public import Transformable

/// A transformer that converts UUIDs to 16 bytes, in the order of their text (RFC 9562, section 4).
public struct UUIDBytesTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the 16 bytes of a UUID.
    public func encode(_ value: UUID, in context: TransformContext) -> Data {
        let b = value.uuid
        return Data([
            b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
        ])
    }

    /// Returns the UUID for 16 bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> UUID {
        let b = [UInt8](encoded)
        guard b.count == 16 else {
            throw .invalidData("a UUID must have 16 bytes, not \(b.count)", offset: min(b.count, 16))
        }
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }
}
