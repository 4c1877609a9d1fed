public import Foundation
public import Transformable

/// A keyed, truncated digest of a sealed attribute's value, which makes it possible to search for equal values.
///
/// The number consists of the first bits of BLAKE2b under a key that is derived for the tenant, store, entity, and
/// attribute, and that is separate from every other key. With fewer bits, more values share a number: searches have to compare the
/// opened values, and the file reveals less. Equal values always have equal numbers.
///
/// Text is converted to NFC first, so that equal strings have equal numbers. Put any other normalization in an earlier
/// stage: `lowercase | blind-index`, `last(count: 4) | blind-index(bits: 16)`.
///
/// A *slow* index takes about 50 milliseconds and 32 MiB of memory for each value. An attacker who has the key and
/// tries every social security number pays this cost for each attempt.
public struct BlindIndexTransformer<Value: BlindIndexable>: OneWayTransformer {
    /// The number of bits of the digest, from 1 to 63.
    public let bits: Int
    /// The name of the key, or nil for the ring's default.
    public let key: String?
    /// Whether computing a number takes time and memory.
    public let isSlow: Bool

    let keys: KeyRing
    private let subkeys: RecentSubkey

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - keys: The key ring.
    ///   - key: The name of the key, or nil for the ring's default.
    ///   - bits: The number of bits of the digest, from 1 to 63. Digests of different lengths are unrelated. To find a
    ///     suitable number, use ``BlindIndexPlan``.
    ///   - slow: Whether computing a number takes time and memory.
    public init(keys: KeyRing, key: String? = nil, bits: Int = 32, slow: Bool = false) {
        precondition(BlindIndex.bits.contains(bits), "a blind index must have 1 to 63 bits")
        self.keys = keys
        subkeys = RecentSubkey(keys)
        self.key = key
        self.bits = bits
        isSlow = slow
    }

    /// The traits of the transformer: contextual and confidential.
    ///
    /// Equal values have equal numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .contextual, .confidential] }

    /// Returns the number of a value under the primary generation of the key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - context: The store, entity, attribute, and tenant. The object is ignored.
    /// - Returns: A number from 0 up to, but not including, 2 to the power of ``bits``.
    /// - Throws: `TransformerError` with the code `missing-key` if the ring does not contain the key.
    public func encode(_ value: Value, in context: TransformContext) throws -> Int64 {
        try number(of: value.blindIndexBytes, under: keys.primary(named: key), in: context)
    }

    /// Returns the numbers of a value under all generations that are in use.
    ///
    /// They include the numbers that earlier versions of the library computed from text that they did not convert to NFC
    /// correctly.
    public func candidates(for value: Value, in context: TransformContext) throws -> [Int64] {
        try candidates(forAnyOf: [value], in: context)
    }

    /// Returns the numbers of several values under all generations that are in use.
    ///
    /// Each number is computed once, no matter how many of the values have it.
    public func candidates(forAnyOf values: [Value], in context: TransformContext) throws -> [Int64] {
        let forms = Set(values.flatMap { [$0.blindIndexBytes] + (($0 as? String)?.formerBlindIndexBytes ?? []) })
        let numbers = try keys.usable(named: key)
            .flatMap { entry in try forms.map { try number(of: $0, under: entry, in: context) } }
        return Array(Set(numbers))
    }

    private func number(
        of bytes: Data,
        under entry: KeyRing.Entry,
        in context: TransformContext
    ) throws -> Int64 {
        let binding = SealedBinding(context, includingObject: false)
        let purpose = isSlow ? SubkeyPurpose.slowBlindIndex : .blindIndex
        let subkey = try subkeys.subkey(of: entry.generation.id, for: purpose, in: binding)
        return try BlindIndex.number(of: bytes, bits: bits, subkey, isSlow: isSlow)
    }
}

/// A value that can have a blind index.
public protocol BlindIndexable: Sendable {
    /// The bytes to digest, which must be equal for equal values.
    var blindIndexBytes: Data { get }
}

extension Data: BlindIndexable {
    /// The data itself.
    public var blindIndexBytes: Data { self }
}

extension String: BlindIndexable {
    /// The UTF-8 bytes of the text in NFC, which are equal for strings that Swift considers equal.
    public var blindIndexBytes: Data {
        Data(composed.utf8)
    }

    /// What earlier versions digested, which is different for a few texts that Foundation does not compose correctly.
    ///
    /// Stores passed the text in its composed form.
    fileprivate var formerBlindIndexBytes: [Data] {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
        return [self, composed].map { Data($0.precomposedStringWithCanonicalMapping.utf8) }
    }
}

/// The computation of blind indexes.
enum BlindIndex {
    static let bits = 1...63

