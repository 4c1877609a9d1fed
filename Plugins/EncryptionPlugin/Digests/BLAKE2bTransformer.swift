public import Foundation
public import Transformable

/// A one-way transformer that computes the BLAKE2b digest of bytes (RFC 7693), without a key.
///
/// Like any digest without a key, it does not protect values that can be guessed. See ``DigestTransformer``.
public struct BLAKE2bTransformer: OneWayTransformer {
    /// The supported digest lengths, in bytes.
    public static let counts = 16...64

    /// The length of the digest, in bytes.
    ///
    /// Digests of different lengths are unrelated.
    public let count: Int

    /// Creates a transformer.
    ///
    /// - Parameter count: The length of the digest, from 16 to 64 bytes.
    public init(count: Int = 32) {
        precondition(Self.counts.contains(count), "a BLAKE2b digest must have 16 to 64 bytes")
        self.count = count
    }

    /// The traits of the transformer.
    ///
    /// It is confidential, so that errors of earlier stages do not quote the value.
    public var traits: TransformerTraits { [.deterministic, .canonical, .confidential] }

    /// Returns the digest of the bytes, which does not depend on the context.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        try Sodium.initialize()
        return try unsafe makeDigest(of: value, count: count) { try unsafe BLAKE2b.hash($0, key: nil, into: $1) }
    }
}
