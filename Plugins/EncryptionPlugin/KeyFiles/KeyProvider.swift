public import Foundation

/// Keeps a key outside this machine, and wraps and unwraps the keys of ring files with it: a key
/// management service, a hardware module.
///
/// A ring file that a provider protects has a random key of its own, 32 bytes; the provider encrypts that
/// key once, when the file is written, and decrypts it when the file is opened.
///
/// An implementation must give back from ``unwrap(_:)`` exactly the bytes it wrapped, or throw; it should
/// authenticate what it wraps. It may be asked from several tasks at once.
public protocol KeyProvider: Sendable {
    /// The name that stands in files, by which a reader finds out whom to ask.
    var name: String { get }

    /// Encrypts the key of a file.
    ///
    /// - Parameter key: 32 bytes.
    /// - Returns: Bytes that tell nothing about the key, of any length.
    /// - Throws: Whatever keeps the provider from answering.
    func wrap(_ key: SecureBytes) async throws -> Data

    /// Decrypts the key of a file.
    ///
    /// - Parameter wrapped: What ``wrap(_:)`` gave.
    /// - Returns: The key.
    /// - Throws: Whatever keeps the provider from answering.
    func unwrap(_ wrapped: Data) async throws -> SecureBytes
}
