public import Foundation

/// Makes and checks the seal of a store: a keyed digest of what a store's file says about itself.
///
/// A store cannot believe its own file: anyone who can write to it can declare a sealed attribute plain. A plugin that has
/// keys therefore gives its registry a sealer, by ``TransformerPlugin/sealer``, and a store whose registry has one authenticates
/// its model and tables with it before it reads or writes a value.
///
/// Identifiers of keys lie in the file for anybody to read: they must tell nothing of a key but which one it is.
public protocol StoreSealer: Sendable {
    /// Whether the program has keys of any kind, such as public ones that seal values and open none.
    var hasKeys: Bool { get }

    /// Whether the program has a secret key, so that it can make and check seals.
    var canSeal: Bool { get }

    /// Returns the identifier of the key that a new seal is made under.
    ///
    /// - Parameter former: The key of the seal that is to be replaced; `nil` if there is no seal.
    /// - Returns: The identifier. If the former key has been rotated, its successor is preferred.
    /// - Throws: ``TransformerError`` if there is no such key.
    func sealingKey(succeeding former: String?) throws -> String

    /// Returns the keyed digest of a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - store: The store's UUID. The same message has another digest in another store.
    ///   - key: The identifier of the key.
    /// - Returns: The digest.
    /// - Throws: ``TransformerError`` if the key is missing or no longer in use.
    func tag(of message: Data, for store: UUID, under key: String) throws -> Data

    /// Compares a digest with the one of a message, in a time that depends on their lengths alone.
    ///
    /// - Parameters:
    ///   - tag: The digest that is to be checked.
    ///   - message: The message.
    ///   - store: The store's UUID.
    ///   - key: The identifier of the key.
    /// - Returns: Whether the digest is the message's.
    /// - Throws: ``TransformerError`` if the key is missing or no longer in use.
    func isTag(_ tag: Data, of message: Data, for store: UUID, under key: String) throws -> Bool
}
