internal import CSodium
public import Foundation
public import Transformable

/// A one-way transformer that computes the SHA-2 digest of bytes (FIPS 180-4).
///
/// A digest without a key does not protect values that can be guessed: anyone who tries all social security numbers
/// finds the one with a given digest. For secrets, use ``HMACTransformer`` or ``BlindIndexTransformer``.
public struct DigestTransformer: OneWayTransformer {
    /// The hash function.
    public let algorithm: DigestAlgorithm

    /// Creates a transformer.
    ///
    /// - Parameter algorithm: The hash function.
    public init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
    }

    /// The traits of the transformer.
    ///
    /// It is confidential, so that errors of earlier stages do not quote the value.
    public var traits: TransformerTraits { [.deterministic, .canonical, .confidential] }

    /// Returns the digest of the bytes, which does not depend on the context.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        try Sodium.initialize()
        return try unsafe makeDigest(of: value, count: algorithm.count) { text, output in
            guard let target = unsafe output.octets else { return }
            let length = UInt64(text.count)
            let code =
                switch algorithm {
                case .sha256: unsafe crypto_hash_sha256(target, text.octets, length)
                case .sha512: unsafe crypto_hash_sha512(target, text.octets, length)
                }
            try Sodium.check(code)
        }
    }
}
