public import Foundation
internal import Transformable

extension KeyRing {
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
    ///   - passphrase: The passphrase, if the file is protected by one.
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
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The key provider, which wraps a new key for the file.
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
        let changed = try change(await KeyRing(contentsOf: URL(filePath: file.path), provider: provider))
        try file.write(await changed.text(under: provider), replacing: true)
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
    ///   `invalid-argument` if the new passphrase is empty.
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
