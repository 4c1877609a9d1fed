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
        self = try Self.read(PrivateFile(path: url.path), passphrase: passphrase).ring
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
    ///   - replacing: Whether an existing file is replaced; if not, it is an error. To change a ring that other
    ///     programs may change too, use ``update(at:passphrase:_:)``.
    /// - Throws: `TransformerError` with `unreadable-key-file`, which says so of an existing file.
    public func write(to url: URL, replacing: Bool = false) throws {
        try write(to: file(at: url, replacing), .mode, replacing: replacing)
    }

    /// Writes the ring to a file that a passphrase protects.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The passphrase, as bytes: what is typed another way is another passphrase.
    ///   - cost: What each guess at the passphrase costs, and each opening of the file.
    ///   - replacing: Whether an existing file is replaced; if not, it is an error. To change a ring that other
    ///     programs may change too, use ``update(at:passphrase:_:)``.
    /// - Throws: `TransformerError` with `unreadable-key-file`, which says so of an existing file, or `invalid-argument` for an empty passphrase.
    public func write(
        to url: URL,
        passphrase: SecureBytes,
        cost: PassphraseCost = .moderate,
        replacing: Bool = false
    ) throws {
        try write(to: file(at: url, replacing), .passphrase(passphrase, cost), replacing: replacing)
    }

    /// Writes the ring to a file whose key a provider wraps.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The provider.
    ///   - replacing: Whether an existing file is replaced; if not, it is an error. To change a ring that other
    ///     programs may change too, use ``update(at:passphrase:_:)``.
    /// - Throws: `TransformerError` with `unreadable-key-file`, which says so of an existing file, and what the provider throws.
    public func write(to url: URL, provider: some KeyProvider, replacing: Bool = false) async throws {
        try file(at: url, replacing).write(await text(under: provider), replacing: replacing)
    }

    /// The file to write: the one that a symbolic link leads to, which stays in place when that is replaced.
    private func file(at url: URL, _ replacing: Bool) -> PrivateFile {
        let file = PrivateFile(path: url.path)
        return replacing ? file.resolvingLinks() : file
    }
}

// MARK: - Content

extension KeyRing {
    /// Reads a ring, and what protects its file.
    static func read(
        _ file: PrivateFile,
        passphrase: SecureBytes?
    ) throws -> (ring: KeyRing, protection: KeyFileProtection) {
        let whole = try file.read()
        return try file.naming {
            let text = try KeyFileText(whole)
            guard let protected = try ProtectedKeyRing(text) else { return (try ring(text), .mode) }
            guard let parameters = try protected.passphraseParameters else {
                throw TransformerError.keyProviderNeeded(protected.protection.provider ?? "")
            }
            guard let passphrase else { throw TransformerError.passphraseNeeded }
            guard let plain = try protected.open(under: parameters.key(of: passphrase)) else {
                throw TransformerError.wrongPassphrase
            }
            return (try ring(KeyFileText(plain)), .passphrase(passphrase, parameters.cost))
        }
    }

    /// Writes the ring.
    func write(to file: PrivateFile, _ protection: KeyFileProtection, replacing: Bool) throws {
        switch protection {
        case .mode: try file.write(text(), replacing: replacing)
        case .passphrase(let passphrase, let cost):
            let parameters = PassphraseParameters(cost: cost)
            let protected = try ProtectedKeyRing(text(), under: parameters.key(of: passphrase), .init(parameters))
            try file.write(protected.text(), replacing: replacing)
        }
    }

    /// The text of a file whose key a provider wraps.
    func text(under provider: some KeyProvider) async throws -> SecureBytes {
        let key = try SecureBytes(randomCount: Self.keyCount)
        let protection = ProtectedKeyRing.Protection(provider: provider.name, wrapped: try await provider.wrap(key))
        return try ProtectedKeyRing(text(), under: key, protection).text()
    }

    /// The ring of a text that is not protected.
    static func ring(_ text: KeyFileText) throws -> KeyRing {
        try text.decode(KeyRingDocument.self).ring(text.secrets)
    }

    /// The text of the ring's file.
    private func text() throws -> SecureBytes {
        try KeyFileText(KeyRingDocument(self), secrets: keys.flatMap(\.entries).compactMap(\.material.secret)).whole()
    }
}
