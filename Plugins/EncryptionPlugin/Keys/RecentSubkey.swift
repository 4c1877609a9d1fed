internal import Synchronization

/// The most recently used subkey of a transformer, because an attribute needs the same one every time.
final class RecentSubkey: Sendable {
    private let keys: KeyRing
    private let recent = Mutex<(place: Subkey.Place, subkey: Subkey)?>(nil)

    init(_ keys: KeyRing) {
        self.keys = keys
    }

    /// Returns the subkey of a generation for a purpose and a location.
    func subkey(of entry: KeyRing.Entry, for purpose: SubkeyPurpose, in binding: SealedBinding) throws -> Subkey {
        let place = Subkey.Place(entry.generation.id, purpose, binding)
        if let known = recent.withLock({ $0?.place == place ? $0?.subkey : nil }) { return known }
        let subkey = try keys.subkey(of: entry, at: place)
        recent.withLock { $0 = (place, subkey) }
        return subkey
    }
}