    /// The cost of a slow index, which is part of the format.
    private static let cost = PassphraseCost(operations: 3, memory: 32 << 20)
    private static let saltLabel = Array("transformable slow index salt 1".utf8)

    /// Returns the first bits of the keyed BLAKE2b-256 digest of the number of bits (one byte) and the value.
    ///
    /// For a slow index, returns the first bits of Argon2id of that digest.
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
        SlowDigestObserver.current.willCompute()
        let salt = try unsafe makeDigest(of: Data(saltLabel), count: PassphraseParameters.saltCount) { label, output in
            try unsafe BLAKE2b.hash(label, key: subkey.bytes, into: output)
        }
        let password = try unsafe SecureBytes(count: digest.count) { unsafe digest.copyBytes(to: $0) }
        let slow = try PassphraseParameters(cost: cost, salt: Array(salt)).key(of: password)
        return unsafe slow.withUnsafeBytes { unsafe Data($0) }
    }
}

/// Learns of each number of a slow index that is computed, so that a test can count them.
package struct SlowDigestObserver: Sendable {
    @TaskLocal package static var current = Self {}

    let willCompute: @Sendable () -> Void

    package init(willCompute: @escaping @Sendable () -> Void) {
        self.willCompute = willCompute
    }
}

/// Computes how many bits are suitable for a blind index of a given number of distinct values.
///
/// With *r* distinct values and *b* bits, an average of *r* / 2^*b* values share a number. If fewer than two do, most
/// numbers belong to one or two values, and the index reveals nearly as much as deterministic encryption does: which
/// rows are equal, and how often each value occurs. If more than √*r* do, searches have to open an unnecessary
/// number of rows.
///
/// ```swift
/// let plan = BlindIndexPlan(distinctValues: 1_000_000)
/// let bits = plan.suitableBits         // 10...18
/// try plan.verify(bits: 16)
/// ```
public struct BlindIndexPlan: Sendable, Hashable {
    /// The expected number of distinct values.
    public let distinctValues: Int

    /// Creates a plan.
    ///
    /// - Parameter distinctValues: The expected number of distinct values.
    public init(distinctValues: Int) {
        self.distinctValues = max(0, distinctValues)
    }

    /// The numbers of bits with which at least two and at most √*r* values share a number.
    ///
    /// The result is nil for fewer than four values, which no index can hide.
    public var suitableBits: ClosedRange<Int>? {
        let suitable = (1...63)
            .filter { bits in
                let sharing = sharing(bits: bits)
                return sharing >= 2 && sharing <= Double(distinctValues).squareRoot()
            }
        guard let least = suitable.first, let most = suitable.last else { return nil }
        return least...most
    }

    /// Returns how many values share a number on average.
    ///
    /// - Parameter bits: The number of bits.
    /// - Returns: The average. If it is less than one, most values have a unique number.
    public func sharing(bits: Int) -> Double {
        Double(distinctValues) / exp2(Double(bits))
    }

    /// Verifies that an index does not identify values.
    ///
    /// - Parameters:
    ///   - bits: The number of bits.
    ///   - allowingIdentification: Whether to accept an index that identifies values.
    /// - Throws: `TransformerError` with the code `identifying-index` if it does.
    public func verify(bits: Int, allowingIdentification: Bool = false) throws {
        guard !allowingIdentification, sharing(bits: bits) < 2 else { return }
        let advice = suitableBits.map { "; use \($0.lowerBound) to \($0.upperBound) bits" } ?? ""
        let counts = "with \(bits) bits and \(distinctValues) distinct values"
        throw TransformerError(.identifyingIndex, "\(counts), most numbers belong to one or two values\(advice)")
    }
}

extension BlindIndexTransformer: CardinalitySensitiveTransformer {
    /// Advice on the number of values from which numbers no longer identify values.
    public var advice: String {
        let many = bits == 63 ? "any number of" : "fewer than \((1 as UInt64) << UInt64(bits + 1))"
        let reason = "most numbers belong to one or two values, so the file shows which rows are equal"
        return "with \(many) distinct values, \(reason)"
    }

    /// Verifies that the index does not identify values.
    public func verify(distinctValues: Int) throws {
        try verify(distinctValues: distinctValues, besides: 0)
    }

    /// The number of bits of the digest.
    public var bitCount: Int { bits }

    /// Verifies that the index does not identify values in combination with other indexes of them.
    public func verify(distinctValues: Int, besides others: Int) throws {
        do {
            try BlindIndexPlan(distinctValues: distinctValues).verify(bits: bits + others)
        } catch let error as TransformerError where others > 0 {
            let message =
                "its \(bits) bits and \(others) bits of other indexes of the same values add up: \(error.message)"
            throw TransformerError(error.code, message)
        }
    }
}
