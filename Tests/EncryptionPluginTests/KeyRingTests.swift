import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct KeyRingTests {
    private let folder: TemporaryFolder
    private let secret = Data("canary".utf8)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    @Test func readsARingBackFromItsFile() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic").addingKey(named: "lab").rotatingKey(named: "clinic")
        try ring.write(to: file("a.keys"))
        let read = try KeyRing(contentsOf: file("a.keys"))
        #expect(read.names == ["clinic", "lab"])
        #expect(read.defaultName == "clinic")
        #expect(read.generations(of: "clinic") == ring.generations(of: "clinic"))
        #expect(read.generations(of: "clinic").map(\.state) == [.active, .primary])
        let bytes = try SealedTransformer(keys: ring, key: "lab").encode(secret)
        #expect(try SealedTransformer(keys: read).decode(bytes) == secret)
    }

    @Test func anEmptyRingIsReadBack() throws {
        try KeyRing.empty.write(to: file("empty.keys"))
        #expect(try KeyRing(contentsOf: file("empty.keys")).names.isEmpty)
    }

    @Test func writesAFileThatOnlyItsOwnerCanRead() throws {
        try KeyRing.empty.addingKey().write(to: file("a.keys"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file("a.keys").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.keys"])
    }

    @Test func replacesAFileOnlyOnRequest() throws {
        let old = try KeyRing.empty.addingKey(named: "old")
        try old.write(to: file("a.keys"))
        let new = try KeyRing.empty.addingKey(named: "new")
        let error = #expect(throws: TransformerError.self) { try new.write(to: file("a.keys")) }
        #expect(error?.code == .unreadableKeyFile)
        #expect(error?.underlying == nil)
        #expect(error?.message.contains("the file “\(file("a.keys").path)” already exists") == true)
        #expect(error?.message.contains("replacing: true") == true)
        #expect(try KeyRing(contentsOf: file("a.keys")).names == ["old"])
        try new.write(to: file("a.keys"), replacing: true)
        #expect(try KeyRing(contentsOf: file("a.keys")).names == ["new"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.keys"])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o601, 0o666]) func rejectsAFileThatOthersCanAccess(mode: Int) throws {
        let url = file("a.keys")
        try KeyRing.empty.addingKey().write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        let error = #expect(throws: TransformerError.self) { try KeyRing(contentsOf: url) }
        #expect(error?.code == .refusedKeyFile)
        #expect(error?.message.contains(String(mode, radix: 8)) == true)
    }

    @Test func rejectsAFolder() throws {
        #expect(throws: TransformerError(.refusedKeyFile, "")) { try KeyRing(contentsOf: folder.url) }
    }

    @Test func reportsAMissingFile() {
        #expect(throws: TransformerError(.unreadableKeyFile, "")) { try KeyRing(contentsOf: file("none.keys")) }
        #expect(throws: TransformerError(.unreadableKeyFile, "")) { try KeyRing.empty.write(to: file("no/where.keys")) }
    }

    private static let secret = String(repeating: "c0ffee42", count: 8)

    private static func generation(
        id: String = "0123456789abcdef",
        state: String = "primary",
        created: String = "2026-01-01T00:00:00Z",
        secret: String = "tfm-key-" + secret
    ) -> String {
        #"{"id": "\#(id)", "state": "\#(state)", "created": "\#(created)", "secret": "\#(secret)"}"#
    }

    private static func ring(_ generations: String..., name: String = "a", standard: String = "a") -> String {
        let list = generations.joined(separator: ", ")
        return
            #"{"transformableKeyRing": 1, "default": "\#(standard)", "keys": [{"name": "\#(name)", "generations": [\#(list)]}]}"#
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "null", String(repeating: "[", count: 100_000),
        #"{"transformableKeyRing": "1"}"#,
        #"{"transformableKeyRing": 1}"#,
        #"{"transformableKeyRing": 1, "default": "a", "keys": []}"#,
        ring(), ring(generation(state: "active")), ring(generation(), generation()),
        ring(generation(), generation(id: "1123456789abcdef")),
        ring(generation(), generation(state: "active")),
        ring(generation(id: "0123456789abcde")), ring(generation(id: "0123456789ABCDEF")),
        ring(generation(state: "lost")), ring(generation(created: "today")),
        ring(generation(secret: secret)), ring(generation(secret: "tfm-key-" + secret.dropLast())),
        ring(generation(secret: "tfm-key-" + secret.uppercased())), ring(generation(secret: "tfm-key-\(secret)0")),
        ring(generation(), standard: "b"),
    ])
    func rejectsInvalidContentsWithoutQuotingThem(text: String) throws {
        let url = try folder.write(Data(text.utf8), to: "bad.keys")
        let error = #expect(throws: TransformerError.self) { try KeyRing(contentsOf: url) }
        #expect(error?.code == .invalidKeyFile)
        #expect(error.map { "\($0)".localizedCaseInsensitiveContains("c0ffee") } == false)
    }

    @Test func readsAHandwrittenRing() throws {
        let url = try folder.write(Data(Self.ring(Self.generation()).utf8), to: "good.keys")
        let ring = try KeyRing(contentsOf: url)
        #expect(ring.generations(of: "a").map(\.id.description) == ["0123456789abcdef"])
    }

    /// Such as a misspelled “shared”, without which the key would authenticate stores.
    @Test(
        arguments: [
            ("\"keys\":", "\"note\": 1, \"keys\":", "note"),
            ("\"keys\":", "\"\(secret)\": 1, \"keys\":", "…"),
            ("{\"name\"", "{\"share\": true, \"name\"", "keys[0].share"),
            ("{\"id\"", "{\"ends\": 1, \"id\"", "keys[0].generations[0].ends"),
        ] as [(String, String, String)]
    )
    func rejectsUnknownFields(old: String, new: String, path: String) throws {
        let text = Self.ring(Self.generation()).replacing(old, with: new)
        let url = try folder.write(Data(text.utf8), to: "unknown.keys")
        let error = #expect(throws: TransformerError(.invalidKeyFile, "")) { try KeyRing(contentsOf: url) }
        #expect(error?.message.contains("“\(path)” is a field that this program does not know") == true)
    }

    @Test func rejectsALaterVersion() throws {
        let url = try folder.write(Data(#"{"transformableKeyRing": 2, "rings": {}}"#.utf8), to: "new.keys")
        #expect(throws: TransformerError(.unsupported, "")) { try KeyRing(contentsOf: url) }
    }

    @Test(arguments: ["", "a b", "é", "a/b", String(repeating: "n", count: 65), "a\0"])
    func rejectsAnInvalidName(name: String) {
        #expect(throws: TransformerError(.invalidArgument, "")) { try KeyRing.empty.addingKey(named: name) }
    }

    @Test func rejectsADuplicateName() throws {
        let ring = try KeyRing.empty.addingKey(named: "a")
        #expect(throws: TransformerError(.duplicateKey, "")) { try ring.addingKey(named: "a") }
    }

    @Test func theFirstKeyIsTheDefault() throws {
        let ring = try KeyRing.empty.addingKey(named: "b").addingKey(named: "a")
        #expect(ring.defaultName == "b")
        let bytes = try SealedTransformer(keys: ring).encode(secret)
        let id = try #require(ring.generations(of: "b").first?.id.description)
        #expect(bytes[8..<16].map { String(format: "%02x", $0) }.joined() == id)
    }

    @Test func aRotatedKeyOpensOldValuesAndSealsNewOnes() throws {
        let old = try KeyRing.empty.addingKey()
        let bytes = try SealedTransformer(keys: old).encode(secret)
        let new = try old.rotatingKey()
        let transformer = SealedTransformer(keys: new)
        #expect(try transformer.decode(bytes) == secret)
        #expect(try transformer.isUnchanged(secret, since: bytes, in: .none))
        #expect(try transformer.encode(secret)[8..<16] != bytes[8..<16])
        #expect(throws: TransformerError(.missingKey, "")) {
            try SealedTransformer(keys: old).decode(transformer.encode(secret))
        }
    }

    @Test func aRetiredKeyOpensNoValues() throws {
        let old = try KeyRing.empty.addingKey()
        let bytes = try SealedTransformer(keys: old).encode(secret)
        let id = try #require(old.generations(of: "default").first?.id)
        #expect(throws: TransformerError(.invalidArgument, "")) { try old.retiringUnchecked(id) }
        let new = try old.rotatingKey().retiringUnchecked(id)
        let error = #expect(throws: TransformerError.self) { try SealedTransformer(keys: new).decode(bytes) }
        #expect(error?.code == .retiredKey)
        #expect(error?.message.contains(id.description) == true)
        #expect(try SealedTransformer(keys: new.reactivating(id)).decode(bytes) == secret)
    }

    @Test func namesTheMissingKey() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        let bytes = try SealedTransformer(keys: ring).encode(secret)
        let failures = [
            #expect(throws: TransformerError.self) { try SealedTransformer(keys: ring, key: "lab").encode(secret) },
            #expect(throws: TransformerError.self) { try SealedTransformer(keys: .empty).encode(secret) },
            #expect(throws: TransformerError.self) { try SealedTransformer(keys: .empty).decode(bytes) },
        ]
        #expect(failures.map { $0?.code } == [.missingKey, .missingKey, .missingKey])
        #expect(failures[0]?.message.contains("“lab”") == true)
        #expect(failures[2]?.message.contains("\(ring.generations(of: "clinic")[0].id)") == true)
    }
}
