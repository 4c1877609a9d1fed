public import Foundation
public import Transformable

extension KeyRing {
    /// Returns a key ring with an additional random key.
    ///
    /// The first key that is added, not counting key pairs and shared keys, becomes the default key.
    ///
    /// - Parameters:
    ///   - name: The name of the key: 1 to 64 letters, digits, “-”, “_”, and “.”.
    ///   - created: The creation date to record.
    /// - Returns: The new key ring.
    /// - Throws: `TransformerError` with the code `duplicate-key` if the name is taken, or `invalid-argument` if it is
    ///   invalid.
    public func addingKey(named name: String = "default", created: Date = Date()) throws -> KeyRing {
        let key = NamedKey(name: name, kind: .secret, entries: [try makeEntry(.secret, created)])
        return try KeyRing(keys: keys + [key], defaultName: defaultName ?? name)
    }

    /// Returns a key ring with an additional random key pair.
    ///
    /// Anyone who has the public key can seal values to it.
    ///
    /// - Parameters:
    ///   - name: The name of the key pair: 1 to 64 letters, digits, “-”, “_”, and “.”.
    ///   - created: The creation date to record.
    /// - Returns: The new key ring.
    /// - Throws: `TransformerError` with the code `duplicate-key` if the name is taken, or `invalid-argument` if it is
    ///   invalid.
    public func addingKeyPair(named name: String, created: Date = Date()) throws -> KeyRing {
        let key = NamedKey(name: name, kind: .pair, entries: [try makeEntry(.pair, created)])
        return try KeyRing(keys: keys + [key], defaultName: defaultName)
    }

    /// Returns the public keys of the ring's key pairs, for programs that write values but must not read them.
    ///
    /// - Returns: A key ring that cannot open any value.
    /// - Throws: `TransformerError` if the ring is inconsistent, which does not happen for a valid ring.
    public func publicPart() throws -> KeyRing {
        let pairs = keys.filter { $0.kind == .pair }
            .map { key in
                NamedKey(name: key.name, kind: .pair, entries: key.entries.map(\.publicPart))
            }
        return try KeyRing(keys: pairs, defaultName: nil)
    }

    /// Returns a key ring that also contains the keys of another one.
    ///
    /// - Parameter other: A key ring that shares no names or identifiers with this one.
    /// - Returns: The new key ring. Its default key is this ring's default key, if there is one.
    /// - Throws: `TransformerError` with the code `duplicate-key` if a name is in both rings, or `invalid-key-file` if
    ///   an identifier is.
    public func merging(_ other: KeyRing) throws -> KeyRing {
        try KeyRing(keys: keys + other.keys, defaultName: defaultName ?? other.defaultName)
    }

    /// Returns a key ring in which a key has a new primary generation.
    ///
    /// The former one stays active.
    ///
    /// - Parameters:
    ///   - name: The name of the key, or nil for the default key.
    ///   - created: The creation date to record.
    /// - Returns: The new key ring.
    /// - Throws: `TransformerError` with the code `missing-key` if the ring does not contain the key, or has only the
    ///   public key of the pair, whose owner could not open what a new pair seals.
    public func rotatingKey(named name: String? = nil, created: Date = Date()) throws -> KeyRing {
        let kind = name.flatMap { self.kind(of: $0) } ?? Kind.secret
        let primary = try primary(kind, named: name)
        guard primary.material.secret != nil else { throw TransformerError.publicKeyOnly(name ?? "") }
        let former = primary.generation.id
        let new = try makeEntry(kind, created)
        return try changing(keyOf: former) { entries in
            entries.map { $0.generation.id == former ? $0.with(.active) : $0 } + [new]
        }
    }

    /// Returns a key ring in which a generation of a key is retired, unless a value or an index in a store needs it.
    ///
    /// Pass every store that may contain values sealed with the key. Copies and backups are not checked, so keep a key
    /// ring in which the key is still active for them.
    ///
    /// - Parameters:
    ///   - id: The identifier of the generation.
    ///   - stores: The stores to check.
    /// - Returns: The new key ring.
    /// - Throws: `TransformerError` with the code `key-in-use` if a store needs the key, `missing-key` if the ring does
    ///   not contain it, or `invalid-argument` if it is a primary generation. Errors that occur while a store is read
    ///   are also thrown.
    public func retiring(_ id: KeyID, checking stores: [any StoredValueSource]) throws -> KeyRing {
        let ring = try retiringUnchecked(id)
        try KeyUsage(of: stores).requireNoNeed(of: id)
        return ring
    }

    /// Returns a key ring in which a generation of a key is retired, without checking whether it is needed.
    ///
    /// Values that were sealed with the key cannot be opened until you call ``reactivating(_:)``.
    ///
    /// - Parameter id: The identifier of the generation.
    /// - Returns: The new key ring.
    /// - Throws: `TransformerError` with the code `missing-key` if the ring does not contain the key, or
    ///   `invalid-argument` if it is a primary generation.
    public func retiringUnchecked(_ id: KeyID) throws -> KeyRing {
        try setting(.retired, of: id)
    }

