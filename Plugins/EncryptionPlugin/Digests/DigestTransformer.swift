internal import CSodium
public import Foundation
public import Transformable

/// The SHA-2 digest of bytes, one way (FIPS 180-4).
///
/// A digest without a key hides nothing that can be guessed: who tries all social security numbers finds
/// the one with this digest. For secrets use ``HMACTransformer`` or ``BlindIndexTransformer``.
public struct DigestTransformer: OneWayTransformer {
    /// The hash function.
    public let algorithm: DigestAlgorithm

    /// Makes a transformer.
    ///
    /// - Parameter algorithm: The hash function.
    public init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
    }

    /// Confidential: who digests a value may not want an error of an earlier stage to quote it.
    public var traits: TransformerTraits { [.deterministic, .canonical, .confidential] }

    /// The digest of the bytes, the same in every context.
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
