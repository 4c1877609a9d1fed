public import Foundation
public import Transformable

/// A UUID as its 16 bytes, in the order in which its text has them (RFC 9562, section 4).
public struct UUIDBytesTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// The 16 bytes.
    public func encode(_ value: UUID, in context: TransformContext) -> Data {
        let b = value.uuid
        return Data([
            b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
        ])
    }

    /// The UUID of 16 bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> UUID {
        let b = [UInt8](encoded)
        guard b.count == 16 else {
            throw .invalidData("a UUID has 16 bytes, not \(b.count)", offset: min(b.count, 16))
        }
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }
}
