public import Foundation
internal import Transformable

extension KeyRing {
    /// Reads a ring from its file.
    ///
    /// - Parameters:
    ///   - url: A file, or a pipe, that belongs to this user or to root and that nobody else can use.
    ///   - passphrase: The passphrase, where the file is protected by one.
    /// - Throws: `TransformerError` with `refused-key-file` if others can use it, `unreadable-key-file`,
    ///   `invalid-key-file`, `unsupported` for a file of a newer version, `passphrase-needed`,
    ///   `wrong-passphrase`, or `key-provider-needed`.
    public init(contentsOf url: URL, passphrase: SecureBytes? = nil) throws {
        let text = try KeyFileText(PrivateFile(path: url.path).read())
        guard let protected = try ProtectedKeyRing(text) else {
            self = try Self.ring(text)
            return
        }
        guard let parameters = try protected.passphraseParameters else {
            throw TransformerError.keyProviderNeeded(protected.protection.provider ?? "")
        }
        guard let passphrase else { throw TransformerError.passphraseNeeded }
        guard let plain = try protected.open(under: parameters.key(of: passphrase)) else {
            throw TransformerError.wrongPassphrase
        }
        self = try Self.ring(KeyFileText(plain))
    }

    /// Reads a ring from a file whose key a provider has.
    ///
    /// - Parameters:
    ///   - url: A file, or a pipe, that belongs to this user or to root and that nobody else can use.
    ///   - provider: The provider; a file that is not protected does without it.
    /// - Throws: `TransformerError` as the initializer for a passphrase does; `authentication-failed` if
    ///   the ring does not open under the provider's key; and what the provider throws.
    public init(contentsOf url: URL, provider: some KeyProvider) async throws {
        let text = try KeyFileText(PrivateFile(path: url.path).read())
        guard let protected = try ProtectedKeyRing(text) else {
            self = try Self.ring(text)
            return
        }
        guard let name = protected.protection.provider, let wrapped = protected.protection.key else {
            throw TransformerError.passphraseNeeded
        }
        guard name == provider.name else { throw TransformerError.keyProviderNeeded(name) }
        guard let plain = try protected.open(under: await provider.unwrap(wrapped)) else {
            throw TransformerError.ringDoesNotOpen
        }
        self = try Self.ring(KeyFileText(plain))
    }

    /// Writes the ring, unprotected, to a file of mode 0600, which appears whole or not at all.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - replacing: Whether a file that is there is replaced; if not, it is an error.
    /// - Throws: `TransformerError` with `unreadable-key-file`.
    public func write(to url: URL, replacing: Bool = false) throws {
        try PrivateFile(path: url.path).write(text(), replacing: replacing)
    }

    /// Writes the ring to a file that a passphrase protects.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The passphrase, as bytes: what is typed another way is another passphrase.
    ///   - cost: What each guess at the passphrase costs, and each opening of the file.
    ///   - replacing: Whether a file that is there is replaced; if not, it is an error.
    /// - Throws: `TransformerError` with `unreadable-key-file`, or `invalid-argument` for an empty passphrase.
    public func write(
        to url: URL,
        passphrase: SecureBytes,
        cost: PassphraseCost = .moderate,
        replacing: Bool = false
    ) throws {
        let parameters = PassphraseParameters(cost: cost)
        let protected = try ProtectedKeyRing(text(), under: parameters.key(of: passphrase), .init(parameters))
        try PrivateFile(path: url.path).write(protected.text(), replacing: replacing)
    }

    /// Writes the ring to a file whose key a provider wraps.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The provider.
    ///   - replacing: Whether a file that is there is replaced; if not, it is an error.
    /// - Throws: `TransformerError` with `unreadable-key-file`, and what the provider throws.
    public func write(to url: URL, provider: some KeyProvider, replacing: Bool = false) async throws {
        let key = try SecureBytes(randomCount: Self.keyCount)
        let protection = ProtectedKeyRing.Protection(provider: provider.name, wrapped: try await provider.wrap(key))
        let protected = try ProtectedKeyRing(text(), under: key, protection)
        try PrivateFile(path: url.path).write(protected.text(), replacing: replacing)
    }

    /// The ring of a text that is not protected.
    private static func ring(_ text: KeyFileText) throws -> KeyRing {
        try text.decode(KeyRingDocument.self).ring(text.secrets)
    }

    /// The text of the ring's file.
    private func text() throws -> SecureBytes {
        try KeyFileText(KeyRingDocument(self), secrets: keys.flatMap(\.entries).compactMap(\.material.secret)).whole()
    }
}
