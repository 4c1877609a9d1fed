internal import Foundation
internal import Transformable

/// Seals a store's description of itself with the secret keys of a key ring.
struct KeyRingSealer: StoreSealer {
    private static let tagCount = 32

    let keys: KeyRing

    var hasKeys: Bool { !keys.keys.isEmpty }

    // Only a ring without symmetric keys of its own has no default key.
    var canSeal: Bool { keys.defaultName != nil }

    func sealingKey(succeeding former: String?) throws -> String {
        let name = former.flatMap { KeyID($0) }.flatMap(keys.ownName)
        let key = name.flatMap { keys.kind(of: $0) == .secret ? $0 : nil }
        return "\(try keys.primary(named: key).generation.id)"
    }

    func rowSealer(for store: UUID, entity: UInt32, under key: String) throws -> any RowSealer {
        let place = SealedBinding(TransformContext(store: store, entity: entity), includingObject: false)
        return KeyRingRowSealer(subkey: try keys.subkey(of: entry(key), for: .rows, in: place))
    }

    private func entry(_ key: String) throws -> KeyRing.Entry {
        guard let id = KeyID(key) else {
            throw TransformerError(
                .missingKey,
                "the seal does not name a key, whose id would have 16 hexadecimal digits"
            )
        }
        let entry = try keys.entry(id)
        guard keys.ownName(of: id) != nil else { throw TransformerError.sharedKey(id) }
        return entry
    }

    func tag(of message: Data, for store: UUID, under key: String) throws -> Data {
        let place = SealedBinding(TransformContext(store: store), includingObject: false)
        let subkey = try keys.subkey(of: entry(key), for: .storeSeal, in: place)
        return try unsafe makeDigest(of: message, count: Self.tagCount) { message, output in
            try unsafe BLAKE2b.hash(message, key: subkey.bytes, into: output)
        }
    }

    func isTag(_ tag: Data, of message: Data, for store: UUID, under key: String) throws -> Bool {
        let right = try self.tag(of: message, for: store, under: key)
        return unsafe tag.withUnsafeBytes { tag in
            unsafe right.withUnsafeBytes { right in unsafe Sodium.areEqual(tag, right) }
        }
    }
}

/// Creates and checks the tags of an entity's rows.
private struct KeyRingRowSealer: RowSealer {
    private static let tagCount = 16

    let subkey: Subkey

    func tag(of message: UnsafeRawBufferPointer) throws -> Data {
        var tag = Data(count: Self.tagCount)
        try unsafe tag.withUnsafeMutableBytes { try unsafe BLAKE2b.hash(message, key: subkey.bytes, into: $0) }
        return tag
    }

    func isTag(_ tag: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer) throws -> Bool {
        try unsafe withUnsafeTemporaryAllocation(byteCount: Self.tagCount, alignment: 16) { right in
            try unsafe BLAKE2b.hash(message, key: subkey.bytes, into: right)
            return unsafe Sodium.areEqual(tag, UnsafeRawBufferPointer(right))
        }
    }
}
