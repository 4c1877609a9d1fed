import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableStore

/// Authenticated rows on the command line.
@Suite struct RowVerbTests {
    private static let model = AttackedStore.model
        .replacing("\"name\": \"Patient\",", with: "\"name\": \"Patient\", \"authenticatesRows\": true,")

    private func filled() throws -> AttackedStore {
        let store = try AttackedStore()
        try FileManager.default.removeItem(atPath: store.store)
        try store.folder.write(Data(Self.model.utf8), "clinic.json")
        for verb in [
            ["store", "create", "STORE", "--model", "MODEL", "--key-file", "KEYS"],
            ["store", "insert", "STORE", "Patient", "name=Ada", "ssn=123", "--key-file", "KEYS"],
            ["store", "insert", "STORE", "Patient", "name=Bob", "--key-file", "KEYS"],
        ] {
            let run = try store.run(verb)
            try #require(run.status == 0, "\(run.messages)")
        }
        return store
    }

    @Test(arguments: [
        ["store", "show", "STORE", "Patient", "--key-file", "KEYS"],
        ["store", "get", "STORE", "Patient", "1", "name", "--key-file", "KEYS"],
        ["store", "set", "STORE", "Patient", "1", "name=Eve", "--key-file", "KEYS"],
        ["store", "update", "STORE", "Patient", "--where", "true", "name=Eve", "--key-file", "KEYS"],
        ["store", "delete", "STORE", "Patient", "1", "--key-file", "KEYS"],
        ["store", "export", "STORE", "--out", "OUT", "--key-file", "KEYS"],
        ["store", "reseal", "STORE", "--key-file", "KEYS"],
    ])
    func everyCommandRejectsAForgedRow(verb: [String]) throws {
        let store = try filled()
        try store.sqlite("UPDATE Patient SET ssn_bi = 0, name = 'Mallory' WHERE _id = 1")
        let before = try store.dump()
        let run = try store.run(verb)
        #expect(run.status == 78)
        #expect(run.messages.contains("Patient, object 1"))
        #expect(!run.messages.contains("Mallory"))
        #expect(!run.output.contains("Mallory"))
        if verb[1] != "reseal" { #expect(try store.dump() == before) }
    }

    @Test func verifyNamesTheRows() throws {
        let store = try filled()
        try store.sqlite("UPDATE Patient SET name = 'Mallory' WHERE _id = 2")
        let run = try store.run(["store", "verify", "STORE", "--json", "--key-file", "KEYS"])
        #expect(run.status == 1)
        #expect(run.output.contains("\"code\":\"unauthenticated-row\"") || run.output.contains("unauthenticated-row"))
        #expect(run.output.contains("\"id\" : 2") || run.output.contains("\"id\":2"))
        #expect(!run.output.contains("Mallory"))
    }

    /// Anyone can put the identifier of an unknown key in front of a tag.
    @Test(arguments: [
        ["store", "show", "STORE", "Patient", "--key-file", "KEYS"],
        ["store", "set", "STORE", "Patient", "1", "name=Eve", "--key-file", "KEYS"],
        ["store", "export", "STORE", "--out", "OUT", "--key-file", "KEYS"],
    ])
    func everyCommandRejectsARowWithAnUnknownKey(verb: [String]) throws {
        let store = try filled()
        try store.sqlite("UPDATE Patient SET name = 'Mallory', _mac = randomblob(24) WHERE _id = 1")
        let run = try store.run(verb)
        #expect(run.status == 77)
        #expect(run.messages.contains("Patient, object 1: the row cannot be checked"))
        let causes = "either the key ring is outdated, or the row was changed without the store's key"
        #expect(run.messages.contains(causes))
        #expect(!run.output.contains("Mallory"))
    }

    @Test func verifyCountsARowWithAnUnknownKeyAsAFault() throws {
        let store = try filled()
        try store.sqlite("UPDATE Patient SET name = 'Mallory', _mac = randomblob(24) WHERE _id = 1")
        let run = try store.run(["store", "verify", "STORE", "--key-file", "KEYS"])
        #expect(run.status == 1)
        #expect(run.output.contains("Patient, object 1: the row cannot be checked"))
        #expect(run.output.hasSuffix("2 objects, 0 external blobs: 1 fault\n"))
    }

    @Test func rowsAreAcceptedOnce() throws {
        let store = try filled()
        try store.sqlite("UPDATE Patient SET name = 'Eve' WHERE _id = 2")
        let show = ["store", "show", "STORE", "Patient", "--key-file", "KEYS"]
        #expect(try store.run(show).status == 78)
        #expect(try store.run(["store", "seal", "STORE", "--key-file", "KEYS"]).status == 0)
        #expect(try store.run(show).status == 78)
        #expect(try store.run(["store", "seal", "STORE", "--accept-rows", "--key-file", "KEYS"]).status == 0)
        #expect(try store.run(show).output.contains("Eve"))
        #expect(try store.run(["store", "verify", "STORE", "--key-file", "KEYS"]).status == 0)
    }

    @Test func writingRequiresTheKey() throws {
        let store = try filled()
        #expect(try store.run(["store", "insert", "STORE", "Patient", "name=Eve"]).status == 77)
        #expect(try store.run(["store", "show", "STORE", "Patient"]).status == 0)
        #expect(try store.run(["store", "create", "OUT", "--model", "MODEL"]).status == 77)
    }

    @Test func aSweepAcceptsTheKey() throws {
        let store = try filled()
        let run = try store.run(["store", "sweep", "STORE", "--key-file", "KEYS"])
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == "removed 0 files\n")
        #expect(try store.run(["store", "sweep", "STORE"]).status == 77)
        #expect(try store.run(["store", "sweep", "STORE", "--dry-run"]).status == 0)
    }

