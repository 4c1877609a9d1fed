public import Transformable

extension TransformerError.Code {
    /// A sealed value does not open: altered, moved to another place, or under another key.
    ///
    /// One code and one message for all of these, so that a failure tells an attacker nothing.
    public static let authenticationFailed = Self(rawValue: "authentication-failed")
    /// The ring has no such key.
    public static let missingKey = Self(rawValue: "missing-key")
    /// The key is in the ring and no longer in use.
    public static let retiredKey = Self(rawValue: "retired-key")
    /// The key cannot be retired because stored values or indexes need it.
    public static let keyInUse = Self(rawValue: "key-in-use")
    /// The ring has a key of this name already.
    public static let duplicateKey = Self(rawValue: "duplicate-key")
    /// A key file is not private: others can read or change it.
    public static let refusedKeyFile = Self(rawValue: "refused-key-file")
    /// A key file cannot be opened, read or written.
    public static let unreadableKeyFile = Self(rawValue: "unreadable-key-file")
    /// Another program keeps a key file locked, which it does only while it changes the file.
    public static let busyKeyFile = Self(rawValue: "busy-key-file")
    /// A key file's content is not a key ring.
    public static let invalidKeyFile = Self(rawValue: "invalid-key-file")
    /// A key ring file is protected by a passphrase, and none was given.
    public static let passphraseNeeded = Self(rawValue: "passphrase-needed")
    /// The passphrase is not that of the key ring file.
    public static let wrongPassphrase = Self(rawValue: "wrong-passphrase")
    /// A key ring file is protected by a provider of keys, and another one or none was given.
    public static let keyProviderNeeded = Self(rawValue: "key-provider-needed")
    /// A blind index has so many bits that each of its numbers stands for one value.
    public static let identifyingIndex = Self(rawValue: "identifying-index")
    /// libsodium cannot be used on this machine, or memory for keys is exhausted.
    public static let cryptographyUnavailable = Self(rawValue: "cryptography-unavailable")
}

extension TransformerError {
    static var doesNotOpen: Self {
        let causes =
            "it was altered, belongs to another place, or was sealed under another key or the other way of sealing"
        return Self(.authenticationFailed, "the value does not open: \(causes); inspecting it shows its header")
    }

    static func missingKey(_ id: KeyID) -> Self {
        Self(.missingKey, "the key ring has no key with the id \(id); open the ring that sealed the value")
    }

    static func missingKey(named name: String?) -> Self {
        guard let name else {
            return Self(.missingKey, "the key ring is empty; make one, or name the file that holds it")
        }
        return Self(.missingKey, "the key ring has no key named “\(name)”; add it, or use another ring")
    }

    static func wrongKind(_ name: String, _ needed: KeyRing.Kind) -> Self {
        let reason =
            switch needed {
            case .secret: "is a pair, which only “to” takes"
            case .pair: "is no pair, which “to” needs"
            }
        return Self(.missingKey, "the key “\(name)” \(reason)")
    }

    static func missingSecret(_ id: KeyID) -> Self {
        Self(.missingKey, "the key ring has only the public key of \(id), which seals and does not open")
    }

    static func retiredKey(_ id: KeyID) -> Self {
        Self(.retiredKey, "the key with the id \(id) is retired; make it active again to use it")
    }

    static func keyInUse(_ id: KeyID, _ need: String) -> Self {
        let way = "re-encode them first, as “store reseal” does"
        return Self(.keyInUse, "the key with the id \(id) is needed by \(need); \(way)")
    }

    static func duplicateKey(_ name: String) -> Self {
        Self(.duplicateKey, "the key ring has a key named “\(name)” already; choose another name or rotate it")
    }

    static func invalidKeyName(_ name: String) -> Self {
        Self(.invalidArgument, "“\(name)” is not a key's name: 1 to 64 of A-Z, a-z, 0-9, “-”, “_” and “.”")
    }

    static func refused(_ file: PrivateFile, _ reason: String) -> Self {
        Self(.refusedKeyFile, "the \(file.role.rawValue) “\(file.path)” is refused: \(reason)")
    }

    static func unreadable(_ file: PrivateFile, _ action: String, _ cause: any Error) -> Self {
        Self(.unreadableKeyFile, "the \(file.role.rawValue) “\(file.path)” cannot be \(action)", underlying: cause)
    }

    static func existingKeyFile(_ path: String) -> Self {
        let ways = """
            change the ring in it with “KeyRing.update(at:)”, write to another file, or replace it and every key in it with \
            “replacing: true”
            """
        return Self(.unreadableKeyFile, "there is a file “\(path)” already; \(ways)")
    }

    static func busyKeyFile(_ path: String) -> Self {
        Self(.busyKeyFile, "another program is changing the key file “\(path)”; try again when it is done")
    }

    static func differentKeys(_ id: KeyID) -> Self {
        Self(.duplicateKey, "the two key rings have different keys with the id \(id); one of the files was altered")
    }

    static func invalidKeyFile(_ reason: String) -> Self {
        Self(.invalidKeyFile, "the file is not a key ring: \(reason)")
    }

    static var passphraseNeeded: Self {
        Self(.passphraseNeeded, "the key ring is protected by a passphrase, and none was given")
    }

    static var wrongPassphrase: Self {
        Self(.wrongPassphrase, "the passphrase is wrong, or the key ring file was altered")
    }

    static func keyProviderNeeded(_ name: String) -> Self {
        Self(.keyProviderNeeded, "the key ring is protected by the provider of keys “\(name)”, which must open it")
    }

    static var ringDoesNotOpen: Self {
        let message = "the key ring does not open under the key that the provider gave, or the file was altered"
        return Self(.authenticationFailed, message)
    }

    static var cryptographyUnavailable: Self {
        Self(.cryptographyUnavailable, "libsodium could not be initialised, or memory for keys is exhausted")
    }
}
