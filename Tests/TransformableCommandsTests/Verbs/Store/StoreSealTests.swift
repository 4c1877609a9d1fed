import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The seal of a store's model and tables, as its owner sees it.
@Suite struct StoreSealTests {
    private static let noNote = AttackedStore.model.replacing("\"entities\"", with: "\"version\": 2, \"entities\"")
        .replacing("{ \"name\": \"note\", \"transformer\": \"text | sealed\", \"optional\": true },", with: "")

    private func key(_ store: AttackedStore) throws -> String {
        let ring = try KeyRing(contentsOf: URL(filePath: store.keys))
        return try #require(ring.generations(of: "default").last.map { "\($0.id)" })
    }

    @Test(.enabled(if: AttackedStore.hasPython)) func anIndependentProgramVerifiesTheSealAfterEachCommand() throws {
        let store = try AttackedStore()
        let first = try key(store)
        #expect(try store.check() == "\(first) 1 genuine")
        try store.folder.write(Data(Self.noNote.utf8), "clinic-2.json")
        let verbs = [
            ["store", "set", "STORE", "Patient", "1", "note=new", "--key-file", "KEYS"],
            ["store", "reseal", "STORE", "--key-file", "KEYS"],
            [
                "store", "reseal", "STORE", "--attribute", "Patient.note", "--to", "text | sealed(deterministic: true)",
                "--key-file", "KEYS",
            ],
            ["store", "migrate", "STORE", "--model", store.folder.path("clinic-2.json"), "--key-file", "KEYS"],
            ["store", "discard", "STORE", "--yes", "--key-file", "KEYS"],
            ["keys", "rotate", "KEYS"], ["store", "reseal", "STORE", "--key-file", "KEYS"],
        ]
        for verb in verbs {
            let run = try store.run(verb)
            #expect(run.status == 0, "\(run.messages)")
            #expect(try store.check().hasSuffix(" genuine"), "\(verb)")
        }
        let second = try key(store)
        #expect(second != first)
        #expect(try store.check().hasPrefix(second))
        #expect(try store.run(["keys", "retire", "KEYS", first, "--store", "STORE"]).status == 0)
        try store.sqlite("UPDATE _transformable_store SET format = 0")
        #expect(try store.check().hasSuffix(" not genuine"))
    }

    @Test(.enabled(if: AttackedStore.hasPython)) func acceptsASealOfAnIndependentProgram() throws {
        let store = try AttackedStore()
        try store.sqlite("CREATE VIEW Names AS SELECT name FROM Patient")
        #expect(try store.run(["store", "show", "STORE", "--key-file", "KEYS"]).status == 78)
        #expect(try store.check("--reseal").hasSuffix("2 genuine"))
        #expect(try store.run(["store", "show", "STORE", "--key-file", "KEYS"]).status == 0)
    }

    @Test(arguments: [nil, AttackedStore.model]) func openingAGenuineStoreChangesNothing(json: String?) throws {
        let store = try AttackedStore()
        let model = try json.map { try Model(json: Data($0.utf8)) }
        let (version, bytes) = (try store.schemaVersion(), try Data(contentsOf: URL(filePath: store.store)))
        for _ in 0..<2 {
            let opened = try store.open(model: model)
            #expect(opened.isAuthenticated)
            try opened.close()
            #expect(try Data(contentsOf: URL(filePath: store.store)) == bytes)
        }
        #expect(try store.schemaVersion() == version)
        #expect(try store.folder.names == ["clinic.json", "clinic.keys", "clinic.sqlite"])
    }

    @Test func acceptsAChangedModelOnce() throws {
        let store = try AttackedStore()
        try store.sqlite("CREATE VIEW Names AS SELECT name FROM Patient")
        let show = ["store", "show", "STORE", "Patient", "--key-file", "KEYS"]
        #expect(try store.run(show).status == 78)
        #expect(try store.run(show + ["--accept-model"]).status == 0)
        #expect(try store.run(show).status == 78)
        let seal = try store.run(["store", "seal", "STORE", "--key-file", "KEYS", "--accept-model"])
        #expect(try seal.output == "sealed with the key \(key(store))\n")
        #expect(try store.run(show).status == 0)
        let check = try store.run(["store", "seal", "STORE", "--key-file", "KEYS"])
        #expect(try check.output == "the seal matches; its key is \(key(store))\n")
        #expect(try store.open().isAuthenticated)
    }

