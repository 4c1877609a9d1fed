internal import Foundation
internal import Transformable

/// The representation of a key ring in a file.
///
/// Secrets are references into a ``KeyFileText``.
struct KeyRingDocument: Codable {
    struct Key: Codable {
        let name: String
        /// The kind of key.
        ///
        /// It is omitted for a symmetric key.
        let kind: KeyRing.Kind?
        /// Whether others have the key too.
        ///
        /// It is omitted otherwise.
        let shared: Bool?
        let generations: [Generation]
    }

    struct Generation: Codable {
        let id: KeyID
        let state: KeyState
        let created: Date
        /// The public key of a key pair, as 64 hexadecimal digits.
        let `public`: String?
        /// The secret.
        ///
        /// It is omitted if only the public key is available.
        let secret: String?
    }

    let transformableKeyRing: Int
    let `default`: String?
    let keys: [Key]
}

extension KeyRingDocument {
    /// Creates a document from a key ring.
    ///
    /// Secrets are numbered in order of occurrence.
    init(_ ring: KeyRing) {
        var index = 0
        transformableKeyRing = KeyFileText.currentVersion
        `default` = ring.defaultName
        keys = ring.keys.map { key in
            let generations = key.entries.map { entry in
                let reference = entry.material.secret.map { _ in KeyFileText.reference(to: index) }
                index += reference == nil ? 0 : 1
                return Generation(
                    id: entry.generation.id,
                    state: entry.generation.state,
                    created: entry.generation.created,
                    public: entry.material.publicKey.map { HexadecimalText.text(of: $0) },
                    secret: reference
                )
            }
            return Key(
                name: key.name,
                kind: key.kind == .secret ? nil : key.kind,
                shared: key.isShared ? true : nil,
                generations: generations
            )
        }
    }

    /// Returns the key ring that the document describes.
    func ring(_ secrets: [SecureBytes]) throws -> KeyRing {
        let known = Dictionary(
            uniqueKeysWithValues: secrets.enumerated().map { (KeyFileText.reference(to: $0.offset), $0.element) }
        )
        let keys = try keys.map { key in
            let kind = key.kind ?? .secret
            let entries = try key.generations.map { generation in
                KeyRing.Entry(
                    generation: KeyRing.Generation(
                        id: generation.id,
                        state: generation.state,
                        created: generation.created,
                        isPublicOnly: generation.secret == nil
                    ),
                    material: try generation.material(kind, known)
                )
            }
            return KeyRing.NamedKey(name: key.name, kind: kind, isShared: key.shared ?? false, entries: entries)
        }
        return try KeyRing(keys: keys, defaultName: `default`)
    }
}

extension KeyRingDocument.Generation {
    fileprivate func material(_ kind: KeyRing.Kind, _ secrets: [String: SecureBytes]) throws -> KeyMaterial {
        let secret = try secret.map { reference in
            guard let secret = secrets[reference] else {
                throw TransformerError.invalidKeyFile(
                    "the secret of \(id) must be “tfm-key-” followed by 64 lowercase hexadecimal digits"
                )
            }
            return secret
        }
        switch (kind, `public`, secret) {
        case (.secret, nil, let secret?): return .secret(secret)
        case (.pair, let digits?, let secret):
            guard let publicKey = HexadecimalText.bytes(of: digits.utf8), publicKey.count == KeyRing.keyCount else {
                break
            }
            let material = KeyMaterial.pair(public: publicKey, secret: secret)
            guard try material.isConsistent else {
                throw TransformerError.invalidKeyFile("the public key of \(id) does not match its secret key")
            }
            return material
        default: break
        }
        let reason =
            switch kind {
            case .secret: "the symmetric key \(id) must have “secret” and no “public”"
            case .pair: "the key pair \(id) must have “public”, with 64 hexadecimal digits"
            }
        throw TransformerError.invalidKeyFile(reason)
    }
}
