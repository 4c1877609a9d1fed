internal import Foundation
internal import Transformable

/// A key ring file whose contents are sealed with a key of their own.
///
/// The contents are the text of an unprotected file. They form a sealed value that is not bound to a location, with the
/// key identifier zero and a subkey for this purpose.
struct ProtectedKeyRing: Codable {
    /// The information needed to obtain the key: the parameters of a passphrase, or a provider and the wrapped key.
    struct Protection: Codable {
        var kind: Kind
        var operations: Int?
        var memory: Int?
        var salt: Data?
        var provider: String?
        var key: Data?

        enum Kind: String, Codable {
            case argon2id
            case provider
        }
    }

    private static let key = KeyID(number: 0)

    let transformableKeyRing: Int
    let protection: Protection
    let sealed: Data
}

extension ProtectedKeyRing.Protection {
    init(_ parameters: PassphraseParameters) {
        self.init(
            kind: .argon2id,
            operations: parameters.cost.operations,
            memory: parameters.cost.memory,
            salt: Data(parameters.salt)
        )
    }

    init(provider: String, wrapped: Data) {
        self.init(kind: .provider, provider: provider, key: wrapped)
    }
}

extension ProtectedKeyRing {
    /// Parses the text of a file, or returns nil if the file is not protected.
    init?(_ text: KeyFileText) throws {
        struct Probe: Decodable {
            let protection: Protection?
        }
        guard try text.decode(Probe.self).protection != nil else { return nil }
        self = try text.decode(Self.self)
    }

    /// Seals a string with a key.
    init(_ text: SecureBytes, under key: SecureBytes, _ protection: Protection) throws {
        let header = SealedHeader(flags: .padded, parts: [], key: Self.key)
        let box = try Self.box(key)
        transformableKeyRing = KeyFileText.currentVersion
        self.protection = protection
        sealed = try unsafe text.withUnsafeBytes { text in
            try unsafe box.seal(text, header, padding: .buckets, nonce: .random)
        }
    }

    /// The parameters of the passphrase, or nil if the file is protected in another way.
    var passphraseParameters: PassphraseParameters? {
        get throws {
            guard protection.kind == .argon2id else { return nil }
            guard let operations = protection.operations, let memory = protection.memory, let salt = protection.salt
            else {
                throw TransformerError.invalidKeyFile("“protection” lacks operations, memory, or salt")
            }
            guard salt.count == PassphraseParameters.saltCount else {
                throw TransformerError.invalidKeyFile("the salt in “protection” must be 16 bytes long")
            }
            return PassphraseParameters(cost: .init(operations: operations, memory: memory), salt: Array(salt))
        }
    }

    /// Opens the contents, or returns nil if the key is wrong or the file was altered.
    ///
    /// - Throws: `TransformerError` with the code `invalid-key-file` if the contents are not a sealed value, or
    ///   `unsupported` if its version is too new.
    func open(under key: SecureBytes) throws -> SecureBytes? {
        guard key.count == KeyRing.keyCount else { return nil }
        return try unsafe sealed.withUnsafeBytes { sealed in
            let header = try unsafe Self.header(of: sealed)
            guard header.suite == .whole, header.key == Self.key, header.parts.isEmpty, header.flags == .padded else {
                return nil
            }
            var count: Int?
            let box = try Self.box(key)
            let padded = try unsafe SecureBytes(count: SealedBox.paddedCount(of: sealed, header)) { text in
                count = try unsafe box.open(sealed, header, into: text)
            }
            guard let count else { return nil }
            return try unsafe SecureBytes(count: count) { output in
                unsafe padded.withUnsafeBytes { unsafe output.copyMemory(from: .init(rebasing: $0.prefix(count))) }
            }
        }
    }

    /// Returns the text of the file, which contains no unencrypted secrets.
    func text() throws -> SecureBytes {
        try KeyFileText(self, secrets: []).whole()
    }

    /// Reads the header of the contents, whose damage is the file's.
    private static func header(of sealed: UnsafeRawBufferPointer) throws(TransformerError) -> SealedHeader {
        do {
            return try unsafe SealedHeader(sealed)
        } catch {
            guard error.code == .invalidData else { throw error }
            throw TransformerError.invalidKeyFile("“sealed” is damaged: \(error.message)")
        }
    }

    private static func box(_ key: SecureBytes) throws -> SealedBox {
        let place = Subkey.Place(Self.key, .keyRing, .none)
        return SealedBox(subkey: try Subkey(of: key, for: place), binding: .none)
    }
}

/// The protection of a key ring's file, in addition to its permissions.
enum KeyFileProtection {
    /// No additional protection.
    case mode
    /// A passphrase, and the cost of each guess at it.
    case passphrase(SecureBytes, PassphraseCost)

    var cost: PassphraseCost? {
        if case .passphrase(_, let cost) = self { cost } else { nil }
    }
}
