internal import Foundation
public import Transformable

extension TransformerError.Code {
    /// A sealed value cannot be opened: it was altered, moved, or sealed with a different key.
    ///
    /// All of these have the same code and message, so that an error reveals nothing to an attacker.
    public static let authenticationFailed = Self(rawValue: "authentication-failed")
    /// The key ring does not contain the key.
    public static let missingKey = Self(rawValue: "missing-key")
    /// The key is in the key ring, but is retired.
    public static let retiredKey = Self(rawValue: "retired-key")
    /// The key cannot authenticate a store, because others have it too.
    public static let sharedKey = Self(rawValue: "shared-key")
    /// The key cannot be retired, because stored values or indexes need it.
    public static let keyInUse = Self(rawValue: "key-in-use")
    /// The key ring already contains a key with this name.
    public static let duplicateKey = Self(rawValue: "duplicate-key")
    /// A key file is not private: other users can read or change it.
    public static let refusedKeyFile = Self(rawValue: "refused-key-file")
    /// A key file cannot be opened, read, or written.
    public static let unreadableKeyFile = Self(rawValue: "unreadable-key-file")
    /// Another program has locked the key file, which it does only while it changes the file.
    public static let busyKeyFile = Self(rawValue: "busy-key-file")
    /// The contents of a key file are not a key ring.
    public static let invalidKeyFile = Self(rawValue: "invalid-key-file")
    /// A key ring file is protected by a passphrase, but none was given.
    public static let passphraseNeeded = Self(rawValue: "passphrase-needed")
    /// The passphrase of a key ring file is wrong, or the file has none.
    public static let wrongPassphrase = Self(rawValue: "wrong-passphrase")
    /// A key ring file is protected by a key provider, but no provider or a different one was given.
    public static let keyProviderNeeded = Self(rawValue: "key-provider-needed")
    /// A blind index has so many bits that most of its numbers belong to one or two values.
    public static let identifyingIndex = Self(rawValue: "identifying-index")
    /// libsodium is not available on this machine, or the memory for keys is exhausted.
    public static let cryptographyUnavailable = Self(rawValue: "cryptography-unavailable")
}

extension TransformerError {
    static var doesNotOpen: Self {
        let causes = "it was altered or moved, or was sealed with a different key or in a different way"
        let way = "a value that is bound to a store opens only there; inspect it to see its header"
        return Self(.authenticationFailed, "the value cannot be opened: \(causes); \(way)")
    }

    static func missingKey(_ id: KeyID) -> Self {
        Self(.missingKey, "the key ring has no key with the id \(id); use a ring that contains it").about(id)
    }

    static func missingKey(named name: String?, in ring: KeyRing) -> Self {
        guard let name else {
            let state =
                switch ring {
                case _ where ring.names.isEmpty: "is empty"
                case _ where ring.names.contains(where: ring.isShared): "has no symmetric key that is not shared"
                default: "has only key pairs"
                }
            return Self(.missingKey, "the key ring \(state); add a secret key, or use a different ring")
        }
        return Self(.missingKey, "the key ring has no key named “\(name)”; add it, or use a different ring")
    }

    /// The error for an index that uses another key than the one that its values were indexed under.
    ///
    /// The first name is that of the key with the identifier, if there is one. The second one is that of the key that the
    /// index uses, unless it names none and the ring has no default key.
    static func indexedUnder(_ id: String, of name: String?, not own: String?) -> Self {
        let key = id + (name.map { " of “\($0)”" } ?? "")
        let difference = own.map { "the index uses “\($0)”" } ?? "the key ring has no default key"
        let way = "name the right key in the expression of the index, or rebuild the index as after the loss of a key"
        return Self(.missingKey, "values are indexed under the key \(key), but \(difference); \(way)")
    }

    static func wrongKind(_ name: String, _ needed: KeyRing.Kind) -> Self {
        let reason =
            switch needed {
            case .secret: "is a key pair, which can only be used with “to”"
            case .pair: "is not a key pair, which “to” requires"
            }
        return Self(.missingKey, "the key “\(name)” \(reason)")
    }

    static func missingSecret(_ id: KeyID) -> Self {
        let remedy = "use a ring that contains the secret key"
        let message = "the key ring has only the public key of \(id), which cannot open values; \(remedy)"
        return Self(.missingKey, message).about(id)
    }

    /// The error for rotating a key pair without its secret key.
    static func publicKeyOnly(_ name: String) -> Self {
        let remedy = "rotate the pair in the ring that contains its secret key, and use the public part of that ring"
        return Self(.missingKey, "the key ring has only the public key of “\(name)”; \(remedy)")
    }

    static func retiredKey(_ id: KeyID) -> Self {
        let remedy = "to use it, reactivate it with “keys retire --undo” (in code: “reactivating(_:)”)"
        return Self(.retiredKey, "the key with the id \(id) is retired; \(remedy)").about(id)
    }

    static func sharedKey(_ id: KeyID) -> Self {
        let message = "the key with the id \(id) is marked as shared in the key ring, so it cannot authenticate a store"
        return Self(.sharedKey, message).about(id)
    }

