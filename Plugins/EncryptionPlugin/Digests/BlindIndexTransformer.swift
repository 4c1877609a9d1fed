public import Foundation
public import Transformable

/// A keyed, truncated digest of a sealed attribute's value, so that equality can be looked up.
///
/// BLAKE2b under a key that is derived for the store, entity and attribute, apart from every other key;
/// its first bits as a number. Fewer bits make more values share a number: who looks one up must
/// compare the opened values, and who reads the file learns less. Equal values have equal numbers
/// always.
///
/// Text is brought to NFC first, so that equal strings have equal numbers; any other normalizing is a
/// stage before this one: `lowercase | blind-index`, `last(count: 4) | blind-index(bits: 16)`.
///
/// A *slow* index costs a twentieth of a second and 32 MiB for each value. An attacker who has the key and
/// tries every social security number pays that for each try.
public struct BlindIndexTransformer<Value: BlindIndexable>: OneWayTransformer {
    /// How many bits of the digest are kept, 1 to 63.
    public let bits: Int
    /// The name of the key; nil means the ring's default.
    public let key: String?
    /// Whether each number costs time and memory.
    public let isSlow: Bool

    let keys: KeyRing
    private let subkeys: RecentSubkey

    /// Makes a transformer.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - key: The name of the key; nil means the ring's default.
    ///   - bits: How many bits of the digest are kept, 1 to 63; another number gives unrelated digests.
    ///     ``BlindIndexPlan`` says how many suit.
    ///   - slow: Whether each number costs time and memory.
    public init(keys: KeyRing, key: String? = nil, bits: Int = 32, slow: Bool = false) {
        precondition(BlindIndex.bits.contains(bits), "a blind index has 1 to 63 bits")
        self.keys = keys
        subkeys = RecentSubkey(keys)
        self.key = key
        self.bits = bits
        isSlow = slow
    }

    /// Contextual and confidential; equal values have equal numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .contextual, .confidential] }

    /// The number under the primary generation of the key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - context: The store, entity and attribute; the object does not count.
    /// - Returns: A number from 0 up to 2 to the power of ``bits``, exclusive.
    /// - Throws: `TransformerError` with `missing-key`.
    public func encode(_ value: Value, in context: TransformContext) throws -> Int64 {
        try number(of: value, under: keys.primary(named: key), in: context)
    }

    /// The numbers under every generation that is in use.
    public func candidates(for value: Value, in context: TransformContext) throws -> [Int64] {
        let numbers = try keys.usable(named: key).map { try number(of: value, under: $0, in: context) }
        return Array(Set(numbers))
    }

    private func number(
        of value: Value,
        under entry: KeyRing.Entry,
        in context: TransformContext
    ) throws -> Int64 {
        let binding = SealedBinding(context, includingObject: false)
        let subkey = try subkeys.subkey(of: entry, for: isSlow ? .slowBlindIndex : .blindIndex, in: binding)
        return try BlindIndex.number(of: value.blindIndexBytes, bits: bits, subkey, isSlow: isSlow)
    }
}

/// A value of which a blind index can be made.
public protocol BlindIndexable: Sendable {
    /// The bytes that are digested: equal for equal values.
    var blindIndexBytes: Data { get }
}

extension Data: BlindIndexable {
    /// The bytes themselves.
    public var blindIndexBytes: Data { self }
}

extension String: BlindIndexable {
    /// UTF-8 of the text in NFC: what Swift counts as equal is the same bytes.
    public var blindIndexBytes: Data {
        let isASCII = utf8.allSatisfy { $0 < 0x80 }
        return Data((isASCII ? self : precomposedStringWithCanonicalMapping).utf8)
    }
}

/// How a blind index is made of bytes.
enum BlindIndex {
    static let bits = 1...63

    /// What a slow index costs; it is part of the format.
    private static let cost = PassphraseCost(operations: 3, memory: 32 << 20)
    private static let saltLabel = Array("transformable slow index salt 1".utf8)

    /// The first bits of BLAKE2b-256, which is keyed, over the number of bits, a byte, and the value; for a
    /// slow index, of Argon2id over that.
    static func number(of value: Data, bits: Int, _ subkey: Subkey, isSlow: Bool) throws -> Int64 {
        let prefix = [UInt8(bits)]
        let fast = try unsafe makeDigest(of: value, count: 32) { text, output in
            try unsafe prefix.withUnsafeBytes { try unsafe BLAKE2b.hash($0, text, key: subkey.bytes, into: output) }
        }
        let digest = isSlow ? try slowDigest(of: fast, subkey) : fast
        let first = digest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Int64(first >> (64 - UInt64(bits)))
    }

    private static func slowDigest(of digest: Data, _ subkey: Subkey) throws -> Data {
        let salt = try unsafe makeDigest(of: Data(saltLabel), count: PassphraseParameters.saltCount) { label, output in
            try unsafe BLAKE2b.hash(label, key: subkey.bytes, into: output)
        }
        let password = try unsafe SecureBytes(count: digest.count) { unsafe digest.copyBytes(to: $0) }
        let slow = try PassphraseParameters(cost: cost, salt: Array(salt)).key(of: password)
        return unsafe slow.withUnsafeBytes { unsafe Data($0) }
    }
}
