internal import Foundation
internal import Transformable

/// A key ring as its file has it; secrets are references into a ``KeyFileText``.
struct KeyRingDocument: Codable {
    static let currentVersion = 1

    struct Key: Codable {
        let name: String
        let generations: [Generation]
    }

    struct Generation: Codable {
        let id: KeyID
        let state: KeyState
        let created: Date
        let secret: String
    }

    let transformableKeyRing: Int
    let `default`: String?
    let keys: [Key]
}

extension KeyRingDocument {
    init(_ ring: KeyRing) {
        var index = 0
        transformableKeyRing = Self.currentVersion
        `default` = ring.defaultName
        keys = ring.keys.map { key in
            let generations = key.entries.map { entry in
                defer { index += 1 }
                let generation = entry.generation
                let secret = KeyFileText.reference(to: index)
                return Generation(
                    id: generation.id,
                    state: generation.state,
                    created: generation.created,
                    secret: secret
                )
            }
            return Key(name: key.name, generations: generations)
        }
    }

    /// The ring, with its secrets looked up.
    func ring(_ secrets: [SecureBytes]) throws -> KeyRing {
        let indexes = Dictionary(uniqueKeysWithValues: secrets.indices.map { (KeyFileText.reference(to: $0), $0) })
        let keys = try keys.map { key in
            let entries = try key.generations.map { generation in
                guard let index = indexes[generation.secret] else {
                    throw TransformerError.invalidKeyFile(
                        "the secret \(generation.id) is not “tfm-key-” and 64 hexadecimal digits in lower case"
                    )
                }
                return KeyRing.Entry(
                    generation: KeyRing.Generation(
                        id: generation.id,
                        state: generation.state,
                        created: generation.created
                    ),
                    secret: secrets[index]
                )
            }
            return KeyRing.NamedKey(name: key.name, entries: entries)
        }
        return try KeyRing(keys: keys, defaultName: `default`)
    }
}
