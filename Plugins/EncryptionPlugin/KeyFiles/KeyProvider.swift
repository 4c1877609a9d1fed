public import Foundation
internal import Transformable

/// A service that wraps and unwraps the keys of key ring files with a key that it keeps outside this machine, such as a
/// key management service or a hardware module.
///
/// A key ring file that is protected by a provider has its own random 32-byte key. The provider encrypts that key when
/// the file is written, and decrypts it when the file is opened.
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

/// A key provider that keeps its key in this process, for tests and as an example.
public struct InMemoryKeyProvider: KeyProvider {
    /// The name that is stored in files.
    public let name: String
    private let subkey: Subkey
    private static let key = KeyID(number: 0)

    /// Creates a provider with a new key, which is lost when the provider is deallocated.
    ///
    /// - Parameter name: The name that is stored in files.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    public init(name: String = "in-memory") throws {
        self.name = name
        let secret = try SecureBytes(randomCount: KeyRing.keyCount)
        let place = Subkey.Place(Self.key, .keyRing, .none)
        subkey = try Subkey(of: secret, for: place)
    }

    private var box: SealedBox { SealedBox(subkey: subkey, binding: .none) }

    /// Seals the key of a file.
    public func wrap(_ key: SecureBytes) throws -> Data {
        let header = SealedHeader(flags: [], parts: [], key: Self.key)
        return try unsafe key.withUnsafeBytes { try unsafe box.seal($0, header, padding: .none, nonce: .random) }
    }

    /// Opens the key of a file.
    public func unwrap(_ wrapped: Data) throws -> SecureBytes {
        try unsafe wrapped.withUnsafeBytes { wrapped in
            let header = try unsafe SealedHeader(wrapped)
            return try unsafe SecureBytes(count: SealedBox.paddedCount(of: wrapped, header)) { output in
                guard try unsafe box.open(wrapped, header, into: output) != nil else {
                    throw TransformerError.doesNotOpen
                }
            }
        }
    }
}

extension InMemoryKeyProvider: CustomReflectable {
    /// A mirror that contains only the provider's name, so that a dump does not show keys.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
