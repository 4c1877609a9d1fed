internal import Transformable

/// Verifies the names of the fields in a key file.
///
/// A program that does not know a field would ignore what it says about a key, such as that others have the key too. It
/// would also leave the field out when it changes the file.
struct KeyFileFields: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    private static let ofFile = ["transformableKeyRing", "default", "keys", "protection", "sealed"]
    private static let ofProtection = ["kind", "operations", "memory", "salt", "provider", "key"]
    private static let ofKey = ["name", "kind", "shared", "generations"]
    private static let ofGeneration = ["id", "state", "created", "public", "secret"]
    /// A longer name may be a mistyped secret.
    private static let longestName = 32

    init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: Name.self)
        try Self.check(file, Self.ofFile)
        if let protection = try? file.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "protection")) {
            try Self.check(protection, Self.ofProtection)
        }
        // What has the wrong type is reported when the file is decoded.
        guard var keys = try? file.nestedUnkeyedContainer(forKey: Name(stringValue: "keys")) else { return }
        while !keys.isAtEnd {
            let key = try keys.nestedContainer(keyedBy: Name.self)
            try Self.check(key, Self.ofKey)
            guard var generations = try? key.nestedUnkeyedContainer(forKey: Name(stringValue: "generations")) else {
                continue
            }
            while !generations.isAtEnd {
                try Self.check(generations.nestedContainer(keyedBy: Name.self), Self.ofGeneration)
            }
        }
    }

    private static func check(_ fields: KeyedDecodingContainer<Name>, _ known: [String]) throws {
        let names = fields.allKeys.map(\.stringValue).sorted()
        guard let stranger = names.first(where: { !known.contains($0) }) else { return }
        let name = stranger.count > longestName ? "…" : stranger
        let path = (fields.codingPath + [Name(stringValue: name) as any CodingKey]).location
        let way = "correct its name, or update the program"
        throw TransformerError.invalidKeyFile("“\(path)” is a field that this program does not know; \(way)")
    }
}

extension [any CodingKey] {
    /// The location in JSON, such as `keys[0].generations[1].id`.
    var location: String {
        reduce("") { path, key in
            guard let index = key.intValue else { return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)" }
            return "\(path)[\(index)]"
        }
    }
}
