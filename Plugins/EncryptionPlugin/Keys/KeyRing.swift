public import Foundation
public import Transformable

/// A collection of named keys for an ``EncryptionPlugin``, including the former generations of each key.
///
/// A key ring is an immutable value. Adding or rotating a key returns a new ring, which you write to a file. Each
/// sealed value includes the identifier of the key that sealed it. Therefore, any key of the ring that is not retired
/// can open the values that it sealed, whatever key the expression names.
///
/// ```swift
/// let ring = try KeyRing.empty.addingKey(named: "clinic")
/// try ring.write(to: url)
/// let registry = try TransformerRegistry { EncryptionPlugin(keys: try KeyRing(contentsOf: url)) }
/// ```
///
/// The bytes of keys are kept in locked, guarded memory, which is wiped when it is freed. They never appear in the
/// description or the mirror of the ring, nor in errors.
public struct KeyRing: Sendable {
    /// The public information about a generation of a key.
    public struct Generation: Sendable, Hashable {
        /// The identifier that sealed values include.
        public let id: KeyID
        /// The state of the key, which determines what it can be used for.
        public let state: KeyState
        /// The creation date.
        public let created: Date
        /// Whether the ring has only the public key, which can seal values but cannot open them.
        public let isPublicOnly: Bool
    }

    /// The kind of a key.
    public enum Kind: String, Sendable, Codable {
        /// A symmetric key, which both seals and opens.
        case secret
        /// A key pair: a public key that seals, and a secret key that opens.
        case pair
    }

    /// A generation and its secret, which may be missing for a key pair.
    ///
    /// This is a class, so that looking up the key of a value does not copy anything.
    final class Entry: Sendable {
        let generation: Generation
        let material: KeyMaterial

        init(generation: Generation, material: KeyMaterial) {
            self.generation = generation
            self.material = material
        }
    }

    /// A named key and its generations, oldest first.
    struct NamedKey: Sendable {
        let name: String
        let kind: Kind
        /// Whether others have the secret key too, so that it cannot authenticate a store.
        var isShared = false
        var entries: [Entry]
    }

    /// The length of a key in bytes.
    static let keyCount = 32

    let keys: [NamedKey]
    /// The name of the key to use if an expression names none: the first key that was added, not counting key pairs and
    /// shared keys.
    public let defaultName: String?

    private let entries: [KeyID: Entry]
    private let primaries: [String: Entry]
    private let subkeys: SubkeyCache

    /// A key ring without keys.
    ///
    /// Everything that does not need a key works with it.
    public static let empty = Self(uncheckedKeys: [], defaultName: nil)

    private init(uncheckedKeys keys: [NamedKey], defaultName: String?) {
        self.keys = keys
        self.defaultName = defaultName
        subkeys = SubkeyCache()
        primaries = Dictionary(
            keys.compactMap { key in
                key.entries.first { $0.generation.state == .primary }.map { (key.name, $0) }
            }
        ) { first, _ in first }
        let entries = keys.flatMap(\.entries)
        self.entries = Dictionary(entries.map { ($0.generation.id, $0) }) { first, _ in first }
    }

    /// Creates a key ring, and checks that it is valid.
    init(keys: [NamedKey], defaultName: String?) throws(TransformerError) {
        var names: Set<String> = []
        var ownNames: Set<String> = []
        for key in keys {
            if key.kind == .secret, !key.isShared { ownNames.insert(key.name) }
            guard Self.isValid(name: key.name) else { throw .invalidKeyName(key.name) }
            guard names.insert(key.name).inserted else { throw .duplicateKey(key.name) }
            guard key.entries.count(where: { $0.generation.state == .primary }) == 1 else {
                throw .invalidKeyFile("the key “\(key.name)” must have exactly one primary generation")
            }
            guard key.entries.allSatisfy({ $0.material.kind == key.kind }) else {
                throw .invalidKeyFile("the key “\(key.name)” has generations of different kinds")
            }
        }
        guard defaultName.map(ownNames.contains) ?? ownNames.isEmpty else {
            throw .invalidKeyFile("its default key must be a symmetric key that is not shared")
        }
        self.init(uncheckedKeys: keys, defaultName: defaultName)
        guard entries.count == keys.reduce(0, { $0 + $1.entries.count }) else {
            throw .invalidKeyFile("two keys have the same id")
        }
    }

    /// The names of the keys, in the order in which they were added.
    public var names: [String] { keys.map(\.name) }

    /// Returns the public information about the generations of a key.
    ///
    /// - Parameter name: The name of the key.
    /// - Returns: The generations, oldest first, or an empty array if the ring does not contain the key.
    public func generations(of name: String) -> [Generation] {
        keys.first { $0.name == name }?.entries.map(\.generation) ?? []
    }

    /// Returns the kind of a key.
    ///
    /// - Parameter name: The name of the key.
    /// - Returns: The kind, or nil if the ring does not contain the key.
    public func kind(of name: String) -> Kind? {
        keys.first { $0.name == name }?.kind
    }

    /// Returns a Boolean value that indicates whether others have the secret key too.
    ///
    /// A shared key seals and opens values, but does not authenticate stores or rows.
    ///
    /// - Parameter name: The name of the key.
    /// - Returns: Whether the key was marked as shared when it was imported.
    public func isShared(_ name: String) -> Bool {
        keys.first { $0.name == name }?.isShared ?? false
    }

