import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// What makes a store usable under a new key after its key is lost, as the article “Rotating keys” describes it.
@Suite struct LostKeyTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        /// The attribute `ssn`, without its name.
        let ssn: String
        /// Whether an index of `name` and `ssn` replaces the index of `ssn`.
        var isShared = false
        /// What removes or replaces the lost values, if there are any.
        var replacement: [String] = []

        var model: String {
            let index = "\"transformer\": \"blind-index(bits: 16)\""
            let own = "\"projections\": [ { \"name\": \"finder\", \(index) } ]"
            let shared = "\"projections\": [ { \"name\": \"finder\", \"attributes\": [\"name\", \"ssn\"], \(index) } ]"
            return """
                { "transformableModel": 1, "entities": [ { "name": "Patient", "attributes": [
                    { "name": "name", "type": "string" }, { "name": "ssn", \(ssn)\(isShared ? "" : ", \(own)") } ]
                    \(isShared ? ", \(shared)" : "") } ] }
                """
        }
    }

    private static let sealed = "\"transformer\": \"text | sealed\""
    private static let optional = "\(sealed), \"optional\": true"
    private static let plain = "\"type\": \"string\""

    static let cases = [
        Case(testDescription: "a blind index", ssn: optional, replacement: ["--null", "ssn"]),
        Case(testDescription: "a required attribute", ssn: sealed, replacement: ["ssn=gone"]),
        Case(testDescription: "two attributes", ssn: optional, isShared: true, replacement: ["--null", "ssn"]),
        Case(testDescription: "a plain attribute", ssn: plain),
        Case(testDescription: "two plain attributes", ssn: plain, isShared: true),
    ]

    private let folder: TemporaryFolder
    private let store: String
    private let keys: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        keys = folder.path("clinic.keys")
        try #require(AttackedStore.run(["keys", "new", keys]).status == 0)
    }

    private func create(_ model: String) throws {
        let path = try folder.write(Data(model.utf8), "clinic.json")
        #expect(try run("create", store, "--model", path).messages == "")
        #expect(try run("insert", store, "Patient", "name=Ada", "ssn=1").messages == "")
    }

    private func run(_ words: String...) throws -> CommandRun { try run(words) }

    private func run(_ words: [String]) throws -> CommandRun {
        try AttackedStore.run(["store"] + words + ["--key-file", keys])
    }

    private func count(_ condition: String) throws -> String {
        try run("show", store, "Patient", "--count", "--where", condition).output
    }

    /// The keys that indexes depend on.
    private func indexKeys() throws -> [String] {
        let registry = try AttackedStore.registry(.empty)
        let opened = try Store(at: URL(filePath: store), transformers: registry, options: .readOnly)
        return try opened.read { try $0.indexKeys() }.values.flatMap(\.self)
    }

    private func currentKey() throws -> String {
        let ring = try KeyRing(contentsOf: URL(filePath: keys))
        return try #require(ring.generations(of: "default").last.map { "\($0.id)" })
    }

    @Test(arguments: cases) func aStoreIsUsableUnderANewKey(test: Case) throws {
        try create(test.model)
        try FileManager.default.removeItem(atPath: keys)
        try #require(AttackedStore.run(["keys", "new", keys]).status == 0)
        #expect(try run("seal", store, "--accept-model", "--lost-key").status == 0)
        if !test.replacement.isEmpty {
            let update = ["update", store, "Patient", "--where", "true", "--replace-damaged"] + test.replacement
            #expect(try run(update).messages == "")
        }
        let resealed = try run("reseal", store)
        #expect(resealed.status == 0, "\(resealed.messages)")
        #expect(try indexKeys() == [currentKey()])
        #expect(try run("set", store, "Patient", "1", "ssn=5").messages == "")
        #expect(try count("name == 'Ada' and ssn == '5'") == "1\n")
        #expect(try run("verify", store).status == 0)
    }

    // The newer key has sealed nothing, but it may have written to the index.
    @Test func aStoreIsUsableUnderAFormerKey() throws {
        try create(Self.cases[0].model)
        let backup = folder.path("backup.keys")
        try FileManager.default.copyItem(atPath: keys, toPath: backup)
        #expect(try AttackedStore.run(["keys", "rotate", keys]).status == 0)
        #expect(try run("insert", store, "Patient", "name=Bea").messages == "")
        try FileManager.default.removeItem(atPath: keys)
        try FileManager.default.moveItem(atPath: backup, toPath: keys)
        for verb in [["reseal", store], ["set", store, "Patient", "2", "ssn=2"]] {
            let refused = try run(verb)
            #expect(refused.status == 77)
            #expect(refused.messages.contains("“store seal --accept-model --lost-key”"))
        }
        #expect(try run("seal", store, "--accept-model", "--lost-key").status == 0)
        #expect(try run("reseal", store).messages == "")
        #expect(try indexKeys() == [currentKey()])
        #expect(try run("set", store, "Patient", "2", "ssn=2").messages == "")
        #expect(try count("ssn == '1'") == "1\n")
        #expect(try count("ssn == '2'") == "1\n")
    }

    // The key is not lost, but others have it too. No value is.
    @Test func aStoreMovesFromASharedKeyToAnotherOne() throws {
        try create(Self.cases[0].model)
        let own = folder.path("own.keys")
        #expect(try AttackedStore.run(["keys", "new", own, "--name", "own"]).status == 0)
        #expect(try AttackedStore.run(["keys", "import", own, keys, "--shared"]).status == 0)
        let shared = try currentKey()
        try FileManager.default.removeItem(atPath: keys)
        try FileManager.default.moveItem(atPath: own, toPath: keys)
        #expect(try run("seal", store, "--accept-model").status == 0)
        let refused = try run("reseal", store)
        #expect(refused.status == 77)
        #expect(refused.messages.contains("under the key \(shared) of “default”, but the index uses “own”"))
        #expect(try run("seal", store, "--accept-model", "--lost-key").status == 0)
        #expect(try run("reseal", store).messages == "")
        let ring = try KeyRing(contentsOf: URL(filePath: keys))
        #expect(try indexKeys() == ring.generations(of: "own").map { "\($0.id)" })
        #expect(try count("ssn == '1'") == "1\n")
        #expect(try run("verify", store).output.contains("sound"))
    }
}
