public import Foundation
public import Transformable

extension KeyRing {
    /// A ring with one more key, made at random.
    ///
    /// The first key of a ring that is no pair is its default.
    ///
    /// - Parameters:
    ///   - name: The key's name: 1 to 64 letters, digits, “-”, “_” and “.”.
    ///   - created: The time to note.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `duplicate-key` or `invalid-argument`.
    public func addingKey(named name: String = "default", created: Date = Date()) throws -> KeyRing {
        let key = NamedKey(name: name, kind: .secret, entries: [try makeEntry(.secret, created)])
        return try KeyRing(keys: keys + [key], defaultName: defaultName ?? name)
    }

    /// A ring with one more pair of keys, made at random: who has the public one can seal to it.
    ///
    /// - Parameters:
    ///   - name: The pair's name: 1 to 64 letters, digits, “-”, “_” and “.”.
    ///   - created: The time to note.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `duplicate-key` or `invalid-argument`.
    public func addingKeyPair(named name: String, created: Date = Date()) throws -> KeyRing {
        let key = NamedKey(name: name, kind: .pair, entries: [try makeEntry(.pair, created)])
        return try KeyRing(keys: keys + [key], defaultName: defaultName)
    }

    /// The public keys of the ring's pairs, for programs that may write and not read.
    ///
    /// - Returns: A ring that opens nothing.
    /// - Throws: Nothing that a ring can cause.
    public func publicPart() throws -> KeyRing {
        let pairs = keys.filter { $0.kind == .pair }
            .map { key in
                NamedKey(name: key.name, kind: .pair, entries: key.entries.map(\.publicPart))
            }
        return try KeyRing(keys: pairs, defaultName: nil)
    }

    /// A ring with the keys of another one besides its own.
    ///
    /// - Parameter other: A ring whose names and identifiers are not in this one.
    /// - Returns: The new ring; its default is that of this one, if it has one.
    /// - Throws: `TransformerError` with `duplicate-key`, or `invalid-key-file` if an identifier is in both.
    public func merging(_ other: KeyRing) throws -> KeyRing {
        try KeyRing(keys: keys + other.keys, defaultName: defaultName ?? other.defaultName)
    }

    /// A ring in which a key has a new primary generation; the former one stays active.
    ///
    /// - Parameters:
    ///   - name: The key's name; nil means the default.
    ///   - created: The time to note.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `missing-key`.
    public func rotatingKey(named name: String? = nil, created: Date = Date()) throws -> KeyRing {
        let kind = name.flatMap { self.kind(of: $0) } ?? Kind.secret
        let former = try primary(kind, named: name).generation.id
        let new = try makeEntry(kind, created)
        return try changing(keyOf: former) { entries in
            entries.map { $0.generation.id == former ? $0.with(.active) : $0 } + [new]
        }
    }

    /// Returns a ring in which one generation of a key is no longer used, unless a value or an index of a store needs it.
    ///
    /// Name every store that the key may have sealed values of. Copies and backups, which this cannot see, need a ring
    /// that still has the key active.
    ///
    /// - Parameters:
    ///   - id: The generation.
    ///   - stores: The stores to look through.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `key-in-use` if a store needs the key, `missing-key`, or `invalid-argument` for a
    ///   primary generation; and what reading a store throws.
    public func retiring(_ id: KeyID, checking stores: [any StoredValueSource]) throws -> KeyRing {
        let ring = try retiringUnchecked(id)
        guard let need = try KeyUsage(of: stores).need(of: id) else { return ring }
        throw TransformerError.keyInUse(id, need)
    }

    /// Returns a ring in which one generation of a key is no longer used, whatever it has sealed.
    ///
    /// What the key has sealed does not open until ``reactivating(_:)``.
    ///
    /// - Parameter id: The generation.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `missing-key`, or `invalid-argument` for a primary generation.
    public func retiringUnchecked(_ id: KeyID) throws -> KeyRing {
        try setting(.retired, of: id)
    }

    /// A ring in which a retired generation opens values again.
    ///
    /// - Parameter id: The generation.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `missing-key`, or `invalid-argument` for a primary generation.
    public func reactivating(_ id: KeyID) throws -> KeyRing {
        try setting(.active, of: id)
    }

    private func setting(_ state: KeyState, of id: KeyID) throws -> KeyRing {
        try changing(keyOf: id) { entries in
            try entries.map { entry in
                guard entry.generation.id == id else { return entry }
                guard entry.generation.state != .primary else {
                    throw TransformerError(.invalidArgument, "the key with the id \(id) is primary; rotate it first")
                }
                return entry.with(state)
            }
        }
    }

    private func changing(keyOf id: KeyID, _ change: ([Entry]) throws -> [Entry]) throws -> KeyRing {
        guard let index = keys.firstIndex(where: { $0.entries.contains { $0.generation.id == id } }) else {
            throw TransformerError.missingKey(id)
        }
        var keys = keys
        keys[index].entries = try change(keys[index].entries)
        return try KeyRing(keys: keys, defaultName: defaultName)
    }

    private func makeEntry(_ kind: Kind, _ created: Date) throws -> Entry {
        let known = Set(keys.flatMap(\.entries).map(\.generation.id))
        var generator = SystemRandomNumberGenerator()
        var id = KeyID(number: generator.next())
        while known.contains(id) {
            id = KeyID(number: generator.next())
        }
        let seconds = Date(timeIntervalSince1970: created.timeIntervalSince1970.rounded(.down))
        return Entry(
            generation: Generation(id: id, state: .primary, created: seconds, isPublicOnly: false),
            material: try KeyMaterial(random: kind)
        )
    }
}

extension KeyRing.Entry {
    func with(_ state: KeyState) -> KeyRing.Entry {
        let changed = KeyRing.Generation(
            id: generation.id,
            state: state,
            created: generation.created,
            isPublicOnly: generation.isPublicOnly
        )
        return KeyRing.Entry(generation: changed, material: material)
    }

    fileprivate var publicPart: KeyRing.Entry {
        let generation = KeyRing.Generation(
            id: generation.id,
            state: generation.state,
            created: generation.created,
            isPublicOnly: true
        )
        return Self(generation: generation, material: material.publicPart)
    }
}