    @Test(arguments: [["verify", "STORE"], ["show", "STORE", "Patient"]])
    func notesThatRowsCannotBeCheckedWithoutAKey(verb: [String]) throws {
        let store = try filled()
        let note = "note: Patient: its rows cannot be checked, because there is no key\n"
        #expect(try store.run(["store"] + verb).messages.contains(note))
        #expect(try !store.run(["store"] + verb + ["--key-file", "KEYS"]).messages.contains("not checked"))
    }

    /// A script must not retire a key that the table lists as needed.
    @Test func listingKeysCountsRowsAndSeals() throws {
        let store = try filled()
        let run = try store.run(["keys", "list", "KEYS", "--store", "STORE", "--json"])
        let list = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        let key = try #require((list["keys"] as? [[String: Any]])?.first)
        #expect(key["rows"] as? Int == 2)
        #expect(key["seals"] as? Int == 1)
        #expect(key["keptAside"] as? Int == 0)
        #expect(list["unknown"] as? [String] == [])
        let needs = "1 value, the index Patient.ssn_bi, the seal of a store, and 2 authenticated rows"
        #expect(try store.run(["keys", "list", "KEYS", "--store", "STORE"]).output.contains(needs))
    }

    @Test func theSchemaShowsAuthenticatedEntities() throws {
        let store = try filled()
        #expect(try store.run(["store", "schema", "STORE"]).output.contains("rows are authenticated"))
    }

    @Test func resealingAllowsRetiringAKey() throws {
        let store = try filled()
        let ring = try KeyRing(contentsOf: URL(filePath: store.keys))
        let first = try #require(ring.generations(of: "default").last.map { "\($0.id)" })
        #expect(try store.run(["keys", "rotate", "KEYS"]).status == 0)
        let retire = ["keys", "retire", "KEYS", first, "--store", "STORE"]
        #expect(try store.run(retire).messages.contains("authenticated row"))
        let reseal = try store.run(["store", "reseal", "STORE", "--key-file", "KEYS"])
        #expect(reseal.status == 0, "\(reseal.messages)")
        #expect(try store.run(retire).status == 0)
        #expect(try store.run(["store", "verify", "STORE", "--key-file", "KEYS"]).status == 0)
    }
}