    @Test(arguments: [
        "inspect STORE", "store show STORE", "store show STORE Patient", "store schema STORE", "store copy STORE COPY",
        "store verify STORE", "store get STORE Patient 1 name", "store discard STORE",
    ])
    func saysThatASealWasNotVerified(verb: String) throws {
        let store = try AttackedStore()
        let places = ["COPY": store.folder.path("copy.sqlite")]
        let verb = verb.split(separator: " ").map { places[String($0)] ?? String($0) }
        let text = "was not authenticated; to check its seal, use “store seal” with the key"
        let note = "note: the model in “\(store.store)” \(text)\n"
        #expect(try store.run(verb).messages.components(separatedBy: note).count == 2)
        try store.sqlite("DROP TABLE _transformable_seal")
        try? FileManager.default.removeItem(atPath: store.folder.path("copy.sqlite"))
        #expect(try !store.run(verb).messages.contains(note))
    }

    @Test func aVerifiedSealNeedsNoNote() throws {
        let store = try AttackedStore()
        for options in [["--key-file", "KEYS"], ["--model", "MODEL"], ["--accept-model"]] {
            let run = try store.run(["store", "show", "STORE"] + options)
            #expect(!run.messages.contains("was not authenticated"), "\(run.messages)")
        }
    }

    @Test func aStoreWithoutASealMustBeAccepted() throws {
        let store = try AttackedStore()
        try store.sqlite("DROP TABLE _transformable_seal")
        let error = #expect(throws: StoreError.self) { try store.open() }
        #expect(error?.code == .unauthenticatedModel)
        try store.open(Store.Options(opening: .mustExist, acceptsUnauthenticatedModel: true)).close()
        #expect(try store.open().isAuthenticated)
    }

    // The usual order on the command line: the store is created first, and a key is added with the first secret.
    @Test func aStoreCreatedWithoutAKeyIsSealedByTheFirstWriteWithOne() throws {
        let store = try AttackedStore()
        try FileManager.default.removeItem(atPath: store.store)
        #expect(try store.run(["store", "create", "STORE", "--model", "MODEL"]).status == 0)
        #expect(try store.run(["store", "show", "STORE", "--key-file", "KEYS"]).messages == "")
        let insert = ["store", "insert", "STORE", "Patient", "name=Ada", "note=x", "--key-file", "KEYS"]
        #expect(try store.run(insert).messages == "")
        try store.sqlite("UPDATE _transformable_projection SET keys = ''")
        #expect(try store.run(insert).status == 78)
    }

    @Test(arguments: [
        "CREATE TRIGGER spy AFTER INSERT ON Patient BEGIN SELECT 1; END",
        "UPDATE _transformable_projection SET fingerprint = 'x'",
        "CREATE VIEW a AS SELECT 1", "UPDATE _transformable_attribute SET signature = NULL",
        "INSERT INTO Patient (name) VALUES ('Eve')", "INSERT INTO Patient (name) VALUES ('Eve'); DELETE FROM Patient",
    ])
    func rejectsAModifiedStore(sql: String) throws {
        let store = try AttackedStore()
        try FileManager.default.removeItem(atPath: store.store)
        #expect(try store.run(["store", "create", "STORE", "--model", "MODEL"]).status == 0)
        try store.sqlite(sql)
        let insert = ["store", "insert", "STORE", "Patient", "name=Ada", "note=x", "--key-file", "KEYS"]
        #expect(try store.run(insert).status == 78)
    }

    @Test(arguments: ["store show STORE", "store verify STORE", "store sweep STORE --dry-run", "store discard STORE"])
    func withTheKeyReadingAModifiedStoreIsRejected(command: String) throws {
        let store = try AttackedStore()
        try store.sqlite("ALTER TABLE Patient ADD COLUMN extra")
        let run = try store.run(command.split(separator: " ").map(String.init) + ["--key-file", "KEYS"])
        #expect(run.status == 78)
    }

