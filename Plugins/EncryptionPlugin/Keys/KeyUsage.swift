internal import Foundation
public import Transformable

/// The keys that were used for sealing and indexing the values of stores, as determined from the stored bytes.
///
/// Sealed values and keyed indexes include the identifier of their key. Therefore, nothing is decoded and no key is
/// needed.
public struct KeyUsage: Sendable {
    /// The number of values that were sealed with each key.
    public private(set) var values: [KeyID: Int] = [:]
    /// The names of the indexes that may have rows under each key.
    public private(set) var indexes: [KeyID: [String]] = [:]
    /// The number of values under each key that migrations have dropped, but that are still in the file.
    public private(set) var setAside: [KeyID: Int] = [:]
    /// The number of stores whose seals were created with each key.
    public private(set) var seals: [KeyID: Int] = [:]
    /// The number of rows that are authenticated with each key.
    public private(set) var rows: [KeyID: Int] = [:]
    /// The names of attributes with values whose key cannot be determined.
    public private(set) var unknown: [String] = []

    /// All keys that anything needs.
    package var keys: Set<KeyID> {
        Set(values.keys).union(setAside.keys).union(indexes.keys).union(seals.keys).union(rows.keys)
    }

    /// Determines the usage of keys in several stores.
    ///
    /// - Parameter sources: The stores.
    /// - Throws: Any error thrown while a store is read.
    public init(of sources: [any StoredValueSource] = []) throws {
        for source in sources { try add(source) }
    }

    /// Adds the usage of keys in a store.
    ///
    /// - Parameter source: The store.
    /// - Throws: Any error thrown while the store is read.
    public mutating func add(_ source: any StoredValueSource) throws {
        for attribute in try source.countValues(byFirst: KeyID.headerCount, where: Self.mayBeSealed) { add(attribute) }
        for (index, keys) in try source.indexKeys() {
            for key in keys.compactMap({ KeyID($0) }) { indexes[key, default: []].append(index) }
        }
        if let key = try source.sealKey().flatMap({ KeyID($0) }) { seals[key, default: 0] += 1 }
        for counts in try source.rowKeys().values {
            for (name, count) in counts {
                if let key = KeyID(name) { rows[key, default: 0] += count }
            }
        }
    }

    private mutating func add(_ attribute: StoredValueCounts) {
        let components = attribute.transformer?.components ?? []
        let isLast = components.last is SealedTransformer
        let total = attribute.isSetAside ? \Self.setAside : \Self.values
        // The outermost seal hides which keys the inner ones use.
        let isNested = components.count { $0 is SealedTransformer } > 1
        var hasUnknown = isNested && !attribute.counts.isEmpty
        for (header, count) in attribute.counts {
            if isLast, let key = header.flatMap({ KeyID(sealed: $0) }) {
                self[keyPath: total][key, default: 0] += count
            } else if !isLast || header == nil {
                hasUnknown = true
            }
        }
        if hasUnknown { unknown.append(attribute.name + (attribute.isSetAside ? " (dropped by a migration)" : "")) }
    }

    private static func mayBeSealed(_ transformer: ResolvedTransformer?) -> Bool {
        transformer?.components.contains { $0 is SealedTransformer } ?? true
    }

    /// Returns phrases as in `a`, `a and b`, or `a, b, and c`.
    private static func list(_ phrases: [String]) -> String {
        guard let last = phrases.last, phrases.count > 2 else { return phrases.joined(separator: " and ") }
        return "\(phrases.dropLast().joined(separator: ", ")), and \(last)"
    }

    /// Describes what needs a key.
    ///
    /// - Parameter key: The identifier of the key.
    /// - Returns: A phrase such as `2 values and the index Patient.ssn_blind_index`, or `nil` if nothing needs the key.
    public func need(of key: KeyID) -> String? {
        var needs: [String] = []
        if let count = values[key] { needs.append(count.counted("value")) }
        if let count = setAside[key] {
            needs.append("\(count) dropped by a migration, which “store discard” removes")
        }
        if let indexes = indexes[key] { needs.append("the index \(indexes.sorted().joined(separator: ", "))") }
        if let count = seals[key] {
            needs.append("the \(count == 1 ? "seal of a store" : "seals of \(count) stores")")
        }
        if let count = rows[key] { needs.append(count.counted("authenticated row")) }
        if !unknown.isEmpty { needs.append("possibly \(unknown.joined(separator: ", ")), whose keys are not known") }
        return needs.isEmpty ? nil : Self.list(needs)
    }

    /// Throws an error if anything needs a key.
    package func requireNoNeed(of key: KeyID) throws(TransformerError) {
        guard let need = need(of: key) else { return }
        throw keys.contains(key) ? TransformerError.keyInUse(key, need) : .keyPossiblyInUse(key, unknown)
    }
}

/// The identifier of a key: 8 random bytes, which every sealed value includes.
public struct KeyID: Hashable, Sendable {
    /// The identifier as a number, whose most significant byte is stored first.
    let number: UInt64

    init(number: UInt64) {
        self.number = number
    }

    /// Creates an identifier from its digits, or returns `nil` if the text has any other form.
    ///
    /// - Parameter text: 16 lowercase hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 16, let number = UInt64(text, radix: 16) else { return nil }
        self.number = number
        guard description == text else { return nil }
    }

    /// The bytes in the order in which they are stored.
    var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

extension KeyID: CustomStringConvertible {
    /// The identifier as 16 hexadecimal digits.
    public var description: String { HexadecimalText.text(of: bytes) }
}

extension KeyID: Codable {
    /// Decodes an identifier from 16 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "an id must have 16 hexadecimal digits"
            )
        }
        self = id
    }

    /// Encodes the identifier as 16 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
