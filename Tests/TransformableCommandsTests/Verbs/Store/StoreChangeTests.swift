import Foundation
import Testing

struct StoreChangeTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        for (name, age) in [("Ada", 36), ("Bob", 20), ("Cid", 36)] { try fixture.insert("name=\(name)", "age=\(age)") }
    }

    private func rows() throws -> [Substring] {
        Array(
            try fixture.run("store", "show", fixture.store, "Patient", "--csv").output.split(separator: "\r\n")
                .dropFirst()
        )
    }

    private func store(_ verb: String, _ arguments: String...) throws -> CommandRun {
        try fixture.run(arguments: ["store", verb, fixture.store] + arguments)
    }

    @Test func setsAndRemovesValues() throws {
        let scan = try fixture.folder.write(Data([1, 2]), "scan")
        let run = try store("set", "Patient", "2", "name=@@b", "scan=@\(scan)", "--null", "age")
        #expect(run.messages == "")
        #expect(run.output == "")
        #expect(try fixture.get(2, "name").output == "@b")
        #expect(try fixture.get(2, "scan", "--hex").output == "0102\n")
        #expect(try fixture.get(2, "age").status == 66)
        #expect(try store("set", "Patient", "2", "name=").status == 0)
        #expect(try fixture.get(2, "name").output == "")
    }

    @Test func ignoresTheNewlineAfterPlainValues() throws {
        let weight = try fixture.folder.write(Data("1.5\r\n".utf8), "weight")
        let run = try fixture.run(
            "store",
            "set",
            fixture.store,
            "Patient",
            "2",
            "age=@-",
            "weight=@\(weight)",
            input: Data("42\n".utf8)
        )
        #expect(run.messages == "")
        #expect(try fixture.get(2, "age").output == "42\n")
        #expect(try fixture.get(2, "weight").output == "1.5\n")
        let line = Data("Eve\n".utf8)
        #expect(try fixture.run("store", "set", fixture.store, "Patient", "2", "name=@-", input: line).messages == "")
        #expect(try fixture.get(2, "name").outputBytes == line)
    }

    @Test(arguments: [
        Refusal(64, "Patient", "2"), Refusal(64, "Patient", "2", "nme=a"), Refusal(64, "Patient", "2", "name"),
        Refusal(64, "Patient", "x", "name=a"), Refusal(66, "Patient", "9", "name=a"),
        Refusal(66, "Person", "2", "name=a"),
        Refusal(65, "Patient", "2", "age=old"), Refusal(65, "Patient", "2", "name=Ada"),
        Refusal(65, "Patient", "2", "--null", "name"), Refusal(64, "Patient", "2", "--null", "nme"),
        Refusal(64, "Patient", "2", "age=1", "--null", "age"), Refusal(77, "Patient", "2", "ssn=123"),
    ])
    func rejectsInvalidValues(refusal: Refusal) throws {
        try expectUnchanged(refusal, "set")
    }

    @Test(arguments: [["set", "Patient", "1"], ["update", "Patient", "--where", "name == 'Ada'"]])
    func replacesDamagedBytesOnRequest(verb: [String]) throws {
        try fixture.sqlite("UPDATE Patient SET bed = x'00FF' WHERE _id = 1")
        func change(_ options: String...) throws -> CommandRun {
            let object = verb.dropFirst() + ["bed={{0, 0}, {2, 1}}"]
            return try fixture.run(arguments: ["store", verb[0], fixture.store] + object + options)
        }
        let run = try change()
        #expect(run.status == 65)
        #expect(run.messages.contains("replace the value with --replace-damaged (in code: “replaceValue”)"))
        #expect(try fixture.get(1, "bed").status == 65)
        #expect(try change("--replace-damaged").messages == "")
        #expect(try fixture.get(1, "bed").output == "{{0, 0}, {2, 1}}\n")
    }

    /// The value is the stored one, but its index is not the one that belongs to it.
    @Test(arguments: [["set", "STORE", "Patient", "1"], ["update", "STORE", "Patient", "--where", "name == 'Ada'"]])
    func replacesAWrongIndexOnRequest(verb: [String]) throws {
        let store = try AttackedStore()
        let keys = ["--key-file", "KEYS"]
        try store.sqlite("UPDATE Patient SET ssn_bi = ssn_bi + 1 WHERE _id = 1")
        let run = try store.run(["store", "verify", "STORE"] + keys)
        #expect(run.status == 1)
        #expect(run.output.contains("--replace-damaged") && run.output.contains("store reseal"))
        let change = ["store"] + verb + ["ssn=\(AttackedStore.canary)", "--replace-damaged"] + keys
        #expect(try store.run(change).status == 0)
        #expect(try store.run(["store", "verify", "STORE"] + keys).status == 0)
    }

    @Test func updatesSelectedObjects() throws {
        #expect(
            try store("update", "Patient", "--where", "age > 30", "age=40", "weight=1.5").output
                == "2 objects updated\n"
        )
        #expect(try rows() == ["1,Ada,40,1.5,,,,,", "2,Bob,20,,,,,,", "3,Cid,40,1.5,,,,,"])
        #expect(try store("update", "Patient", "--where", "true", "--null", "age").output == "3 objects updated\n")
        #expect(try store("update", "Patient", "--where", "age = 1", "age=2").output == "0 objects updated\n")
    }

    @Test(arguments: [
        Refusal(64, "Patient", "age=1"), Refusal(64, "Patient", "--where", "true"),
        Refusal(64, "Patient", "--where", "age >", "age=1"), Refusal(64, "Patient", "--where", "nme = 1", "age=1"),
        Refusal(66, "Person", "--where", "true", "age=1"), Refusal(65, "Patient", "--where", "true", "name=same"),
        Refusal(65, "Patient", "--where", "true", "age=old"),
        Refusal(64, "Patient", "--where", String(repeating: "(", count: 80) + "true", "age=1"),
    ])
    func rejectsInvalidUpdates(refusal: Refusal) throws {
        try expectUnchanged(refusal, "update")
    }

    @Test func deletes() throws {
        #expect(try store("delete", "Patient", "1", "3", "1").output == "2 objects deleted\n")
        #expect(try rows() == ["2,Bob,20,,,,,,"])
        #expect(try store("delete", "Patient", "--where", "age < 30").output == "1 object deleted\n")
        #expect(try rows() == [])
    }

    @Test(arguments: [
        Refusal(64, "Patient"), Refusal(64, "Patient", "1", "--where", "true"), Refusal(66, "Patient", "1", "9"),
        Refusal(66, "Person", "--where", "true"), Refusal(64, "Patient", "--where", "nme = 1"),
        Refusal(64, "Patient", "x"),
    ])
    func rejectsInvalidDeletions(refusal: Refusal) throws {
        try expectUnchanged(refusal, "delete")
    }

    private func expectUnchanged(_ refusal: Refusal, _ verb: String) throws {
        let before = try rows()
        let run = try fixture.run(arguments: ["store", verb, fixture.store] + refusal.arguments)
        #expect(run.status == refusal.status, "\(run.messages)")
        #expect(run.output == "")
        #expect(run.messages.split(separator: "\n").count == 1)
        #expect(try rows() == before)
    }

    /// Plain values can be changed without the program that wrote the store.
    @Test func changesAStoreOfAnotherProgram() throws {
        try fixture.insert("name=x", "bed={{0, 0}, {2, 1}}")
        #expect(try CommandRun("store", "set", fixture.store, "Patient", "4", "name=y").messages == "")
        #expect(try CommandRun("store", "set", fixture.store, "Patient", "4", "bed={{0, 0}, {2, 1}}").status == 78)
        #expect(try fixture.get(4, "bed").output == "{{0, 0}, {2, 1}}\n")
        #expect(try CommandRun("store", "delete", fixture.store, "Patient", "4").status == 0)
    }
}

