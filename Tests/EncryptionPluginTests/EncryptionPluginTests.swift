import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct EncryptionPluginTests {
    private let registry: TransformerRegistry

    init() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        registry = try TransformerRegistry {
            EncryptionPlugin(keys: ring)
            Registration.text
        }
    }

    @Test func sealsTextAsUTF8() throws {
        let transformer = try registry.transformer("sealed(key: \"clinic\")", for: String.self)
        let bytes = try transformer.encode("Ada Lovelace", in: .cell)
        #expect(bytes.range(of: Data("Lovelace".utf8)) == nil)
        #expect(try transformer.decode(bytes, in: .cell) == "Ada Lovelace")
    }

    @Test(arguments: [
        ("sealed(key: clinic)", "sealed(key: \"clinic\")", "sealed/1(deterministic: false)"),
        ("sealed(padding: block, deterministic: true)", "sealed(deterministic: true)", "sealed/1(deterministic: true)"),
        ("sealed(padding: buckets)", "sealed(padding: buckets)", "sealed/1(deterministic: false)"),
        ("blind-index(bits: 32)", "blind-index", "blind-index/1(bits: 32, slow: false)"),
        ("hmac-sha256(key: clinic)", "hmac-sha256(key: \"clinic\")", "hmac-sha256/1(key: \"clinic\")"),
        ("blake2b", "blake2b", "blake2b/1(size: 32)"),
    ])
    func hasACanonicalFormAndASignature(expression: String, canonical: String, signature: String) throws {
        let resolved = try registry.resolve(expression, for: Data.self, ending: .column)
        #expect(resolved.expression.description == canonical)
        #expect(resolved.signature.description == signature)
    }

    @Test(arguments: [
        "sealed(padding: much)", "sealed(deterministic: 1)", "blind-index(bits: 0)", "blind-index(bits: 64)",
        "blake2b(size: 15)", "blake2b(size: 65)", "hmac-sha256(key: 1)",
    ])
    func rejectsInvalidArguments(expression: String) {
        #expect(throws: TransformerError(.invalidArgument, "")) {
            try registry.resolve(expression, for: Data.self, ending: .column)
        }
    }

    @Test func warnsAboutDeterministicValues() throws {
        #expect(try registry.explain("sealed").warnings.isEmpty)
        #expect(try registry.explain("sealed(deterministic: true)").warnings.count == 1)
    }

    @Test func explainsWithoutKeys() throws {
        let registry = try TransformerRegistry { EncryptionPlugin() }
        let explanation = try registry.explain("sealed(key: \"nobody has it\")", for: String.self)
        #expect(explanation.isReversible)
        #expect(explanation.traits.contains("confidential"))
    }

    @Test func blindIndexSupportsOnlyTextAndBytes() {
        #expect(throws: TransformerError(.unsupportedType, "")) {
            try registry.resolve("blind-index", for: Int.self, ending: .column)
        }
    }

    @Test func inspectsASealedValueWithoutAKey() throws {
        let bytes = try registry.transformer("sealed", for: Data.self).encode(Data(count: 40), in: .cell)
        let inspectors = try TransformerRegistry { EncryptionPlugin() }.inspectors
        let inspector = try #require(inspectors.first)
        let inspection = try inspector.inspect(bytes)
        let facts = try #require(inspection).facts
        let id = bytes[8..<16].map { String(format: "%02x", $0) }.joined()
        #expect(facts.first { $0.label == "key id" }?.value == id)
        #expect(facts.first { $0.label == "padded length" }?.value == "64 bytes")
        #expect(facts.first { $0.label == "bound to" }?.value == "store, entity, attribute, object")
        #expect(try inspector.inspect(Data("{3, 4}".utf8))?.kind == nil)
        #expect(throws: TransformerError.invalidData("")) { try inspector.inspect(bytes.prefix(50)) }
    }

    // A header of 72 bytes with suite 2 and no flags, and a chunk, which is at least 17 bytes long.
    @Test func inspectsOnlyAWholeChunk() throws {
        let inspectors = try TransformerRegistry { EncryptionPlugin() }.inspectors
        let inspector = try #require(inspectors.first)
        let header = Data([0x8F, 0x54, 0x46, 0x53, 1, 2, 0, 0]) + Data(count: 64)
        let inspection = try inspector.inspect(header + Data(count: 17))
        let facts = try #require(inspection).facts
        #expect(facts.first { $0.label == "length" }?.value == "0 bytes")
        #expect(throws: TransformerError.invalidData("")) { try inspector.inspect(header + Data(count: 16)) }
    }

    @Test func aFileThatIsTooLongIsNotAKeyFile() throws {
        let inspectors = try TransformerRegistry { EncryptionPlugin() }.inspectors
        let inspector = try #require(inspectors.first { $0.name == "key file" })
        let text = Data(#"{"transformableKeyRing": 1}"#.utf8)
        #expect(throws: TransformerError(.invalidKeyFile, "")) { try inspector.inspect(text) }
        let long = text + Data(repeating: UInt8(ascii: " "), count: 16 << 20)
        #expect(try inspector.inspect(long)?.kind == nil)
    }
}
