public import Foundation
internal import Transformable

extension KeyRing {
    /// Reads a key ring from a file.
    ///
    /// - Parameters:
    ///   - url: A file or a pipe. It must belong to the current user or to root, and must not be accessible to other
    ///     users.
    ///   - passphrase: The passphrase, or `nil` if the file is not protected by one.
    /// - Throws: `TransformerError` with the code `refused-key-file` if other users can access the file,
    ///   `unreadable-key-file` if it cannot be read, `invalid-key-file` if it is not a key ring, `unsupported` if its
    ///   version is too new, `passphrase-needed` if it is protected by a passphrase and none is given,
    ///   `wrong-passphrase` if it is protected by another passphrase, or by none although one is given,
    ///   `limit-exceeded` if a guess at the passphrase costs more than 64 operations or 4 GiB of memory, or
    ///   `key-provider-needed` if it is protected by a key provider.
    public init(contentsOf url: URL, passphrase: SecureBytes? = nil) throws {
        self = try Self.read(PrivateFile(path: url.path), passphrase: passphrase).ring
    }

    /// Reads a key ring from a file that is protected by a key provider.
    ///
    /// - Parameters:
    ///   - url: A file or a pipe. It must belong to the current user or to root, and must not be accessible to other
    ///     users.
    ///   - provider: The key provider, which is not used if the file is not protected.
    /// - Throws: The same errors as the initializer that takes a passphrase, `TransformerError` with the code
    ///   `authentication-failed` if the provider's key does not open the file, and any error thrown by the provider.
    public init(contentsOf url: URL, provider: some KeyProvider) async throws {
        self = try await Self.read(PrivateFile(path: url.path), provider: provider).ring
    }

    /// Reads a key ring, and whether a key provider protects its file.
    private static func read(
        _ file: PrivateFile,
        provider: some KeyProvider
    ) async throws -> (ring: KeyRing, isProtected: Bool) {
        let text = try KeyFileText(file.read())
        guard let protected = try ProtectedKeyRing(text) else { return (try ring(text), false) }
        guard let name = protected.protection.provider, let wrapped = protected.protection.key else {
            throw TransformerError.passphraseNeeded
        }
        guard name == provider.name else { throw TransformerError.keyProviderNeeded(name) }
        guard let plain = try protected.open(under: await provider.unwrap(wrapped)) else {
            throw TransformerError.ringDoesNotOpen
        }
        return (try ring(KeyFileText(plain)), true)
    }

    /// Writes the key ring, without protection, to a file that only its owner can access (mode 0600).
    ///
    /// The file is written atomically.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - replacing: Whether to replace an existing file. If false, an existing file is an error. To change a key ring
    ///     that other programs may also change, use ``update(at:passphrase:_:)``.
    /// - Throws: `TransformerError` with the code `unreadable-key-file` if the file exists or cannot be written, or if it
    ///   was written, but may be lost in a power failure, as the message says.
    public func write(to url: URL, replacing: Bool = false) throws {
        try write(to: file(at: url, replacing), .mode, replacing: replacing)
    }

    /// Writes the key ring to a file that is protected by a passphrase.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The passphrase, which is compared byte by byte.
    ///   - cost: The cost of each guess at the passphrase, and of opening the file.
    ///   - replacing: Whether to replace an existing file. If false, an existing file is an error. To change a key ring
    ///     that other programs may also change, use ``update(at:passphrase:_:)``.
    /// - Throws: The same errors as ``write(to:replacing:)``, and `TransformerError` with the code `invalid-argument` if
    ///   the passphrase is empty, or `limit-exceeded` if the cost is not 1 to 64 operations and 8 KiB to 4 GiB of memory.
    public func write(
        to url: URL,
        passphrase: SecureBytes,
        cost: PassphraseCost = .moderate,
        replacing: Bool = false
    ) throws {
        try write(to: file(at: url, replacing), .passphrase(passphrase, cost), replacing: replacing)
    }

    /// Writes the key ring to a file that is protected by a key provider.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The key provider.
    ///   - replacing: Whether to replace an existing file. If false, an existing file is an error. To change a key ring
    ///     that other programs may also change, use ``update(at:passphrase:_:)``.
    /// - Throws: The same errors as ``write(to:replacing:)``, and any error thrown by the provider.
    public func write(to url: URL, provider: some KeyProvider, replacing: Bool = false) async throws {
        try file(at: url, replacing).write(await text(under: provider), replacing: replacing)
    }

    /// Returns the file to write.
    ///
    /// If a symbolic link is to be replaced, the file that it leads to is replaced instead.
    private func file(at url: URL, _ replacing: Bool) -> PrivateFile {
        let file = PrivateFile(path: url.path)
        return replacing ? file.resolvingLinks() : file
    }
}

// MARK: - Contents