    static func sharedDefault(_ name: String) -> Self {
        let message = "“\(name)” is the default key of the ring, so it cannot be a shared key"
        let rename = "if the other ring has a different key with this name, share a key with another name"
        let way = "otherwise, create a key file with a key of your own, and import both files into it"
        return Self(.invalidArgument, "\(message); \(rename); \(way)")
    }

    static func sharedName(_ name: String) -> Self {
        let message = "the ring has a different key named “\(name)”, which would become a shared key as well"
        return Self(.invalidArgument, "\(message); share a key with another name")
    }

    /// Returns the same error with the identifier of the key that it is about.
    private func about(_ id: KeyID) -> Self {
        var error = self
        error.key = "\(id)"
        return error
    }

    static func keyInUse(_ id: KeyID, _ need: String) -> Self {
        let way = "re-encode the values first, for example with “store reseal”"
        return Self(.keyInUse, "the key with the id \(id) is needed by \(need); \(way)")
    }

    /// The error for a key that nothing needs as far as that can be seen.
    static func keyPossiblyInUse(_ id: KeyID, _ attributes: [String]) -> Self {
        let reason = "may be needed by \(attributes.joined(separator: ", ")), whose keys are not known"
        let way = "once all of their values are resealed, use --unchecked (in code: “retiringUnchecked(_:)”)"
        return Self(.keyInUse, "the key with the id \(id) \(reason); \(way)")
    }

    static func duplicateKey(_ name: String) -> Self {
        Self(.duplicateKey, "the key ring already has a key named “\(name)”; choose another name, or rotate the key")
    }

    static func invalidKeyName(_ name: String) -> Self {
        Self(.invalidArgument, "“\(name)” is not a valid key name; use 1 to 64 of A-Z, a-z, 0-9, “-”, “_”, and “.”")
    }

    static func refused(_ file: PrivateFile, _ reason: String) -> Self {
        Self(.refusedKeyFile, "the \(file.role.rawValue) “\(file.path)” is refused: \(reason)")
    }

    static func unreadable(_ file: PrivateFile, _ action: String, _ cause: any Error) -> Self {
        Self(.unreadableKeyFile, "the \(file.role.rawValue) “\(file.path)” cannot be \(action)", underlying: cause)
    }

    /// Returns the error for a file that was written, but whose name could not be flushed to disk.
    static func mayNotLast(_ file: PrivateFile, _ number: Int32) -> Self {
        let cause = POSIXErrorCode(rawValue: number).map { POSIXError($0) }
        let outcome = "the \(file.role.rawValue) “\(file.path)” was written, but may be lost in a power failure"
        let message = "\(outcome), because its folder cannot be flushed to disk; copy the file to another disk"
        return Self(.unreadableKeyFile, message, underlying: cause)
    }

    static func unreadablePassphrase(_ descriptor: Int32, _ number: Int32) -> Self {
        let cause = POSIXErrorCode(rawValue: number).map { POSIXError($0) }
        let message = "the passphrase cannot be read from file descriptor \(descriptor)"
        return Self(.unreadableKeyFile, message, underlying: cause)
    }

    static func existingKeyFile(_ path: String) -> Self {
        let ways = """
            change its ring with “KeyRing.update(at:)”, write to another file, or replace the file and all of its keys with \
            “replacing: true”
            """
        return Self(.unreadableKeyFile, "the file “\(path)” already exists; \(ways)")
    }

    static func busyKeyFile(_ path: String) -> Self {
        Self(.busyKeyFile, "another program is changing the key file “\(path)”; try again later")
    }

    static func differentKeys(_ id: KeyID) -> Self {
        Self(
            .duplicateKey,
            "the two key rings have different keys with the id \(id); one of the files must have been altered"
        )
    }

    static func differentNames(_ id: KeyID, _ own: String, _ other: String) -> Self {
        let message = "the key with the id \(id) is named “\(own)” in one key ring and “\(other)” in the other"
        return Self(.duplicateKey, "\(message); give it the same name in both files")
    }

    static func invalidKeyFile(_ reason: String) -> Self {
        Self(.invalidKeyFile, "the file is not a key ring: \(reason)")
    }

    static var passphraseNeeded: Self {
        Self(.passphraseNeeded, "the key ring is protected by a passphrase, but none was given")
    }

    static var wrongPassphrase: Self {
        Self(.wrongPassphrase, "the passphrase is wrong, or the key ring file was altered")
    }

    /// The error for a passphrase that is given for a file that anyone could have written.
    static var noPassphrase: Self {
        let ways = "if you removed the passphrase, open the file without one; otherwise, restore the file from a copy"
        return Self(.wrongPassphrase, "a passphrase was given, but the key ring is not protected by one; \(ways)")
    }

    static func keyProviderNeeded(_ name: String) -> Self {
        Self(
            .keyProviderNeeded,
            "the key ring is protected by the key provider “\(name)”; use that provider to open it"
        )
    }

    static var ringDoesNotOpen: Self {
        let message = "the key ring cannot be opened with the provider's key, or the file was altered"
        return Self(.authenticationFailed, message)
    }

    static var cryptographyUnavailable: Self {
        Self(.cryptographyUnavailable, "libsodium could not be initialized, or the memory for keys is exhausted")
    }
}
