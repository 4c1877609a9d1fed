public import Foundation
public import Transformable

/// The BLAKE2b digest of bytes, one way (RFC 7693), without a key.
///
/// Like any digest without a key it hides nothing that can be guessed; see ``DigestTransformer``.
public struct BLAKE2bTransformer: OneWayTransformer {
    /// The lengths that a digest may have, in bytes.
    public static let counts = 16...64

    /// The length of the digest in bytes; digests of different lengths have nothing in common.
    public let count: Int

    /// Makes a transformer.
    ///
    /// - Parameter count: The length of the digest, 16 to 64 bytes.
    public init(count: Int = 32) {
        precondition(Self.counts.contains(count), "a BLAKE2b digest has 16 to 64 bytes")
        self.count = count
    }

    /// Confidential: who digests a value may not want an error of an earlier stage to quote it.
    public var traits: TransformerTraits { [.deterministic, .canonical, .confidential] }

    /// The digest of the bytes, the same in every context.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        try Sodium.initialize()
        return try unsafe makeDigest(of: value, count: count) { try unsafe BLAKE2b.hash($0, key: nil, into: $1) }
    }
}
