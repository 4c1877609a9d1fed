internal import Synchronization

/// The subkeys that were derived, so that deriving is not on the path of each value.
final class SubkeyCache: Sendable {
    /// Locked memory is scarce and a subkey takes a page of it: beyond this many, all are dropped.
    private static let limit = 1024

    private let subkeys = Mutex<[Subkey.Place: Subkey]>([:])

    /// Gives the subkey for a place, derived at most once while it is kept.
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
