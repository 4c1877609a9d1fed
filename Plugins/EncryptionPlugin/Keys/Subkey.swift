internal import Foundation
internal import Synchronization
internal import Transformable

/// A key for one purpose and one location, with everything that is the same for all values under it.
final class Subkey: Sendable {
    /// The purpose and location that a subkey is derived for.
    struct Place: Hashable, Sendable {
        let key: KeyID
        let purpose: SubkeyPurpose
        let store: UUID
        let entity: UInt32
        let attribute: UInt32
        let tenant: Int64?
    }

    private static let personal = Array("tfm sealed 1".utf8) + [0, 0, 0, 0]
    private static let commitmentLabel = Array("transformable sealed commitment 1".utf8)
    private static let count = 32

    let bytes: SecureBytes
    /// The key commitment, which is stored with each value.
    ///
    /// No other key has the same one.
    let commitment: [UInt8]

    /// Derives a subkey from a key.
    init(of key: SecureBytes, for place: Place) throws {
        let message = place.message
        let salt = place.key.bytes + [UInt8](repeating: 0, count: 8)
        let bytes = try unsafe SecureBytes(count: Self.count) { output in
            try unsafe BLAKE2b.derive(message, key: key, salt: salt, personal: Self.personal, into: output)
        }
        var commitment = [UInt8](repeating: 0, count: SealedHeader.commitmentRange.count)
        try unsafe commitment.withUnsafeMutableBytes { output in
            try unsafe Self.commitmentLabel.withUnsafeBytes { try unsafe BLAKE2b.hash($0, key: bytes, into: output) }
        }
        self.bytes = bytes
        self.commitment = commitment
    }
}

extension Subkey.Place {
    init(_ key: KeyID, _ purpose: SubkeyPurpose, _ binding: SealedBinding) {
        self.init(
            key: key,
            purpose: purpose,
            store: binding.store,
            entity: binding.entity,
            attribute: binding.attribute,
            tenant: binding.tenant
        )
    }

    /// The purpose (1 byte), store (16 bytes), entity (4 bytes), and attribute (4 bytes), and the tenant (8 bytes) if
    /// there is one.
    fileprivate var message: [UInt8] {
        var bytes = [purpose.rawValue]
        unsafe withUnsafeBytes(of: store.uuid) { unsafe bytes.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: entity.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: attribute.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        if let tenant {
            unsafe withUnsafeBytes(of: tenant.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

/// The purpose of a subkey.
///
/// It is the first byte that the subkey is derived from, so that no subkey has two purposes.
enum SubkeyPurpose: UInt8, Sendable {
    /// Encryption and key commitment.
    case sealing = 1
    /// Nonces of deterministic values.
    case deterministicNonce = 2
    /// Blind indexes.
    case blindIndex = 3
    /// HMAC with SHA-256.
    case hmacSHA256 = 4
    /// HMAC with SHA-512.
    case hmacSHA512 = 5
    /// The contents of a protected key ring file.
    case keyRing = 6
    /// Encryption of a single value to a public key.
    case recipient = 7
    /// Encryption of values in chunks.
    case chunks = 8
    /// Slow blind indexes.
    case slowBlindIndex = 9
    /// The seal of a store's description of itself.
    case storeSeal = 10
    /// The tags of rows.
    case rows = 11
}

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

/// The most recently used subkey of a transformer, because an attribute needs the same one every time.
final class RecentSubkey: Sendable {
    private let keys: KeyRing
    private let recent = Mutex<(place: Subkey.Place, subkey: Subkey)?>(nil)

    init(_ keys: KeyRing) {
        self.keys = keys
    }

    /// Returns the subkey of a generation for a purpose and a location.
    ///
    /// - Throws: `TransformerError` with the code `missing-key` or `retired-key` if the ring cannot use the generation.
    func subkey(of key: KeyID, for purpose: SubkeyPurpose, in binding: SealedBinding) throws -> Subkey {
        let place = Subkey.Place(key, purpose, binding)
        if let known = recent.withLock({ $0?.place == place ? $0?.subkey : nil }) { return known }
        let subkey = try keys.subkey(of: keys.entry(key), at: place)
        recent.withLock { $0 = (place, subkey) }
        return subkey
    }
}