    @Test func withoutKeysAStoreHasAndNeedsNoSeal() throws {
        let store = try AttackedStore()
        try FileManager.default.removeItem(atPath: store.store)
        #expect(try store.run(["store", "create", "STORE", "--model", "MODEL"]).status == 0)
        #expect(try store.run(["store", "insert", "STORE", "Patient", "name=Ada"]).status == 0)
        try store.sqlite("CREATE VIEW Names AS SELECT name FROM Patient")
        #expect(try store.run(["store", "insert", "STORE", "Patient", "name=Bob"]).status == 0)
        #expect(try store.run(["store", "show", "STORE", "Patient", "--count"]).output == "2\n")
        #expect(try store.dump().range(of: Data("_transformable_seal".utf8)) == nil)
    }

    @Test func withoutTheKeyRowsCanBeWrittenButNotTables() throws {
        let store = try AttackedStore()
        #expect(try store.run(["store", "insert", "STORE", "Patient", "name=Eve"]).status == 0)
        let reseal = ["store", "reseal", "STORE", "--attribute", "Patient.name", "--to", "text"]
        #expect(try store.run(reseal).status == 77)
        let next = try store.folder.write(Data(Self.noNote.utf8), "clinic-2.json")
        #expect(try store.run(["store", "migrate", "STORE", "--model", next]).status == 77)
        #expect(try store.run(["store", "verify", "STORE", "--key-file", "KEYS"]).status == 0)
    }

    @Test func retiringAKeyCountsTheSeal() throws {
        let store = try AttackedStore()
        let first = try key(store)
        try store.sqlite("UPDATE Patient SET note = NULL, ssn = NULL; UPDATE Patient SET ssn_bi = NULL")
        let ring = try KeyRing(contentsOf: URL(filePath: store.keys)).rotatingKey()
        let keyless = try Store(
            at: URL(filePath: store.store),
            transformers: AttackedStore.registry(.empty),
            options: .readOnly
        )
        #expect(try keyless.sealKey() == first)
        let id = try #require(KeyID(first))
        #expect(try KeyUsage(of: [keyless]).seals == [id: 1])
        #expect(throws: TransformerError(.keyInUse, "")) { try ring.retiring(id, checking: [keyless]) }
    }

    // Ten million cells, which anyone could write there.
    @Test func aForgedCopyOfTheSealedContentIsNotRead() throws {
        let store = try AttackedStore()
        let number = { (value: UInt64) in withUnsafeBytes(of: value.littleEndian) { Data($0) } }
        var copy = Data("transformable store seal 1".utf8) + [1] + number(1) + [3] + number(5) + Data("store".utf8)
        copy += [1] + number(2_500_000) + Data(repeating: 5, count: 10_000_000)
        let path = try store.folder.write(copy, "copy")
        try store.sqlite("UPDATE _transformable_seal SET message = readfile('\(path)'), tag = zeroblob(32)")
        let clock = ContinuousClock()
        let time = clock.measure {
            let error = #expect(throws: StoreError.self) { try store.open() }
            #expect(error?.code == .unauthenticatedModel)
        }
        #expect(time < .seconds(5))
    }

    // MARK: - Keys

    private func sealKey(_ store: AttackedStore) throws -> String? {
        let registry = try AttackedStore.registry(.empty)
        return try Store(at: URL(filePath: store.store), transformers: registry, options: .readOnly).sealKey()
    }

    /// A file with the keys of the store and a newer one.
    private func rotatedKeys(_ store: AttackedStore) throws -> (file: String, key: String) {
        let file = store.folder.path("new.keys")
        try FileManager.default.copyItem(atPath: store.keys, toPath: file)
        #expect(try store.run(["keys", "rotate", file]).status == 0)
        let last = try KeyRing(contentsOf: URL(filePath: file)).generations(of: "default").last
        return (file, "\(try #require(last).id)")
    }

    @Test func programsWithTheFormerKeyCanReadUntilResealing() throws {
        let store = try AttackedStore()
        let (first, new) = try (key(store), rotatedKeys(store))
        let note = ["store", "get", "STORE", "Patient", "1", "note", "--key-file"]
        let next = try store.folder.write(Data(Self.noNote.utf8), "next.json")
        for verb in [["insert", "STORE", "Patient", "name=Cy", "note=x"], ["discard", "STORE", "--yes"]] {
            #expect(try store.run(["store"] + verb + ["--key-file", new.file]).status == 0)
            #expect(try sealKey(store) == first)
            #expect(try store.run(note + ["KEYS"]).output == AttackedStore.canary)
        }
        #expect(try store.run(["store", "reseal", "STORE", "--key-file", new.file]).status == 0)
        #expect(try sealKey(store) == new.key)
        #expect(try store.run(note + ["KEYS"]).status == 77)
        #expect(try store.run(["keys", "retire", new.file, first, "--store", "STORE"]).status == 0)
        #expect(try store.run(["store", "migrate", "STORE", "--model", next, "--key-file", new.file]).status == 0)
        #expect(try sealKey(store) == new.key)
    }

