internal import Foundation
public import Transformable

/// Sealed attributes, blind indexes, digests and HMAC, on libsodium.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     EncryptionPlugin(keys: try KeyRing(contentsOf: url))
/// }
/// let ssn = try registry.transformer("text | sealed(key: \"clinic\")", for: String.self)
/// ```
public struct EncryptionPlugin: TransformerPlugin {
    /// “encryption”, as listings show it.
    public let name = "encryption"
    private let keys: KeyRing

    /// Makes a plugin that works with the keys of a ring.
    ///
    /// - Parameter keys: The keys. With ``KeyRing/empty`` every expression resolves, digests work, and what
    ///   needs a key throws `missing-key` when it is used.
    public init(keys: KeyRing = .empty) {
        self.keys = keys
    }

    /// `sealed`, `blind-index`, `sha256`, `sha512`, `blake2b`, `hmac-sha256`, `hmac-sha512`.
    public var registrations: [Registration] {
        sealed
        blindIndex
        Registration("sha256", summary: "SHA-256, one way", DigestTransformer(.sha256))
        Registration("sha512", summary: "SHA-512, one way", DigestTransformer(.sha512))
        Registration(
            "blake2b",
            summary: "BLAKE2b, one way",
            .reading("size", "bytes of the digest", default: 32, in: BLAKE2bTransformer.counts)
        ) { size in BLAKE2bTransformer(count: size) }
        hmac("hmac-sha256", .sha256, summary: "HMAC with SHA-256, one way")
        hmac("hmac-sha512", .sha512, summary: "HMAC with SHA-512, one way")
    }

    /// Shows the header of a sealed value, and the keys of a key file without their secrets.
    public var inspectors: [Inspector] { [.sealedValue, .keyFile] }

    /// Authenticates stores under the ring's secret keys.
    public var sealer: (any StoreSealer)? { KeyRingSealer(keys: keys) }

    private var sealed: Registration {
        Registration(
            "sealed",
            summary: "encrypted, and bound to its place",
            .writing("key", "the key for new values; the ring's default if left out", default: .some(String?.none)),
            .writing("padding", "how much is told of the length", default: SealedPadding.block),
            .reading("deterministic", "whether equal values are equal bytes", default: false),
            .reading("to", "the pair whose public key seals and whose secret one opens", default: .some(String?.none))
        ) { [keys] key, padding, deterministic, recipient in
            guard let recipient else {
                return SealedTransformer(keys: keys, key: key, padding: padding, deterministic: deterministic)
            }
            guard key == nil, !deterministic else {
                throw TransformerError(.invalidArgument, "“to” goes with neither “key” nor “deterministic”")
            }
            return SealedTransformer(keys: keys, to: recipient, padding: padding)
        }
    }

    private var blindIndex: Registration {
        Registration.family(
            "blind-index",
            default: String.self,
            summary: "a keyed, truncated digest for equality, one way",
            .reading("bits", "how many bits of the digest are kept", default: 32, in: BlindIndex.bits),
            .reading("key", "the key; the ring's default if left out", default: .some(String?.none)),
            .reading("slow", "whether each number costs time and memory", default: false)
        ) { [keys] request, bits, key, slow in
            if request.valueType == Data.self {
                return BlindIndexTransformer<Data>(keys: keys, key: key, bits: bits, slow: slow)
            }
            guard request.valueType == nil || request.valueType == String.self else {
                throw TransformerError.unsupportedType(request.valueType ?? String.self, expected: "String or Data")
            }
            return BlindIndexTransformer<String>(keys: keys, key: key, bits: bits, slow: slow)
        }
    }

    private func hmac(_ name: TransformerName, _ algorithm: DigestAlgorithm, summary: String) -> Registration {
        Registration(
            name,
            summary: summary,
            .reading("key", "the key; the ring's default if left out", default: .some(String?.none))
        ) { [keys] key in HMACTransformer(algorithm, keys: keys, key: key) }
    }
}

extension EncryptionPlugin: CustomReflectable {
    /// The name only: a dump shows no keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
