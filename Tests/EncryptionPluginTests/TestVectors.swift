import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// What `Vectors/sealed.py` made.
struct TestVectors: Decodable {
    struct Place: Decodable, Hashable {
        var store: UUID?
        var entity: UInt32?
        var attribute: UInt32?
        var object: Int64?

        var context: TransformContext {
            TransformContext(store: store, entity: entity, attribute: attribute, object: object)
        }
    }

    struct Sealed: Decodable, CustomTestStringConvertible {
        let place: Place
        let plaintext: Hexadecimal
        let padding: String
        let deterministic: Bool
        let key: String
        let isPrimary: Bool
        let nonce: Hexadecimal
        let sealed: Hexadecimal

        var testDescription: String {
            "\(plaintext.bytes.count) bytes, \(padding), key \(key), \(deterministic ? "deterministic" : "random")"
        }

        var expression: String { "sealed(key: \(key), padding: \(padding), deterministic: \(deterministic))" }
    }

    struct ToPublicKey: Decodable, CustomTestStringConvertible {
        let place: Place
        let plaintext: Hexadecimal
        let padding: String
        let sender: Hexadecimal
        let nonce: Hexadecimal
        let sealed: Hexadecimal

        var testDescription: String { "\(plaintext.bytes.count) bytes, \(padding)" }
    }

    struct Index: Decodable, CustomTestStringConvertible {
        let place: Place
        let text: String
        let bits: Int
        let index: Int64
        let formerIndex: Int64

        var testDescription: String { "“\(text)”, \(bits) bits" }
    }

    struct Digest: Decodable, CustomTestStringConvertible {
        let expression: String
        let value: Hexadecimal
        let digest: Hexadecimal

        var testDescription: String { "\(expression) of \(value.bytes.count) bytes" }
    }

    let sealed: [Sealed]
    let sealedToPublicKey: [ToPublicKey]
    let blindIndexes: [Index]
    let slowBlindIndexes: [Index]
    let digests: [Digest]

    static let url = Bundle.module.bundleURL.appendingPathComponent("Vectors/vectors.json")

    static func load() throws -> Self {
        try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    }

    /// The ring of the fixture: “clinic”, rotated once, and “lab”.
    static func ring() throws -> KeyRing {
        let whole = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        let text = try JSONSerialization.data(withJSONObject: #require(whole?["ring"]))
        let folder = try TemporaryFolder()
        return try KeyRing(contentsOf: folder.write(text, to: "test.keys"))
    }

    static func registry() throws -> TransformerRegistry {
        let ring = try ring()
        return try TransformerRegistry { EncryptionPlugin(keys: ring) }
    }
}

/// Bytes as hexadecimal digits in JSON.
struct Hexadecimal: Decodable {
    let bytes: Data

    init(from decoder: any Decoder) throws {
        let digits = Array(try decoder.singleValueContainer().decode(String.self))
        bytes = Data(
            stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
        )
    }
}

/// A folder that is removed with the last reference to it.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("encryption-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func write(_ bytes: Data, to name: String, mode: Int = 0o600) throws -> URL {
        let file = url.appendingPathComponent(name)
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file
    }
}

extension TransformContext {
    /// A cell of a store.
    static let cell = Self(
        store: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF"),
        entity: 3,
        attribute: 258,
        object: 4_294_967_299
    )
}
