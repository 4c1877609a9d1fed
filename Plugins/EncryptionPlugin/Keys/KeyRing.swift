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
    }

    /// A generation with its secret.
    struct Entry: Sendable {
        var generation: Generation
        let secret: SecureBytes
    }

    /// A named key: its generations, oldest first.
    struct NamedKey: Sendable {
        let name: String
        var entries: [Entry]
    }

    /// Bytes of each key.
    static let keyCount = 32

    let keys: [NamedKey]
    /// The key that is used where an expression names none: the first one that was added.
    public let defaultName: String?

    private let entries: [KeyID: Entry]
    private let subkeys: SubkeyCache

    /// A ring without keys: everything works with it except what needs a key.
    public static let empty = Self(uncheckedKeys: [], defaultName: nil)

    private init(uncheckedKeys keys: [NamedKey], defaultName: String?) {
        self.keys = keys
        self.defaultName = defaultName
        subkeys = SubkeyCache()
        let entries = keys.flatMap(\.entries)
        self.entries = Dictionary(entries.map { ($0.generation.id, $0) }) { first, _ in first }
    }

    /// Makes a ring of keys, checking what holds of every ring.
    init(keys: [NamedKey], defaultName: String?) throws(TransformerError) {
        var names: Set<String> = []
        for key in keys {
            guard Self.isValid(name: key.name) else { throw .invalidKeyName(key.name) }
            guard names.insert(key.name).inserted else { throw .duplicateKey(key.name) }
            guard key.entries.count(where: { $0.generation.state == .primary }) == 1 else {
                throw .invalidKeyFile("the key “\(key.name)” has not exactly one primary generation")
            }
            guard key.entries.allSatisfy({ $0.secret.count == Self.keyCount }) else {
                throw .invalidKeyFile("the key “\(key.name)” has not \(Self.keyCount) bytes")
            }
        }
        guard defaultName.map(names.contains) ?? keys.isEmpty else {
            throw .invalidKeyFile("its default key is none of its keys")
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
    func primary(named name: String?) throws(TransformerError) -> Entry {
        guard let primary = try generations(named: name).first(where: { $0.generation.state == .primary }) else {
            throw .missingKey(named: name)
        }
        return primary
    }

    /// The generations under which values may have been made that are still in use, the primary one first.
    func usable(named name: String?) throws(TransformerError) -> [Entry] {
        let usable = try generations(named: name).filter { $0.generation.state != .retired }
        return usable.filter { $0.generation.state == .primary } + usable.filter { $0.generation.state == .active }
    }

    private func generations(named name: String?) throws(TransformerError) -> [Entry] {
        guard let wanted = name ?? defaultName, let key = keys.first(where: { $0.name == wanted }) else {
            throw .missingKey(named: name)
        }
        return key.entries
    }

    /// The generation with an identifier that a value carries.
    func entry(_ id: KeyID) throws(TransformerError) -> Entry {
        guard let entry = entries[id] else { throw .missingKey(id) }
        guard entry.generation.state != .retired else { throw .retiredKey(id) }
        return entry
    }

    /// The key of a generation for one purpose in one place.
    func subkey(of entry: Entry, for purpose: SubkeyPurpose, in binding: SealedBinding) throws -> Subkey {
        let place = Subkey.Place(
            key: entry.generation.id,
            purpose: purpose,
            store: binding.store,
            entity: binding.entity,
            attribute: binding.attribute
        )
        return try subkeys.subkey(of: entry.secret, for: place)
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