    @Test func anOlderCopyUnderARetiredKeyIsRefused() throws {
        let store = try AttackedStore()
        let (first, copy) = (try key(store), store.folder.path("copy.sqlite"))
        try FileManager.default.copyItem(atPath: store.store, toPath: copy)
        let new = try rotatedKeys(store)
        #expect(try store.run(["store", "reseal", "STORE", "--key-file", new.file]).status == 0)
        #expect(try store.run(["keys", "retire", new.file, first, "--store", "STORE"]).status == 0)
        let shown = try store.run(["store", "show", copy, "Patient", "--key-file", new.file])
        #expect(shown.status == 77)
        #expect(shown.messages.contains("the file is an older copy"))
        #expect(shown.messages.contains(first))
        // The key is not lost, so the message does not say what to do about a lost one.
        #expect(!shown.messages.contains("--lost-key"))
        let seal = try store.run(["store", "seal", copy, "--accept-model", "--key-file", new.file])
        #expect(seal.output == "sealed with the key \(new.key)\n")
    }

    @Test func rowsAndTheSealMoveToTheNewKeyTogether() throws {
        let store = try AttackedStore()
        let new = try rotatedKeys(store)
        let ring = try KeyRing(contentsOf: URL(filePath: new.file))
        let registry = try AttackedStore.registry(ring)
        let opened = try Store(at: URL(filePath: store.store), transformers: registry, options: .mustExist)
        #expect(try opened.sealKey() == key(store))
        #expect(try opened.reauthenticateRows() == 0)
        #expect(try opened.sealKey() == new.key)
        #expect(try opened.verify().isSound)
    }

    @Test func sealingMovesToTheNewKey() throws {
        let store = try AttackedStore()
        let new = try rotatedKeys(store)
        let seal = try store.run(["store", "seal", "STORE", "--key-file", new.file])
        #expect(seal.output == "sealed with the key \(new.key)\n")
        #expect(try sealKey(store) == new.key)
    }

    @Test func otherKeysReplaceASealOnlyIfItsKeyIsLost() throws {
        let store = try AttackedStore()
        let other = store.folder.path("other.keys")
        #expect(try store.run(["keys", "new", other]).status == 0)
        let before = try store.dump()
        let seal = ["store", "seal", "STORE", "--key-file", other]
        for verb in [seal, ["store", "insert", "STORE", "Patient", "name=Eve", "note=x", "--key-file", other]] {
            let run = try store.run(verb + ["--accept-model"])
            #expect(run.status == 77)
            #expect(run.messages.contains("--lost-key"))
        }
        #expect(try store.run(seal + ["--lost-key"]).status == 64)
        #expect(try store.dump() == before)
        #expect(try store.run(seal + ["--accept-model", "--lost-key"]).status == 0)
        #expect(try store.run(seal).status == 0)
        #expect(try store.run(["store", "seal", "STORE", "--key-file", "KEYS"]).status == 77)
    }

    @Test func aCheckChangesNothingInAnyJournalMode() throws {
        let store = try AttackedStore()
        try store.sqlite("PRAGMA journal_mode = delete")
        let bytes = try Data(contentsOf: URL(filePath: store.store))
        let run = try store.run(["store", "seal", "STORE", "--key-file", "KEYS"])
        #expect(try run.output == "the seal matches; its key is \(key(store))\n")
        #expect(try Data(contentsOf: URL(filePath: store.store)) == bytes)
        #expect(try store.folder.names == ["clinic.json", "clinic.keys", "clinic.sqlite"])
    }

