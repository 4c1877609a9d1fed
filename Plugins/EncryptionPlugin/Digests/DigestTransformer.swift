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

/// A one-way transformer that computes the HMAC of bytes with a key of a ring (RFC 2104 with SHA-2).
///
/// The HMAC key is derived from the ring's key for this purpose, and for the tenant if the context has one, but not for a
/// particular store, entity, or attribute. Therefore, a value has the same digest everywhere within a tenant, and columns
/// and stores can be joined on it. If you do not want this, use ``BlindIndexTransformer``.
public struct HMACTransformer: OneWayTransformer {
    /// The hash function.
    public let algorithm: DigestAlgorithm
    /// The name of the key, or nil for the ring's default.
    public let key: String?

    let keys: KeyRing

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - algorithm: The hash function.
    ///   - keys: The key ring.
    ///   - key: The name of the key, or nil for the ring's default.
    public init(_ algorithm: DigestAlgorithm, keys: KeyRing, key: String? = nil) {
        self.algorithm = algorithm
        self.keys = keys
        self.key = key
    }

    /// The traits of the transformer.
    ///
    /// It is contextual because of the tenant, and confidential, so that errors of earlier stages do not quote the value.
    public var traits: TransformerTraits { [.deterministic, .canonical, .contextual, .confidential] }

    /// Returns the digest of a value under the primary generation of the key.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        try digest(of: value, under: keys.primary(named: key), for: context.tenant)
    }

    /// Returns the digests of a value under all generations that are in use.
    public func candidates(for value: Data, in context: TransformContext) throws -> [Data] {
        try keys.usable(named: key).map { try digest(of: value, under: $0, for: context.tenant) }
    }

    private func digest(of value: Data, under entry: KeyRing.Entry, for tenant: Int64?) throws -> Data {
        let purpose: SubkeyPurpose =
            switch algorithm {
            case .sha256: .hmacSHA256
            case .sha512: .hmacSHA512
            }
        let subkey = try keys.subkey(of: entry, for: purpose, in: SealedBinding(tenant: tenant))
        return try unsafe makeDigest(of: value, count: algorithm.count) { text, output in
            try unsafe subkey.bytes.withUnsafeBytes { key in try unsafe authenticate(text, key, into: output) }
        }
    }

    private func authenticate(
        _ text: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard let target = unsafe output.octets, let key = unsafe key.octets else { return }
        let length = UInt64(text.count)
        let code =
            switch algorithm {
            case .sha256: unsafe crypto_auth_hmacsha256(target, text.octets, length, key)
            case .sha512: unsafe crypto_auth_hmacsha512(target, text.octets, length, key)
            }
        try Sodium.check(code)
    }
}

/// Computes the digest of a value, and provides the memory for it.
func makeDigest(
    of value: Data,
    count: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void
) throws -> Data {
    try unsafe value.withUnsafeBytes { text in
        try unsafe Data.uninitialized(count: count) { output in
            try unsafe body(text, output)
            return count
        }
    }
}
