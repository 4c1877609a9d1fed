internal import Foundation
public import Transformable

/// A plugin for sealed attributes, blind indexes, digests, and HMAC, based on libsodium.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     EncryptionPlugin(keys: try KeyRing(contentsOf: url))
/// }
/// let ssn = try registry.transformer("text | sealed(key: \"clinic\")", for: String.self)
/// ```
public struct EncryptionPlugin: TransformerPlugin {
    /// The plugin's name, “encryption”.
    public let name = "encryption"
    private let keys: KeyRing

    /// Creates a plugin that uses the keys of a ring.
    ///
    /// - Parameter keys: The key ring. With ``KeyRing/empty``, all expressions can be resolved and digests work, but
    ///   transformers that need a key throw an error with the code `missing-key` when they are used.
    public init(keys: KeyRing = .empty) {
        self.keys = keys
    }

    /// The transformers `sealed`, `blind-index`, `sha256`, `sha512`, `blake2b`, `hmac-sha256`, and `hmac-sha512`.
    public var registrations: [Registration] {
        sealed
        blindIndex
        Registration("sha256", summary: "SHA-256, one way", DigestTransformer(.sha256))
        Registration("sha512", summary: "SHA-512, one way", DigestTransformer(.sha512))
        Registration(
            "blake2b",
            summary: "BLAKE2b, one way",
            .reading("size", "the length of the digest in bytes", default: 32, in: BLAKE2bTransformer.counts)
        ) { size in BLAKE2bTransformer(count: size) }
        hmac("hmac-sha256", .sha256, summary: "HMAC with SHA-256, one way")
        hmac("hmac-sha512", .sha512, summary: "HMAC with SHA-512, one way")
    }

    /// Inspectors that show the header of a sealed value, and the keys of a key file without their secrets.
    public var inspectors: [Inspector] { [.sealedValue, .keyFile] }

    /// A sealer that authenticates stores with the ring's secret keys.
    public var sealer: (any StoreSealer)? { KeyRingSealer(keys: keys) }

    private var sealed: Registration {
        Registration(
            "sealed",
            summary: "encrypted and bound to its location",
            .writing("key", "the key for new values; by default, the ring's default key", default: .some(String?.none)),
            .writing("padding", "how much of the length is revealed", default: SealedPadding.block),
            .reading("deterministic", "whether equal values have equal bytes", default: false),
            .reading(
                "to",
                "the key pair whose public key seals and whose secret key opens",
                default: .some(String?.none)
            )
        ) { [keys] key, padding, deterministic, recipient in
            guard let recipient else {
                return SealedTransformer(keys: keys, key: key, padding: padding, deterministic: deterministic)
            }
            guard key == nil, !deterministic else {
                throw TransformerError(.invalidArgument, "“to” cannot be combined with “key” or “deterministic”")
            }
            return SealedTransformer(keys: keys, to: recipient, padding: padding)
        }
    }

    private var blindIndex: Registration {
        Registration.family(
            "blind-index",
            default: String.self,
            summary: "a keyed, truncated digest for equality, one way",
            .reading("bits", "the number of bits of the digest", default: 32, in: BlindIndex.bits),
            .reading("key", "the key; by default, the ring's default key", default: .some(String?.none)),
            .reading("slow", "whether computing a number is deliberately slow and takes much memory", default: false)
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
            .reading("key", "the key; by default, the ring's default key", default: .some(String?.none))
        ) { [keys] key in HMACTransformer(algorithm, keys: keys, key: key) }
    }
}

extension EncryptionPlugin: CustomReflectable {
    /// A mirror that contains only the plugin's name, so that a dump does not show keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension TypedExpression where Value == String {
    /// Text that is encrypted with the ring's default key and bound to its location.
    public static var sealed: Self { Self("sealed") }
}

extension TypedExpression {
    /// Appends a stage that encrypts the bytes and binds them to their location: `.png.sealed()`.
    ///
    /// - Parameter key: The name of the key for new values, or nil for the ring's default key.
    /// - Returns: The expression with the stage appended.
    public func sealed(key: String? = nil) -> Self {
        then(SealedStage.text(key: key))
    }
}

extension CodableExpression {
    /// Appends a stage that encrypts the bytes and binds them to their location: `.json.sealed()`.
    ///
    /// - Parameter key: The name of the key for new values, or nil for the ring's default key.
    /// - Returns: The expression with the stage appended.
    public func sealed(key: String? = nil) -> Self {
        then(SealedStage.text(key: key))
    }
}

private enum SealedStage {
    static func text(key: String?) -> String {
        key.map { "sealed(key: \(ArgumentValue.string($0)))" } ?? "sealed"
    }
}
