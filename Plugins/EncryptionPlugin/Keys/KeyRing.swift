public import Foundation
internal import Transformable

/// Named keys, each with the generations it has gone through: what an ``EncryptionPlugin`` works with.
///
/// A ring is a value that never changes; adding or rotating a key gives a new ring, to be written to
/// its file. Values carry the identifier of the key that sealed them, so every key of the ring that is
/// not retired opens what it sealed, whatever name an expression states.
///
/// ```swift
/// let ring = try KeyRing.empty.addingKey(named: "clinic")
/// try ring.write(to: url)
/// let registry = try TransformerRegistry { EncryptionPlugin(keys: KeyRing(contentsOf: url)) }
/// ```
///
/// Key bytes lie in locked, guarded memory that is wiped when it is freed. Nothing prints them:
/// not the ring's description, not its mirror, and no error.
public struct KeyRing: Sendable {
    /// What is public about one generation of a key.
    public struct Generation: Sendable, Hashable {
        /// The identifier that sealed values carry.
        public let id: KeyID
        /// What it may still be used for.
        public let state: KeyState
        /// When it was made.
        public let created: Date
        /// Whether the ring has only the public key, which seals and does not open.
        public let isPublicOnly: Bool
    }

    /// What kind of key a name stands for.
    public enum Kind: String, Sendable, Codable {
        /// One secret that seals and opens.
        case secret
        /// A public key that seals and a secret one that opens.
        case pair
    }

    /// A generation with its secret, which a pair may lack.
    ///
    /// A class, so that finding one for a value copies nothing.
    final class Entry: Sendable {
        let generation: Generation
        let material: KeyMaterial

        init(generation: Generation, material: KeyMaterial) {
            self.generation = generation
            self.material = material
        }
    }

    /// A named key: its generations, oldest first.
    struct NamedKey: Sendable {
        let name: String
        let kind: Kind
        var entries: [Entry]
    }

    /// Bytes of each key.
    static let keyCount = 32

    let keys: [NamedKey]
    /// The key that is used where an expression names none: the first one that was added and is no pair.
    public let defaultName: String?

    private let entries: [KeyID: Entry]
    private let primaries: [String: Entry]
    private let subkeys: SubkeyCache

    /// A ring without keys: everything works with it except what needs a key.
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

    /// Makes a ring of keys, checking what holds of every ring.
    init(keys: [NamedKey], defaultName: String?) throws(TransformerError) {
        var names: Set<String> = []
        var secretNames: Set<String> = []
        for key in keys {
            if key.kind == .secret { secretNames.insert(key.name) }
            guard Self.isValid(name: key.name) else { throw .invalidKeyName(key.name) }
            guard names.insert(key.name).inserted else { throw .duplicateKey(key.name) }
            guard key.entries.count(where: { $0.generation.state == .primary }) == 1 else {
                throw .invalidKeyFile("the key “\(key.name)” has not exactly one primary generation")
            }
            guard key.entries.allSatisfy({ $0.material.kind == key.kind }) else {
                throw .invalidKeyFile("the key “\(key.name)” has generations of different kinds")
            }
        }
        guard defaultName.map(secretNames.contains) ?? secretNames.isEmpty else {
            throw .invalidKeyFile("its default key is missing or a key pair; it must be a symmetric key")
        }
        self.init(uncheckedKeys: keys, defaultName: defaultName)
        guard entries.count == keys.reduce(0, { $0 + $1.entries.count }) else {
            throw .invalidKeyFile("two keys have the same id")
        }
    }

    /// The names of the keys, in the order they were added.
    public var names: [String] { keys.map(\.name) }

    /// What is public about the generations of a key.
    ///
    /// - Parameter name: The key's name.
    /// - Returns: The generations, oldest first; none if the ring has no such key.
    public func generations(of name: String) -> [Generation] {
        keys.first { $0.name == name }?.entries.map(\.generation) ?? []
    }

    /// What kind of key a name stands for.
    ///
    /// - Parameter name: The key's name.
    /// - Returns: The kind; nil if the ring has no such key.
    public func kind(of name: String) -> Kind? {
        keys.first { $0.name == name }?.kind
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
    /// The generation that makes new values under a name; nil means the ring's default.
    func primary(_ kind: Kind = .secret, named name: String?) throws(TransformerError) -> Entry {
        guard let key = name ?? defaultName, let entry = primaries[key] else { throw .missingKey(named: name) }
        guard entry.material.kind == kind else { throw .wrongKind(key, kind) }
        return entry
    }

    /// The generations under which values may have been made that are still in use, the primary one first.
    func usable(named name: String?) throws(TransformerError) -> [Entry] {
        let primary = try primary(named: name)
        let key = keys.first { $0.entries.contains { $0.generation.id == primary.generation.id } }
        return [primary] + (key?.entries.filter { $0.generation.state == .active } ?? [])
    }

    /// The generation with an identifier that a value carries.
    func entry(_ id: KeyID) throws(TransformerError) -> Entry {
        guard let entry = entries[id] else { throw .missingKey(id) }
        guard entry.generation.state != .retired else { throw .retiredKey(id) }
        return entry
    }

    /// The key of a generation for one purpose in one place.
    func subkey(of entry: Entry, for purpose: SubkeyPurpose, in binding: SealedBinding) throws -> Subkey {
        try subkey(of: entry, at: Subkey.Place(entry.generation.id, purpose, binding))
    }

    /// The key of a generation at a place; a pair has none.
    func subkey(of entry: Entry, at place: Subkey.Place) throws -> Subkey {
        guard case .secret(let secret) = entry.material else { throw TransformerError.missingKey(entry.generation.id) }
        return try subkeys.subkey(of: secret, for: place)
    }
}

extension KeyRing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the keys and nothing else.
    public var description: String { "KeyRing(\(names.joined(separator: ", ")))" }

    /// The names of the keys and nothing else.
    public var debugDescription: String { description }

    /// The names of the keys and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}