    /// A user of the command line can follow the first advice, and a programmer the second one.
    @Test func aMissingSealNamesTheCommandBeforeTheOptionInCode() throws {
        let fixture = try StoreFixture()
        try fixture.insert("name=Ada")
        try fixture.sqlite("DELETE FROM _transformable_seal")
        let refused = try fixture.run("store", "show", fixture.store, "Patient", "--key-file", fixture.keyFile)
        #expect(refused.status == 78)
        let ways = "“store seal --accept-model” (in code: open it for writing with “acceptsUnauthenticatedModel”)"
        #expect(refused.messages.hasSuffix("accept it once with \(ways)\n"), "\(refused.messages)")
    }

    // MARK: - Models that are given

    private static let withKey: [String] = ["--key-file", "KEYS"]

    /// A use of each command that opens an existing store, except those that require a model.
    private static let verbs: [[String]] = [
        ["insert", "STORE", "Patient", "name=Eve", "note=x"] + withKey,
        ["import", "STORE", "Patient", "ROWS"] + withKey,
        ["set", "STORE", "Patient", "1", "note=x"] + withKey,
        ["update", "STORE", "Patient", "--where", "true", "note=x"] + withKey,
        ["delete", "STORE", "Patient", "1"] + withKey,
        ["show", "STORE", "Patient"] + withKey, ["get", "STORE", "Patient", "1", "note"] + withKey,
        ["fetch", "STORE", "--request", "all"] + withKey,
        ["schema", "STORE"],
        ["reseal", "STORE"] + withKey, ["verify", "STORE"] + withKey, ["copy", "STORE", "OUT"],
        ["export", "STORE", "--out", "OUT"] + withKey, ["discard", "STORE", "--yes"] + withKey, ["sweep", "STORE"],
        ["seal", "STORE"] + withKey,
    ]

    @Test(arguments: verbs) func aGivenModelTakesPrecedence(verb: [String]) throws {
        let store = try AttackedStore()
        let rows = try store.folder.write(Data("name,note\nEve,x\n".utf8), "rows.csv")
        let arguments = ["store"] + verb.map { $0 == "ROWS" ? rows : $0 }
        let before = try store.dump()
        for other in [
            AttackedStore.model.replacing(
                "\"note\", \"transformer\": \"text | sealed\"",
                with: "\"note\", \"type\": \"string\""
            ),
            Self.noNote,
            AttackedStore.model.replacing(
                "text | sealed\", \"optional\": true }",
                with: "text\", \"optional\": true }"
            ),
        ] {
            let path = try store.folder.write(Data(other.utf8), "other.json")
            #expect(try store.run(arguments + ["--model", path]).status == 78)
        }
        #expect(try store.dump() == before)
        let right = try store.run(arguments + ["--model", "MODEL"])
        #expect(right.status == 0, "\(right.messages)")
    }

    @Test func everyCommandAcceptsAModel() throws {
        let help = try AttackedStore.run(["store", "--help"]).output
        let list = help.split(separator: "SUBCOMMANDS:").last ?? ""
        let names = Set(list.matches(of: #/\n {2}([a-z]+) /#).map { String($0.1) })
        #expect(names == Set(Self.verbs.map { $0[0] } + ["create", "migrate", "adopt"]))
        for name in names {
            #expect(try AttackedStore.run(["store", name, "--help"]).output.contains("--model <file>"), "\(name)")
        }
    }

    @Test func publicKeysRequireAModel() throws {
        let folder = try TemporaryFolder()
        let (store, pair, open) = (folder.path("inbox.sqlite"), folder.path("pair.keys"), folder.path("public.keys"))
        let json = """
            { "transformableModel": 1, "entities": [ { "name": "Message", "attributes": [
                { "name": "text", "transformer": "text | sealed(to: \\"inbox\\")", "optional": true } ] } ] }
            """
        let model = try folder.write(Data(json.utf8), "inbox.json")
        let ring = try KeyRing.empty.addingKeyPair(named: "inbox")
        try ring.write(to: URL(filePath: pair))
        try ring.publicPart().write(to: URL(filePath: open))
        let create = ["store", "create", store, "--model", model, "--key-file", open]
        #expect(try AttackedStore.run(create).status == 0)
        let insert = ["store", "insert", store, "Message", "text=hello", "--key-file", open]
        #expect(try AttackedStore.run(insert).status == 78)
        #expect(try AttackedStore.run(insert + ["--model", model]).status == 0)
    }
}
