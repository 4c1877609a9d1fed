import Foundation
import Testing

/// `--dry-run`: everything is checked, reported, and rolled back.
@Suite struct DryRunTests {
    private let fixture: StoreFixture
    private let family: String

    private static let model = """
        { "transformableModel": 1, "entities": [
          { "name": "Doctor", "attributes": [ { "name": "name", "type": "string" } ],
            "relationships": [ { "name": "patients", "to": "Patient", "many": true, "inverse": "doctor",
                "onDelete": "cascade" } ] },
          { "name": "Patient", "attributes": [ { "name": "name", "type": "string" } ],
            "relationships": [ { "name": "doctor", "to": "Doctor", "optional": true, "inverse": "patients" },
              { "name": "visits", "to": "Visit", "many": true, "inverse": "patient" } ] },
          { "name": "Visit", "attributes": [ { "name": "reason", "type": "string" } ],
            "relationships": [ { "name": "patient", "to": "Patient", "optional": true, "inverse": "visits" } ] }
        ] }
        """

    init() throws {
        fixture = try StoreFixture()
        try fixture.insert("name=Ada", "age=36", "ssn=123")
        try fixture.insert("name=Bob", "age=20", "ssn=456")
        family = fixture.folder.path("family.sqlite")
        let made = try CommandRun("store", "create", family, "--model", "-", input: Data(Self.model.utf8))
        #expect(made.messages == "")
    }

    /// The whole contents of a store: its rows, and the files next to it.
    private func state() throws -> [String] {
        let shown = try fixture.run("store", "show", fixture.store, "Patient", "--csv").output
        return try [shown] + fixture.folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    struct Trial: CustomTestStringConvertible {
        let arguments: [String]
        let output: String
        let testDescription: String

        init(_ arguments: String..., output: String) {
            self.arguments = arguments
            self.output = output
            testDescription = arguments.joined(separator: " ")
        }
    }

    @Test(arguments: [
        Trial("insert", "Patient", "name=Cid", output: "would insert 1 object of Patient\n"),
        Trial("set", "Patient", "1", "age=37", output: "would change 1 object of Patient\n"),
        Trial("update", "Patient", "--where", "true", "age=1", output: "would change 2 objects of Patient\n"),
        Trial("update", "Patient", "--where", "false", "age=1", output: "nothing would change\n"),
        Trial("delete", "Patient", "1", output: "would delete 1 object of Patient\n"),
        Trial("delete", "Patient", "--where", "age < 30", output: "would delete 1 object of Patient\n"),
        Trial("import", "Patient", "--format", "csv", output: "would insert 3 objects of Patient\n"),
        Trial("reseal", "--attribute", "Patient.ssn", output: "Patient.ssn: would rewrite 2 values\n"),
        Trial("reseal", output: "Patient.ssn: would rewrite 2 values\n"),
        Trial("reseal", "--attribute", "Patient.ssn", "--plain", output: "Patient.ssn: would rewrite 2 values\n"),
        Trial("sweep", output: "would remove 0 files\n"), Trial("discard", output: "there is nothing to remove\n"),
    ])
    func printsChangesWithoutMakingThem(trial: Trial) throws {
        let before = try state()
        let sealed = try fixture.get(1, "ssn", "--hex").output
        let keys = ["sweep", "discard"].contains(trial.arguments[0]) ? [] : ["--key-file", fixture.keyFile]
        let arguments =
            ["store", trial.arguments[0], fixture.store] + trial.arguments.dropFirst() + ["--dry-run"] + keys
        let run = try fixture.run(arguments: arguments, input: Data("name\nCid\nDot\nEve\n".utf8))
        #expect(run.output == trial.output)
        // The store is sealed.
        let text = "was not authenticated; to check its seal, use “store seal” with the key\n"
        #expect(run.messages == (keys.isEmpty ? "note: the model in “\(fixture.store)” \(text)" : ""))
        #expect(run.status == 0)
        #expect(try state() == before)
        #expect(try fixture.get(1, "ssn", "--hex").output == sealed)
    }

    @Test(arguments: [
        Refusal(65, "insert", "Patient", "name=Ada"), Refusal(65, "set", "Patient", "2", "name=Ada"),
        Refusal(65, "update", "Patient", "--where", "true", "name=x"), Refusal(66, "delete", "Patient", "9"),
        Refusal(65, "insert", "Patient", "age=old"), Refusal(65, "import", "Patient", "--format", "csv"),
        Refusal(64, "reseal", "--scrub"), Refusal(64, "discard", "--yes"),
    ])
    func failsLikeTheChange(refusal: Refusal) throws {
        let before = try state()
        let arguments = ["store", refusal.arguments[0], fixture.store] + refusal.arguments.dropFirst() + ["--dry-run"]
        let run = try fixture.run(arguments: arguments, input: Data("name\nCid\nAda\n".utf8))
        #expect(run.status == refusal.status, "\(run.messages)")
        #expect(run.output == "")
        #expect(try state() == before)
    }

    @Test func countsObjectsDeletedByDeleteRules() throws {
        for (entity, values) in [
            ("Doctor", ["name=Who"]), ("Patient", ["name=Ada", "doctor=1"]), ("Patient", ["name=Bob", "doctor=1"]),
            ("Visit", ["reason=cough", "patient=2"]),
        ] {
            #expect(try CommandRun(arguments: ["store", "insert", family, entity] + values).messages == "")
        }
        let run = try CommandRun("store", "delete", family, "Doctor", "1", "--dry-run")
        #expect(
            run.output == """
                would change 1 object of Visit
                would delete 1 object of Doctor
                would delete 2 objects of Patient

                """
        )
        #expect(try CommandRun("store", "show", family, "Patient", "--count").output == "2\n")
        #expect(try CommandRun("store", "show", family, "Visit", "--count", "--where", "patient == 2").output == "1\n")
    }

