public import Foundation

/// A service that wraps and unwraps the keys of key ring files with a key that it keeps outside this machine, such as a
/// key management service or a hardware module.
///
/// A key ring file that is protected by a provider has its own random key of 32 bytes. The provider encrypts that key
/// when the file is written, and decrypts it when the file is opened.
///
/// An implementation of ``unwrap(_:)`` must return exactly the bytes that were wrapped, or throw an error, and it
/// should authenticate them. It can be called from several tasks at the same time.
public protocol KeyProvider: Sendable {
    /// The name that is stored in files, which tells a reader which provider to use.
    var name: String { get }

    /// Encrypts the key of a file.
    ///
    /// - Parameter key: The key, which has 32 bytes.
    /// - Returns: The encrypted key, of any length, which must not reveal anything about the key.
    /// - Throws: An error if the provider cannot encrypt the key.
    func wrap(_ key: SecureBytes) async throws -> Data

    /// Decrypts the key of a file.
    ///
    /// - Parameter wrapped: A key that was encrypted by ``wrap(_:)``.
    /// - Returns: The key.
    /// - Throws: An error if the provider cannot decrypt the key.
    func unwrap(_ wrapped: Data) async throws -> SecureBytes
}
