public import Foundation
internal import Transformable

extension KeyRing {
    /// Changes the ring in a file, without losing what other programs change in it at the same time.
    ///
    /// The file is locked from reading to replacing, so that updates from any number of programs follow one
    /// another, and each starts from what the one before has written. The file appears whole or not at all, keeps
    /// its passphrase and what that costs to try, and a symbolic link to it stays in place.
    ///
    /// ```swift
    /// try KeyRing.update(at: url) { try $0.rotatingKey(named: "clinic") }
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The passphrase, if one protects the file.
    ///   - change: Gives the new ring for the one in the file. It runs while the file is locked, so keep it short.
    /// - Returns: The ring that has been written.
    /// - Throws: `TransformerError` as ``init(contentsOf:passphrase:)`` and ``write(to:replacing:)`` do, `busy-key-file`
    ///   if another program keeps the file locked for a minute, and any error of `change`, which leaves the file as it was.
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

    /// Changes the ring in a file whose key a provider has, without losing what other programs change in it.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The provider, which wraps a new key for the file.
    ///   - change: Gives the new ring for the one in the file. It runs while the file is locked, so keep it short.
    /// - Returns: The ring that has been written.
    /// - Throws: `TransformerError` as ``init(contentsOf:provider:)`` and ``write(to:provider:replacing:)`` do,
    ///   `busy-key-file` if another program keeps the file locked for a minute, and any error of `change`.
    @discardableResult
    public static func update(
        at url: URL,
        provider: some KeyProvider,
        _ change: (KeyRing) throws -> KeyRing
    ) async throws -> KeyRing {
        let file = PrivateFile(path: url.path).resolvingLinks()
        let lock = try file.lock()
        let changed = try change(await KeyRing(contentsOf: URL(filePath: file.path), provider: provider))
        try file.write(await changed.text(under: provider), replacing: true)
        lock.release()
        return changed
    }

    /// Changes, sets, or removes the passphrase of a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - passphrase: The passphrase that protects the file now; `nil` if none does.
    ///   - new: The new passphrase; `nil` leaves the file protected by its mode alone.
    ///   - cost: What each guess at the new passphrase costs; `nil` keeps the file's cost, or means
    ///     ``PassphraseCost/moderate`` if it has none.
    /// - Throws: `TransformerError` as ``update(at:passphrase:_:)`` does, or `invalid-argument` for an empty passphrase.
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
