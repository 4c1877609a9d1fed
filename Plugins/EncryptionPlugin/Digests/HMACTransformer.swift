internal import CSodium
public import Foundation
public import Transformable

/// The HMAC of bytes under a key of a ring, one way (RFC 2104 with SHA-2).
///
/// The key is derived from the ring's key for this purpose alone and not for a place: the same value
/// has the same digest wherever it stands, so that columns and stores can be joined on it. Where that
/// is not wanted, use ``BlindIndexTransformer``.
public struct HMACTransformer: OneWayTransformer {
    /// The hash function.
    public let algorithm: DigestAlgorithm
    /// The name of the key; nil means the ring's default.
    public let key: String?

    let keys: KeyRing

    /// Makes a transformer.
    ///
    /// - Parameters:
    ///   - algorithm: The hash function.
    ///   - keys: The keys.
    ///   - key: The name of the key; nil means the ring's default.
    public init(_ algorithm: DigestAlgorithm, keys: KeyRing, key: String? = nil) {
        self.algorithm = algorithm
        self.keys = keys
        self.key = key
    }

    /// Confidential: no error of an earlier stage quotes the value.
    public var traits: TransformerTraits { [.deterministic, .canonical, .confidential] }

    /// The digest under the primary generation of the key.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        try digest(of: value, under: keys.primary(named: key))
    }

    /// The digests under every generation that is in use.
    public func candidates(for value: Data, in context: TransformContext) throws -> [Data] {
        try keys.usable(named: key).map { try digest(of: value, under: $0) }
    }

    private func digest(of value: Data, under entry: KeyRing.Entry) throws -> Data {
        let purpose: SubkeyPurpose =
            switch algorithm {
            case .sha256: .hmacSHA256
            case .sha512: .hmacSHA512
            }
        let subkey = try keys.subkey(of: entry, for: purpose, in: .none)
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