    private static func isValid(name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension KeyRing {
    /// Returns the generation of a key for new values, where nil means the ring's default key.
    func primary(_ kind: Kind = .secret, named name: String?) throws(TransformerError) -> Entry {
        guard let key = name ?? defaultName, let entry = primaries[key] else {
            throw .missingKey(named: name, in: self)
        }
        guard entry.material.kind == kind else { throw .wrongKind(key, kind) }
        return entry
    }

    /// Returns the generations of a key that are in use, starting with the primary one.
    func usable(named name: String?) throws(TransformerError) -> [Entry] {
        let primary = try primary(named: name)
        let key = keys.first { $0.entries.contains { $0.generation.id == primary.generation.id } }
        return [primary] + (key?.entries.filter { $0.generation.state == .active } ?? [])
    }

    /// Returns the name of the key that a generation belongs to, or `nil` if others have the key too.
    func ownName(of id: KeyID) -> String? {
        keys.first { !$0.isShared && $0.entries.contains { $0.generation.id == id } }?.name
    }

    /// Returns the generation with an identifier.
    func entry(_ id: KeyID) throws(TransformerError) -> Entry {
        guard let entry = entries[id] else { throw .missingKey(id) }
        guard entry.generation.state != .retired else { throw .retiredKey(id) }
        return entry
    }

    /// Returns the subkey of a generation for a purpose and a location.
    func subkey(of entry: Entry, for purpose: SubkeyPurpose, in binding: SealedBinding) throws -> Subkey {
        try subkey(of: entry, at: Subkey.Place(entry.generation.id, purpose, binding))
    }

    /// Returns the subkey of a generation for a location.
    ///
    /// A key pair has none, so what names one in place of a symmetric key was altered.
    func subkey(of entry: Entry, at place: Subkey.Place) throws -> Subkey {
        guard case .secret(let secret) = entry.material else { throw TransformerError.doesNotOpen }
        return try subkeys.subkey(of: secret, for: place)
    }
}

extension KeyRing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the keys.
    public var description: String { "KeyRing(\(names.joined(separator: ", ")))" }

    /// The names of the keys.
    public var debugDescription: String { description }

    /// A mirror that contains only the names of the keys.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

/// The state of a key, which determines what it can be used for.
public enum KeyState: String, Sendable, Codable, CaseIterable {
    /// The key seals new values and opens existing ones. Every named key has exactly one primary generation.
    case primary
    /// The key opens existing values, and is searched for in blind indexes.
    case active
    /// The key is kept, but not used.
    case retired
}

extension KeyRing {
    /// Returns the identifier of the generation for new digests, where nil means the ring's default key.
    func currentKey(named name: String?) -> String? {
        (try? primary(named: name)).map { "\($0.generation.id)" }
    }

    /// Verifies that digests under the given generations can be searched for.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the generations.
    ///   - name: The name of the key, or nil for the ring's default key.
    /// - Throws: `TransformerError` with the code `missing-key` or `retired-key` if a generation is missing or retired.
    fileprivate func requireUsable(_ identifiers: [String], named name: String?) throws {
        // If the ring does not contain the key at all, the error names the generation that is missing.
        let usable = Set(((try? usable(named: name)) ?? []).map { "\($0.generation.id)" })
        guard let stranger = identifiers.first(where: { !usable.contains($0) }) else { return }
        let id = KeyID(stranger)
        if let id { _ = try entry(id) }
        let other = keys.first { $0.entries.contains { $0.generation.id == id } }
        throw TransformerError.indexedUnder(stranger, of: other?.name, not: name ?? defaultName)
    }
}

extension BlindIndexTransformer: KeyIdentifyingTransformer {
    /// The identifier of the key's primary generation.
    public var currentKey: String? { keys.currentKey(named: key) }

    /// Verifies that the generations are primary or active.
    public func requireKeys(_ identifiers: [String]) throws {
        try keys.requireUsable(identifiers, named: key)
    }
}

extension HMACTransformer: KeyIdentifyingTransformer {
    /// The identifier of the key's primary generation.
    public var currentKey: String? { keys.currentKey(named: key) }

    /// Verifies that the generations are primary or active.
    public func requireKeys(_ identifiers: [String]) throws {
        try keys.requireUsable(identifiers, named: key)
    }
}

extension SealedTransformer: KeyIdentifyingTransformer {
    /// The identifier of the primary generation, which seals new values.
    public var currentKey: String? {
        (try? primaryID.get()).map(\.description)
    }

    /// Verifies that the generations can open the values that they sealed and, with deterministic encryption, that they
    /// are primary or active generations of the key.
    public func requireKeys(_ identifiers: [String]) throws {
        if kind == .deterministic { return try keys.requireUsable(identifiers, named: key) }
        for id in identifiers.compactMap({ KeyID($0) }) {
            _ = try keys.entry(id)
            // The public key of another pair opens nothing.
            if kind == .recipient, let key, !keys.generations(of: key).contains(where: { $0.id == id }) {
                throw TransformerError.missingKey(id)
            }
        }
    }
}
