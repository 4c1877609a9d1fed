public import Foundation
internal import Transformable

extension KeyRing {
    /// A ring with one more key, made at random.
    ///
    /// The first key of a ring is its default.
    ///
    /// - Parameters:
    ///   - name: The key's name: 1 to 64 letters, digits, “-”, “_” and “.”.
    ///   - created: The time to note.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `duplicate-key` or `invalid-argument`.
    public func addingKey(named name: String = "default", created: Date = Date()) throws -> KeyRing {
        let key = NamedKey(name: name, entries: [try makeEntry(created)])
        return try KeyRing(keys: keys + [key], defaultName: defaultName ?? name)
    }

    /// A ring in which a key has a new primary generation; the former one stays active.
    ///
    /// - Parameters:
    ///   - name: The key's name; nil means the default.
    ///   - created: The time to note.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `missing-key`.
    public func rotatingKey(named name: String? = nil, created: Date = Date()) throws -> KeyRing {
        let former = try primary(named: name).generation.id
        let new = try makeEntry(created)
        return try changing(keyOf: former) { entries in
            entries.map { $0.generation.id == former ? $0.with(.active) : $0 } + [new]
        }
    }

    /// A ring in which one generation of a key is no longer used.
    ///
    /// Whether a stored value still needs it is for the caller to find out first.
    ///
    /// - Parameter id: The generation.
    /// - Returns: The new ring.
    /// - Throws: `TransformerError` with `missing-key`, or `invalid-argument` for a primary generation.
    public func retiring(_ id: KeyID) throws -> KeyRing {
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

    private func makeEntry(_ created: Date) throws -> Entry {
        let known = Set(keys.flatMap(\.entries).map(\.generation.id))
        var generator = SystemRandomNumberGenerator()
        var id = KeyID(number: generator.next())
        while known.contains(id) {
            id = KeyID(number: generator.next())
        }
        let seconds = Date(timeIntervalSince1970: created.timeIntervalSince1970.rounded(.down))
        return Entry(
            generation: Generation(id: id, state: .primary, created: seconds),
            secret: try SecureBytes(randomCount: Self.keyCount)
        )
    }
}

extension KeyRing.Entry {
    fileprivate func with(_ state: KeyState) -> Self {
        var copy = self
        copy.generation = KeyRing.Generation(id: generation.id, state: state, created: generation.created)
        return copy
    }
}
