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

/// A hash function of the SHA-2 family (FIPS 180-4).
public enum DigestAlgorithm: Sendable, CaseIterable {
    /// SHA-256, whose digests have 32 bytes.
    case sha256
    /// SHA-512, whose digests have 64 bytes.
    case sha512

    /// The length of a digest, in bytes.
    public var count: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        }
    }
}

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
