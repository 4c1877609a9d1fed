internal import Synchronization

/// A cache of derived subkeys, so that they are not derived again for every value.
final class SubkeyCache: Sendable {
    /// The maximum number of subkeys, after which all are discarded.
    ///
    /// Locked memory is scarce, and a subkey takes a page of it.
    private static let limit = 1024

    private let subkeys = Mutex<[Subkey.Place: Subkey]>([:])

    /// Returns the subkey for a location, deriving it if it is not in the cache.
    func subkey(of key: SecureBytes, for place: Subkey.Place) throws -> Subkey {
        try subkeys.withLock { subkeys in
            if let known = subkeys[place] { return known }
            let derived = try Subkey(of: key, for: place)
            if subkeys.count >= Self.limit { subkeys.removeAll() }
            subkeys[place] = derived
            return derived
        }
    }
}
