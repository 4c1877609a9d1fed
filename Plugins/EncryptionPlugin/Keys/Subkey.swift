internal import Foundation
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
    }

    private static let personal = Array("tfm sealed 1".utf8) + [0, 0, 0, 0]
    private static let commitmentLabel = Array("transformable sealed commitment 1".utf8)
    static let count = 32

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
            attribute: binding.attribute
        )
    }

    /// The purpose (1 byte), store (16 bytes), entity (4 bytes), and attribute (4 bytes).
    fileprivate var message: [UInt8] {
        var bytes = [purpose.rawValue]
        unsafe withUnsafeBytes(of: store.uuid) { unsafe bytes.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: entity.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: attribute.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        return bytes
    }
}
