internal import Transformable

extension KeyRing {
    /// Returns a ring that also has the keys of another one, which may share names with it.
    ///
    /// Under a name that both rings have, this ring's primary key stays the primary one; keys that only the other
    /// ring has become active, so that they open what they sealed. A public key gets its secret key if the other ring
    /// has it. Importing the same ring again changes nothing.
    ///
    /// - Parameter other: The other ring.
    /// - Returns: The new ring. Its default key is the one of this ring, if it has one.
    /// - Throws: `TransformerError` with `duplicate-key` if the rings have different keys with the same id, or
    ///   `missing-key` if a name stands for a key in one of them and for a key pair in the other.
    public func importing(_ other: KeyRing) throws -> KeyRing {
        var keys = keys
        for imported in other.keys {
            guard let index = keys.firstIndex(where: { $0.name == imported.name }) else {
                keys.append(imported)
                continue
            }
            guard keys[index].kind == imported.kind else {
                throw TransformerError.wrongKind(imported.name, keys[index].kind)
            }
            keys[index].entries = try Self.united(keys[index].entries, imported.entries)
        }
        return try KeyRing(keys: keys, defaultName: defaultName ?? other.defaultName)
    }

    private static func united(_ own: [Entry], _ others: [Entry]) throws -> [Entry] {
        var entries = own
        for other in others {
            guard let index = entries.firstIndex(where: { $0.generation.id == other.generation.id }) else {
                entries.append(other.generation.state == .primary ? other.with(.active) : other)
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

extension KeyMaterial {
    /// Whether both are the same key, or one of them is the public part of the other.
    fileprivate func matches(_ other: Self) -> Bool {
        switch (self, other) {
        case (.secret(let own), .secret(let other)): own == other
        case (.pair(let own, _), .pair(let other, _)): own == other
        case (.secret, .pair), (.pair, .secret): false
        }
    }
}