    @Test func removesBlobsAndSweepsOrphans() throws {
        let store = fixture.folder.path("large.sqlite")
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "File", "attributes": [
              { "name": "bytes", "type": "data", "externalStorage": { "over": 10 } } ] } ] }
            """
        #expect(try CommandRun("store", "create", store, "--model", "-", input: Data(model.utf8)).status == 0)
        let insertion = ["store", "insert", store, "File", "bytes=\(String(repeating: "x", count: 100))"]
        #expect(try CommandRun(arguments: insertion).output == "1\n")
        func blobs() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: store + "-blobs").filter { $0 != "unfinished" }
        }
        let blob = try blobs()
        #expect(blob.count == 1)
        #expect(try CommandRun(arguments: insertion + ["--dry-run"]).output == "would insert 1 object of File\n")
        #expect(try blobs() == blob)

        for _ in 0..<2 { try Data("orphan".utf8).write(to: URL(filePath: "\(store)-blobs/\(UUID().uuidString)")) }
        try Data("not ours".utf8).write(to: URL(filePath: "\(store)-blobs/README"))
        #expect(try CommandRun("store", "sweep", store, "--dry-run").output == "would remove 2 files\n")
        #expect(try blobs().count == 4)
        #expect(try CommandRun("store", "sweep", store).output == "removed 2 files\n")
        #expect(try Set(blobs()) == Set(blob + ["README"]))
        #expect(try CommandRun("store", "sweep", store).output == "removed 0 files\n")
        #expect(try CommandRun("store", "verify", store).output == "1 object, 1 external blob: sound\n")
        #expect(try CommandRun("store", "sweep", fixture.folder.path("none")).status == 66)
    }

    private static let indexed = """
        { "transformableModel": 1, "entities": [ { "name": "Patient", "attributes": [
          { "name": "age", "type": "int64", "maximum": 120, "optional": true },
          { "name": "ssn", "transformer": "text | sealed", "optional": true, "projections": [
            { "name": "ssn_index", "transformer": "text | blind-index(bits: 8)" } ] } ] } ] }
        """

    // Opening the store records the new key of the index, and takes rules from the model.
    @Test(arguments: [
        ["insert", "STORE", "Patient", "ssn=3"], ["update", "STORE", "Patient", "--where", "true", "ssn=3"],
        ["delete", "STORE", "Patient", "1"], ["reseal", "STORE"], ["reseal", "STORE", "--abort"],
    ])
    func changesNeitherKeysNorRules(arguments: [String]) throws {
        let (store, old) = (fixture.folder.path("indexed.sqlite"), fixture.folder.path("old.keys"))
        let newer = Self.indexed.replacing("120", with: "150")
        let model = try fixture.folder.write(Data(newer.utf8), "newer.json")
        let keys = ["--key-file", fixture.keyFile]
        let creation = ["store", "create", store, "--model", "-"] + keys
        #expect(try fixture.run(arguments: creation, input: Data(Self.indexed.utf8)).status == 0)
        #expect(try fixture.run(arguments: ["store", "insert", store, "Patient", "ssn=1"] + keys).status == 0)
        try FileManager.default.copyItem(atPath: fixture.keyFile, toPath: old)
        #expect(try fixture.run("keys", "rotate", fixture.keyFile).status == 0)
        let command =
            ["store"] + arguments.map { $0.replacing("STORE", with: store) } + ["--dry-run", "--model", model]
        #expect(try fixture.run(arguments: command + keys).status == 0)
        let search = ["store", "show", store, "Patient", "--count", "--where", "ssn == '1'", "--key-file", old]
        #expect(try fixture.run(arguments: search).output == "1\n")
        #expect(try fixture.run("store", "schema", store, "--json").output.contains("120"))
    }

    /// The projection is recomputed when the store is opened for writing, which a dry run does not do.
    @Test func anOutdatedProjectionAsksForARealRun() throws {
        let store = fixture.folder.path("notes.sqlite")
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "Note", "attributes": [
              { "name": "title", "type": "string", "projections": [ { "name": "key", "transformer": "text" } ] } ] } ] }
            """
        #expect(try CommandRun("store", "create", store, "--model", "-", input: Data(model.utf8)).status == 0)
        #expect(try CommandRun("store", "insert", store, "Note", "title=a").status == 0)
        try fixture.sqlite("UPDATE _transformable_projection SET fingerprint = 'former'", in: store)
        let run = try CommandRun("store", "insert", store, "Note", "title=b", "--dry-run")
        #expect(run.status == 78)
        #expect(run.messages.contains("with the keys of all values (without “--dry-run”)"), "\(run.messages)")
        #expect(try CommandRun("store", "insert", store, "Note", "title=b").output == "2\n")
        let again = try CommandRun("store", "insert", store, "Note", "title=c", "--dry-run")
        #expect(again.output == "would insert 1 object of Note\n")
    }

    @Test func reportsValuesThatCannotBeResealed() throws {
        try fixture.sqlite("UPDATE Patient SET ssn = x'0011' WHERE _id = 2")
        let run = try fixture.run("store", "reseal", fixture.store, "--dry-run", "--key-file", fixture.keyFile)
        #expect(run.output == "Patient.ssn: would rewrite 1 value\n")
        #expect(run.messages.contains("Patient.ssn"))
        #expect(run.status == 1)
    }
}