struct StoreSchemaTests {
    private static let model = """
        { "transformableModel": 1, "version": 3, "entities": [
          { "name": "Being", "abstract": true, "attributes": [ { "name": "name", "type": "string", "indexed": true } ],
            "unique": [["name"]] },
          { "name": "Patient", "parent": "Being", "attributes": [
            { "name": "bed", "transformer": "text", "optional": true } ], "unique": [["name", "ward"]],
            "relationships": [ { "name": "ward", "to": "Ward" } ] },
          { "name": "Doctor", "parent": "Being", "attributes": [ { "name": "room", "type": "int16", "default": 1 } ] },
          { "name": "Ward", "relationships": [
            { "name": "patients", "to": "Patient", "many": true, "inverse": "ward", "deleteRule": "deny" } ] }
        ] }
        """
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        let model = try folder.write(Data(Self.model.utf8), "clinic.json")
        #expect(try CommandRun("store", "create", store, "--model", model).messages == "")
    }

    @Test func theSchemaCanBeUsedToCreateAStore() throws {
        let json = try CommandRun("store", "schema", store, "--json")
        let copy = folder.path("copy.sqlite")
        let made = try CommandRun("store", "create", copy, "--model", "-", input: json.outputBytes)
        #expect(made.messages == "")
        #expect(try CommandRun("store", "schema", copy, "--json").output == json.output)
    }

    @Test func showsNumbersAndSignatures() throws {
        let text = try CommandRun("store", "schema", store).output
        #expect(text.contains("model version 3"))
        #expect(text.contains("Patient of Being\n  name  1  string"))
        #expect(text.contains("  bed   2  text = text/1"))
        #expect(text.contains("  ward to Ward\n  unique together: name\n  unique together: name, ward"))
        #expect(text.contains("  patients to many Patient, inverse ward, delete rule deny"))
    }

    @Test func showsAFamily() throws {
        #expect(try CommandRun("store", "insert", store, "Doctor", "name=Who").messages == "")
        #expect(try CommandRun("store", "insert", store, "Patient", "name=Ada", "bed=x").messages == "")
        let shown = try CommandRun("store", "show", store, "Being", "--csv", "--sort", "name").output
        #expect(shown == "_id,entity,name\r\n1,Patient,Ada\r\n1,Doctor,Who\r\n")
        #expect(try CommandRun("store", "update", store, "Being", "--where", "true", "name=x").output.hasPrefix("2 "))
        #expect(try CommandRun("store", "insert", store, "Being", "name=x").status == 64)
        #expect(try CommandRun("store", "delete", store, "Being", "--where", "true").output.hasPrefix("2 "))
    }

    @Test func errorsNameTheRowWithADanglingReference() throws {
        #expect(try CommandRun("store", "insert", store, "Ward").output == "1\n")
        let rows = Data("name,ward\na,1\nb,1\nc,7\nd,1\n".utf8)
        let run = try CommandRun("store", "import", store, "Patient", "--format", "csv", input: rows)
        #expect(run.status == 65)
        let reason = "it refers to an object of Ward that does not exist, or that the same change deletes"
        #expect(run.messages == "error: line 4: Patient.ward: \(reason)\n")
        let set = try CommandRun("store", "insert", store, "Patient", "name=a", "ward=one")
        #expect(set.messages == "error: the value of “ward” must be the number of a Ward\n")
    }

    @Test func changesNothingInAReadOnlyFolder() throws {
        #expect(try CommandRun("store", "insert", store, "Ward").status == 0)
        #expect(chmod(folder.url.path, 0o500) == 0)
        defer { chmod(folder.url.path, 0o700) }
        #expect(try CommandRun("store", "schema", store).status == 0)
        #expect(try CommandRun("store", "show", store, "Ward", "--csv").output == "_id,patients\r\n1,\r\n")
    }
}