    /// Returns a key ring in which a retired generation is active again.
    ///
    /// - Parameter id: The identifier of the generation.
    /// - Returns: The new key ring.
    /// - Throws: `TransformerError` with the code `missing-key` if the ring does not contain the key, or
    ///   `invalid-argument` if it is a primary generation.
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

extension KeyRing {
    /// Returns a key ring that also contains the keys of another key ring.
    ///
    /// The two rings can have keys with the same names. In that case, this ring's primary key remains the primary key.
    /// Primary keys that only the other ring contains become active, so that they can open the values that they sealed.
    /// Keys that are retired in the other ring stay retired; to use one, call ``reactivating(_:)``. If this ring has only
    /// the public key of a key pair, it takes the secret key from the other ring. Importing the same ring again changes
    /// nothing.
    ///
    /// If others have the keys too, import them as shared keys. A shared key seals and opens values, but a store's seal or
    /// the tag of a row that was made with it is not accepted. Otherwise, anyone who has the key and can write to a store
    /// could change the store's model and rows without being noticed. Keys that this ring already contains become shared as
    /// well. To the public keys of key pairs, this makes no difference. A key that is shared in either ring stays shared.
    ///
    /// - Parameters:
    ///   - other: The other key ring.
    ///   - shared: Whether others have the other ring's secret keys too.
    /// - Returns: The new key ring. Its default key is this ring's default key, if there is one.
    /// - Throws: `TransformerError` with the code `duplicate-key` if the rings contain different keys with the same
    ///   identifier, or the same key under different names, `missing-key` if a name stands for a symmetric key in one ring
    ///   and for a key pair in the other, or `invalid-argument` if this ring's default key would become a shared key, or a
    ///   different key that has the name of a shared one.
    public func importing(_ other: KeyRing, shared: Bool = false) throws -> KeyRing {
        var keys = keys
        for var imported in other.keys {
            if shared, imported.kind == .secret { imported.isShared = true }
            try Self.requireSameName(of: imported, in: keys)
            guard let index = keys.firstIndex(where: { $0.name == imported.name }) else {
                keys.append(imported)
                continue
            }
            guard keys[index].kind == imported.kind else {
                throw TransformerError.wrongKind(imported.name, keys[index].kind)
            }
            if imported.isShared {
                guard imported.name != defaultName else { throw TransformerError.sharedDefault(imported.name) }
                guard keys[index].isShared || keys[index].hasGeneration(of: imported) else {
                    throw TransformerError.sharedName(imported.name)
                }
                keys[index].isShared = true
            }
            keys[index].entries = try Self.united(keys[index].entries, imported.entries)
        }
        let own = keys.filter { $0.kind == .secret && !$0.isShared }.map(\.name)
        return try KeyRing(keys: keys, defaultName: defaultName ?? own.first { $0 == other.defaultName } ?? own.first)
    }

    /// Throws an error if a key ring has a generation of a key under another name.
    private static func requireSameName(of imported: NamedKey, in keys: [NamedKey]) throws(TransformerError) {
        for key in keys where key.name != imported.name {
            let ids = Set(key.entries.map(\.generation.id))
            if let entry = imported.entries.first(where: { ids.contains($0.generation.id) }) {
                throw .differentNames(entry.generation.id, key.name, imported.name)
            }
        }
    }

    private static func united(_ own: [Entry], _ others: [Entry]) throws -> [Entry] {
        var entries = own
        for other in others {
            guard let index = entries.firstIndex(where: { $0.generation.id == other.generation.id }) else {
                let added = other.generation.state == .primary ? other.with(.active) : other
                let next = entries.firstIndex { $0.generation.created > added.generation.created }
                entries.insert(added, at: next ?? entries.endIndex)
                continue
            }
            guard entries[index].material.matches(other.material) else {
                throw TransformerError.differentKeys(other.generation.id)
            }
            if entries[index].generation.isPublicOnly {
                entries[index] = other.with(entries[index].generation.state)
            }
        }
        return entries
    }
}

extension KeyRing.NamedKey {
    /// Returns whether both have a generation with the same identifier.
    fileprivate func hasGeneration(of other: Self) -> Bool {
        !Set(entries.map(\.generation.id)).isDisjoint(with: other.entries.map(\.generation.id))
    }
}

extension KeyMaterial {
    /// Returns whether both are the same key, or one is the public part of the other.
    fileprivate func matches(_ other: Self) -> Bool {
        switch (self, other) {
        case (.secret(let own), .secret(let other)): own == other
        case (.pair(let own, _), .pair(let other, _)): own == other
        case (.secret, .pair), (.pair, .secret): false
        }
    }
}
