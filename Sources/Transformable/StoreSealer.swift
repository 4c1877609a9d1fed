public import Foundation

/// Creates and checks the seal of a store, which is a keyed digest of the store's description of itself.
///
/// A store cannot trust its own file: anyone who can write to the file could declare a sealed attribute as plain.
/// Therefore, a plugin that has keys provides a sealer through ``TransformerPlugin/sealer``. If the registry has a
/// sealer, a store uses it to authenticate its model and tables before it reads or writes any value.
///
/// Identifiers of keys are stored unencrypted. They must reveal nothing about a key except which one it is.
public protocol StoreSealer: Sendable {
    /// Whether there are keys of any kind, including public keys that can seal values but cannot open them.
    var hasKeys: Bool { get }

    /// Whether there is a secret key, which is required to create and check seals.
    var canSeal: Bool { get }

    /// Returns the identifier of the key for a new seal.
    ///
    /// - Parameter former: The key of the seal to replace, or `nil` if there is no seal.
    /// - Returns: The identifier. If the former key was rotated, its successor is preferred.
    /// - Throws: ``TransformerError`` if there is no such key.
    func sealingKey(succeeding former: String?) throws -> String

    /// Returns the keyed digest of a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - store: The store's UUID. The digest of a message is different in each store.
    ///   - key: The identifier of the key.
    /// - Returns: The digest.
    /// - Throws: ``TransformerError`` if the key is missing or no longer in use.
    func tag(of message: Data, for store: UUID, under key: String) throws -> Data

    /// Checks the keyed digest of a message, in a time that depends only on its length.
    ///
    /// - Parameters:
    ///   - tag: The digest to check.
    ///   - message: The message.
    ///   - store: The store's UUID.
    ///   - key: The identifier of the key.
    /// - Returns: Whether the digest belongs to the message.
    /// - Throws: ``TransformerError`` if the key is missing or no longer in use.
    func isTag(_ tag: Data, of message: Data, for store: UUID, under key: String) throws -> Bool

    /// Returns the sealer of an entity's rows.
    ///
    /// Each row includes the identifier of its key in 8 bytes, so the identifier must have 16 hexadecimal digits.
    ///
    /// - Parameters:
    ///   - store: The store's UUID. The tag of a row is different in each store.
    ///   - entity: The entity's number. The tag of a row is different in each entity.
    ///   - key: The identifier of the key.
    /// - Returns: The row sealer.
    /// - Throws: ``TransformerError`` if the key is missing or no longer in use.
    func rowSealer(for store: UUID, entity: UInt32, under key: String) throws -> any RowSealer
}

/// Creates and checks the tags of an entity's rows.
///
/// A tag is a keyed digest of a row.
///
/// A store gets a row sealer from its ``StoreSealer``, and uses it for every row that it writes or reads.
public protocol RowSealer: Sendable {
    /// Returns the tag of a row.
    ///
    /// - Parameter message: The bytes of the row that its tag covers.
    /// - Returns: The tag, which has 16 bytes.
    /// - Throws: ``TransformerError`` if the tag cannot be computed.
    func tag(of message: UnsafeRawBufferPointer) throws -> Data

    /// Checks the tag of a row, in a time that depends only on the row's length.
    ///
    /// - Parameters:
    ///   - tag: The tag to check, which has 16 bytes.
    ///   - message: The bytes of the row that its tag covers.
    /// - Returns: Whether the tag belongs to the row.
    /// - Throws: ``TransformerError`` if the row's tag cannot be computed.
    func isTag(_ tag: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer) throws -> Bool
}