extension KeyRing {
    /// Reads a key ring and the protection of its file.
    private static func read(
        _ file: PrivateFile,
        passphrase: SecureBytes?
    ) throws -> (ring: KeyRing, protection: KeyFileProtection) {
        let whole = try file.read()
        return try file.naming {
            let text = try KeyFileText(whole)
            guard let protected = try ProtectedKeyRing(text) else {
                // Anyone who can replace the file can leave the passphrase out.
                guard passphrase == nil else { throw TransformerError.noPassphrase }
                return (try ring(text), .mode)
            }
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

    /// Writes the key ring.
    private func write(to file: PrivateFile, _ protection: KeyFileProtection, replacing: Bool) throws {
        switch protection {
        case .mode: try file.write(text(), replacing: replacing)
        case .passphrase(let passphrase, let cost):
            let parameters = PassphraseParameters(cost: cost)
            let protected = try ProtectedKeyRing(text(), under: parameters.key(of: passphrase), .init(parameters))
            try file.write(protected.text(), replacing: replacing)
        }
    }

    /// Returns the text of a file that is protected by a key provider.
    private func text(under provider: some KeyProvider) async throws -> SecureBytes {
        let key = try SecureBytes(randomCount: Self.keyCount)
        let protection = ProtectedKeyRing.Protection(provider: provider.name, wrapped: try await provider.wrap(key))
        return try ProtectedKeyRing(text(), under: key, protection).text()
    }

    /// Returns the key ring in unprotected text.
    static func ring(_ text: KeyFileText) throws -> KeyRing {
        try text.decode(KeyRingDocument.self).ring(text.secrets)
    }

    /// Returns the text of the key ring's file.
    private func text() throws -> SecureBytes {
        try KeyFileText(KeyRingDocument(self), secrets: keys.flatMap(\.entries).compactMap(\.material.secret)).whole()
    }

    /// Changes the key ring in a file, without losing changes that other programs make at the same time.
    ///
    /// The file is locked from the moment it is read until it is replaced. Updates by several programs therefore happen
    /// one after another, and each starts from the result of the previous one. The file is written atomically and keeps
    /// its passphrase and the cost of guessing it. A symbolic link to the file stays in place.
    ///
    /// ```swift
    /// try KeyRing.update(at: url) { try $0.rotatingKey(named: "clinic") }
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The passphrase, or `nil` if the file is not protected by one.
    ///   - change: A closure that returns the new key ring. The file is locked while it runs, so it should return
    ///     quickly.
    /// - Returns: The new key ring.
    /// - Throws: The same errors as ``init(contentsOf:passphrase:)`` and ``write(to:replacing:)``, `TransformerError`
    ///   with the code `busy-key-file` if another program locks the file for a minute, and any error thrown by
    ///   `change`, in which case the file is not changed.
    @discardableResult
    public static func update(
        at url: URL,
        passphrase: SecureBytes? = nil,
        _ change: (KeyRing) throws -> KeyRing
    ) throws -> KeyRing {
        let file = PrivateFile(path: url.path).resolvingLinks()
        let lock = try file.lock()
        let (ring, protection) = try read(file, passphrase: passphrase)
        let changed = try change(ring)
        try changed.write(to: file, protection, replacing: true)
        lock.release()
        return changed
    }

    /// Changes the key ring in a file that is protected by a key provider, without losing changes that other programs
    /// make.
    ///
    /// A file that is not protected remains so. To protect it, call ``write(to:provider:replacing:)``.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The key provider, which wraps a new key for the file. It is not used if the file is not protected.
    ///   - change: A closure that returns the new key ring. The file is locked while it runs, so it should return
    ///     quickly.
    /// - Returns: The new key ring.
    /// - Throws: The same errors as ``init(contentsOf:provider:)`` and ``write(to:provider:replacing:)``,
    ///   `TransformerError` with the code `busy-key-file` if another program locks the file for a minute, and any error
    ///   thrown by `change`.
    @discardableResult
    public static func update(
        at url: URL,
        provider: some KeyProvider,
        _ change: (KeyRing) throws -> KeyRing
    ) async throws -> KeyRing {
        let file = PrivateFile(path: url.path).resolvingLinks()
        let lock = try file.lock()
        let (ring, isProtected) = try await read(file, provider: provider)
        let changed = try change(ring)
        let text = try await isProtected ? changed.text(under: provider) : changed.text()
        try file.write(text, replacing: true)
        lock.release()
        return changed
    }

    /// Changes, sets, or removes the passphrase of a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The current passphrase, or `nil` if there is none.
    ///   - new: The new passphrase, or `nil` to protect the file only by its permissions.
    ///   - cost: The cost of each guess at the new passphrase. If `nil`, the file's cost stays the same; if it has
    ///     none, it is ``PassphraseCost/moderate``.
    /// - Throws: The same errors as ``update(at:passphrase:_:)``, or `TransformerError` with the code
    ///   `invalid-argument` if the new passphrase is empty or `limit-exceeded` if its cost is out of bounds.
    public static func changePassphrase(
        at url: URL,
        from passphrase: SecureBytes?,
        to new: SecureBytes?,
        cost: PassphraseCost? = nil
    ) throws {
        let file = PrivateFile(path: url.path).resolvingLinks()
        let lock = try file.lock()
        let (ring, protection) = try read(file, passphrase: passphrase)
        let newProtection = new.map { KeyFileProtection.passphrase($0, cost ?? protection.cost ?? .moderate) }
        try ring.write(to: file, newProtection ?? .mode, replacing: true)
        lock.release()
    }
}
