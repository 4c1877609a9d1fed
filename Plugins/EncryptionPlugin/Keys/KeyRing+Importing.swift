internal import Transformable

extension KeyRing {
    /// Returns a key ring that also contains the keys of another one, which can have keys with the same names.
    ///
    /// If both rings contain a key with the same name, this ring's primary key remains the primary key. Keys that only
    /// the other ring contains become active, so that they can open the values that they sealed. If this ring has only
    /// the public key of a key pair, it takes the secret key from the other ring. Importing the same ring again changes
    /// nothing.
    ///
    /// - Parameter other: The other key ring.
    /// - Returns: The new key ring. Its default key is that of this ring, if there is one.
    /// - Throws: `TransformerError` with the code `duplicate-key` if the rings contain different keys with the same
    ///   identifier, or `missing-key` if a name stands for a symmetric key in one ring and for a key pair in the other.
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
    /// Returns whether both are the same key, or one is the public part of the other.
    fileprivate func matches(_ other: Self) -> Bool {
        switch (self, other) {
        case (.secret(let own), .secret(let other)): own == other
        case (.pair(let own, _), .pair(let other, _)): own == other
        case (.secret, .pair), (.pair, .secret): false
        }
    }
}
