import EncryptionPlugin
import Foundation
import GeometryPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// A store of sealed numbers whose keys are rotated.
struct ResealCommandTests {
    private let folder: TemporaryFolder
    private let store: String
    private let keys: String

    private static let model = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Patient", "attributes": [
            { "name": "name", "type": "string" },
            { "name": "born", "type": "string", "optional": true },
            { "name": "note", "transformer": "text", "optional": true },
            { "name": "ssn", "transformer": "text | sealed", "optional": true, "projections": [
              { "name": "ssn_index", "transformer": "blind-index(bits: 16)", "indexed": true } ] } ],
            "projections": [
              { "name": "both", "attributes": ["ssn", "born"], "transformer": "blind-index(bits: 16)",
                "indexed": true } ] },
          { "name": "Visit", "attributes": [ { "name": "ssn", "transformer": "text | sealed" } ] } ] }
        """

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        keys = folder.path("clinic.keys")
        let model = try folder.write(Data(Self.model.utf8), "clinic.json")
        #expect(try run("keys", "new", keys).status == 0)
        #expect(try run("store", "create", store, "--model", model, "--key-file", keys).messages == "")
        for (name, ssn) in [("Ada", "123-45-6789"), ("Bea", "987-65-4321")] {
            let values = ["name=\(name)", "ssn=\(ssn)", "born=1990", "note=plain text of \(name)"]
            let inserted = try run(arguments: ["store", "insert", store, "Patient", "--key-file", keys] + values)
            #expect(inserted.messages == "")
        }
    }

    private func run(_ arguments: String...) throws -> CommandRun { try run(arguments: arguments) }

    private func run(arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments: arguments) { keys in
            try TransformerRegistry {
                SamplePlugin()
                GeometryPlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    private func find(_ condition: String, keys: String? = nil) throws -> CommandRun {
        try run("store", "show", store, "Patient", "--where", condition, "--key-file", keys ?? self.keys, "--json")
    }

    /// The identifiers of the default key's generations, oldest first.
    private func ids() throws -> [String] {
        try KeyRing(contentsOf: URL(filePath: keys)).generations(of: "default").map { "\($0.id)" }
    }

    @Test func rotatesResealsAndRetires() throws {
        let rotated = try run("keys", "rotate", keys)
        #expect(rotated.status == 0)
        let (old, new) = try (ids()[0], ids()[1])
        #expect(rotated.output.contains(old) && rotated.output.contains(new))
        #expect(try find("ssn == '123-45-6789'").output.contains("Ada"))

        let denied = try run("keys", "retire", keys, old, "--store", store)
        #expect(denied.status == 65)
        #expect(denied.messages.contains("2 values"))

        let resealed = try run("store", "reseal", store, "--key-file", keys)
        #expect(resealed.status == 0)
        #expect(resealed.messages == "")
        #expect(resealed.output.contains("Patient.ssn: 2 values"))
        #expect(resealed.output.contains("no value in this store uses the key \(old) of “default”"))

        let listed = try run("keys", "list", keys, "--store", store)
        #expect(listed.output.split(separator: "\n").contains { $0.contains(old) && $0.hasSuffix("nothing") })
        #expect(listed.output.split(separator: "\n").contains { $0.contains(new) && $0.contains("2 values") })
        #expect(try run("keys", "retire", keys, old, "--store", store).status == 0)
        for condition in ["ssn == '123-45-6789'", "ssn == '123-45-6789' and born == '1990'"] {
            let found = try find(condition)
            #expect(found.status == 0)
            #expect(found.output.contains("Ada") && !found.output.contains("Bea"))
        }
        #expect(try run("keys", "retire", keys, old, "--undo").status == 0)
    }

    @Test func reportsADifferentKeyRing() throws {
        let other = folder.path("other.keys")
        #expect(try run("keys", "new", other).status == 0)
        for condition in ["ssn == '123-45-6789'", "ssn == '0' and born == '1'"] {
            let run = try find(condition, keys: other)
            #expect(run.status == 77)
            #expect(run.output == "" || run.output == "[]\n")
        }
        #expect(try run("store", "reseal", store, "--key-file", other).status == 77)
        #expect(try find("ssn == '123-45-6789'").output.contains("Ada"))
    }

    @Test func sealsPlainValuesAndScrubs() throws {
        let control = try Data(contentsOf: URL(filePath: store))
        let text = Data("plain text of Ada".utf8)
        #expect(
            control.range(of: text) != nil
                || (try? Data(contentsOf: URL(filePath: store + "-wal")))?.range(of: text) != nil
        )
        let sealed = try run(
            "store",
            "reseal",
            store,
            "--attribute",
            "Patient.note",
            "--to",
            "text | sealed",
            "--scrub",
            "--key-file",
            keys
        )
        #expect(sealed.messages == "")
        #expect(sealed.status == 0)
        #expect(sealed.output.contains("none of 2 samples"))
        for name in try folder.names where name.hasPrefix("clinic.sqlite") {
            #expect(try Data(contentsOf: URL(filePath: folder.path(name))).range(of: text) == nil, "\(name)")
        }
        let shown = try run("store", "get", store, "Patient", "1", "note", "--key-file", keys)
        #expect(shown.output == "plain text of Ada")
        #expect(try run("store", "get", store, "Patient", "1", "note").status == 77)
        let plain = try run("store", "reseal", store, "--attribute", "Patient.note", "--plain", "--key-file", keys)
        #expect(plain.status == 0)
        #expect(try run("store", "get", store, "Patient", "1", "note").output == "plain text of Ada")
    }

    // Deterministic values that are current have the same bytes afterward.
    @Test func scrubsDeterministicValuesThatWereCurrent() throws {
        let file = folder.path("codes.sqlite")
        let json = """
            { "transformableModel": 1, "entities": [ { "name": "Code", "attributes": [
              { "name": "text", "transformer": "text | sealed(deterministic: true)" } ] } ] }
            """
        let model = try folder.write(Data(json.utf8), "codes.json")
        #expect(try run("store", "create", file, "--model", model, "--key-file", keys).status == 0)
        for number in 0..<5 {
            #expect(try run("store", "insert", file, "Code", "text=code \(number)", "--key-file", keys).status == 0)
        }
        for rotates in [false, true, false] {
            if rotates { #expect(try run("keys", "rotate", keys).status == 0) }
            let resealed = try run("store", "reseal", file, "--scrub", "--key-file", keys)
            #expect(resealed.status == 0, "\(resealed.messages)")
            #expect(resealed.output.contains(rotates ? "none of 5 samples" : "no old value"))
        }
    }

    @Test func reportsWhereAnOldValueRemains() throws {
        let insert = try run("store", "insert", store, "Patient", "name=plain text of Ada")
        #expect(insert.status == 0)
        let sealed = try run(
            "store",
            "reseal",
            store,
            "--attribute",
            "Patient.note",
            "--to",
            "text | sealed",
            "--scrub",
            "--key-file",
            keys
        )
        #expect(sealed.status == 1)
        #expect(sealed.messages.contains("clinic.sqlite"))
        #expect(!sealed.messages.contains("plain text of"))
    }

    /// A program without the plugin that provides “reverse”.
    private struct TextPlugin: TransformerPlugin {
        let name = "text"
        var registrations: [Registration] { Registration.text }
    }

    @Test(arguments: [[], ["--dry-run"]] as [[String]]) func saysWhatItCannotReseal(options: [String]) throws {
        let file = folder.path("codes.sqlite")
        let json = """
            { "transformableModel": 1, "entities": [ { "name": "Code", "attributes": [
              { "name": "kind", "transformer": "reverse | text", "optional": true },
              { "name": "ssn", "transformer": "text | sealed" },
              { "name": "text", "transformer": "reverse | text | sealed", "projections": [
                { "name": "index", "transformer": "reverse | blind-index(bits: 16)" } ] } ] } ] }
            """
        let model = try folder.write(Data(json.utf8), "codes.json")
        #expect(try run("store", "create", file, "--model", model, "--key-file", keys).status == 0)
        #expect(try run("store", "insert", file, "Code", "ssn=1", "text=2", "--key-file", keys).status == 0)
        #expect(try run("keys", "rotate", keys).status == 0)
        let resealing = ["store", "reseal", file, "--key-file", keys] + options
        let resealed = try CommandRun(arguments: resealing) { keys in
            try TransformerRegistry {
                TextPlugin()
                EncryptionPlugin(keys: keys)
            }
        }
        #expect(resealed.status == 0)
        #expect(resealed.output.contains("Code.ssn: "))
        let notes = resealed.messages.split(separator: "\n")
        #expect(notes.count == 2)
        for (note, name) in zip(notes, ["text", "index"]) {
            #expect(note.hasPrefix("note: “Code.\(name)” is not resealed, because its transformer cannot be used here"))
            #expect(note.contains("“reverse”"))
        }
        #expect(try run(arguments: resealing).messages == "")
    }

    // After re-encoding, a cell still cannot be opened in another row, attribute, entity, or store.
    @Test(arguments: [
        "UPDATE Patient SET ssn = (SELECT ssn FROM Patient WHERE _id = 2) WHERE _id = 1",
        "UPDATE Patient SET ssn = (SELECT note FROM Patient WHERE _id = 1) WHERE _id = 1",
        "UPDATE Patient SET ssn = (SELECT ssn FROM Visit WHERE _id = 1) WHERE _id = 1",
        "ATTACH 'copy.sqlite' AS copy; UPDATE Patient SET ssn = (SELECT ssn FROM copy.Patient WHERE _id = 1) WHERE _id = 1",
    ])
    func bindsNewBytesToTheirCells(sql: String) throws {
        #expect(try run("store", "insert", store, "Visit", "ssn=123-45-6789", "--key-file", keys).status == 0)
        let copy = folder.path("copy.sqlite")
        #expect(try run("store", "create", copy, "--model", folder.path("clinic.json"), "--key-file", keys).status == 0)
        let other = ["store", "insert", copy, "Patient", "name=Ada", "ssn=123-45-6789", "--key-file", keys]
        #expect(try run(arguments: other).status == 0)
        #expect(try run("keys", "rotate", keys).status == 0)
        let sealing = ["--attribute", "Patient.note", "--to", "text | sealed", "--key-file", keys]
        #expect(try run(arguments: ["store", "reseal", store] + sealing).status == 0)
        for file in [store, copy] { #expect(try run("store", "reseal", file, "--key-file", keys).status == 0) }
        #expect(try run("store", "get", store, "Patient", "1", "ssn", "--key-file", keys).output == "123-45-6789")
        try sqlite(sql)
        #expect(try run("store", "get", store, "Patient", "1", "ssn", "--key-file", keys).status == 77)
        let resealed = try run("store", "reseal", store, "--key-file", keys)
        #expect(resealed.status == 77)
        #expect(resealed.output.contains("Patient.ssn: 1 value "))
    }

    private func sqlite(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.currentDirectoryURL = folder.url
        process.arguments = [store, sql]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(arguments: [
        Refusal(64, "reseal", "x.sqlite", "--to", "text"),
        Refusal(64, "reseal", "x.sqlite", "--attribute", "a.b", "--to", "text", "--plain"),
        Refusal(64, "reseal", "x.sqlite", "--attribute", "name"),
        Refusal(66, "reseal", "x.sqlite"),
    ])
    func rejectsInvalidRequests(refusal: Refusal) throws {
        try refusal.check("store")
    }

    @Test func aKeyOfDroppedValuesIsNeededUntilTheyAreDiscarded() throws {
        let old = try ids()[0]
        let ring = try KeyRing(contentsOf: URL(filePath: keys))
        let registry = try TransformerRegistry {
            GeometryPlugin()
            EncryptionPlugin(keys: ring)
        }
        let second = try Model(
            version: 2,
            entities: [EntityDescription("Patient", attributes: [.string("name"), .string("born", .optional)])]
        )
        try Store(at: URL(filePath: store), model: second, transformers: registry).close()
        #expect(try run("keys", "rotate", keys).status == 0)
        let refused = try run("keys", "retire", keys, old, "--store", store)
        #expect(refused.status == 65)
        #expect(refused.messages.contains("2 dropped by a migration"))
        #expect(try run("store", "discard", store).output.contains("Patient.ssn"))
        #expect(try run("store", "discard", store, "--yes", "--key-file", keys).output.contains("removed Patient.ssn"))
        #expect(try run("store", "discard", store).output == "there is nothing to remove\n")
        #expect(try run("store", "seal", store, "--key-file", keys).status == 0)
        #expect(try run("keys", "retire", keys, old, "--store", store).status == 0)
    }

    @Test func doesNotRetireAKeyInUse() throws {
        let id = try ids()[0]
        #expect(try run("keys", "retire", keys, id).status == 64)
        #expect(try run("keys", "retire", keys, "12", "--unchecked").status == 64)
        #expect(try run("keys", "retire", keys, "0000000000000000", "--unchecked").status == 77)
        #expect(try run("keys", "retire", keys, id, "--unchecked").status == 64)
        #expect(try run("keys", "rotate", keys, "--name", "none").status == 77)
        #expect(try run("keys", "list", folder.path("none")).status == 77)
        #expect(try run("keys", "list", keys, "--json").output.contains("primary"))
    }

    // Nothing here is sealed, but the numbers depend on the key.
    @Test func rebuildsKeyedIndexesOfPlainAttributes() throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [ { "name": "Note", "attributes": [
              { "name": "code", "type": "string", "indexed": true, "projections": [
                { "name": "code_index", "transformer": "blind-index(bits: 16)", "indexed": true } ] },
              { "name": "title", "type": "string" }, { "name": "author", "type": "string" } ],
              "projections": [
                { "name": "both", "attributes": ["title", "author"], "transformer": "blind-index(bits: 16)" } ] } ] }
            """
        let store = folder.path("notes.sqlite")
        let path = try folder.write(Data(model.utf8), "notes.json")
        try #require(run("store", "create", store, "--model", path, "--key-file", keys).status == 0)
        let values = ["code=x", "title=a", "author=b"]
        try #require(run(arguments: ["store", "insert", store, "Note", "--key-file", keys] + values).status == 0)
        let old = try ids()[0]
        #expect(try run("keys", "rotate", keys).status == 0)
        let resealed = try run("store", "reseal", store, "--key-file", keys)
        #expect(resealed.messages == "")
        #expect(resealed.output.contains("Note.code: 1 value rewritten"))
        #expect(resealed.output.contains("Note.title: 1 value rewritten"))
        #expect(try run("keys", "retire", keys, old, "--store", store).status == 0)
        for condition in ["code == 'x'", "title == 'a' and author == 'b'"] {
            let found = try run("store", "show", store, "Note", "--where", condition, "--key-file", keys, "--json")
            #expect(found.output.contains("\"a\""), "\(found.messages)")
        }
        #expect(try run("store", "verify", store, "--key-file", keys).status == 0)
    }

    @Test func resealsPartsOfComposites() throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Person", "attributes": [ { "name": "level", "type": "int16" } ], "composites": [
                { "name": "home", "parts": [
                  { "name": "zip", "transformer": "text | sealed" }, { "name": "street", "type": "string" } ] } ] },
              { "name": "Boss", "parent": "Person", "projections": [
                { "name": "both", "attributes": ["home_street", "level"], "transformer": "blind-index(bits: 16)" } ] } ] }
            """
        let store = folder.path("people.sqlite")
        let path = try folder.write(Data(model.utf8), "people.json")
        try #require(run("store", "create", store, "--model", path, "--key-file", keys).status == 0)
        let values = ["level=1", "home_zip=12345", "home_street=Main"]
        try #require(run(arguments: ["store", "insert", store, "Boss", "--key-file", keys] + values).status == 0)
        let old = try ids()[0]
        #expect(try run("keys", "rotate", keys).status == 0)
        let resealed = try run("store", "reseal", store, "--key-file", keys)
        #expect(resealed.messages == "")
        #expect(resealed.output.contains("Person.home_zip: 1 value rewritten"))
        #expect(resealed.output.contains("Boss.home_street: 1 value rewritten"))
        #expect(try run("keys", "retire", keys, old, "--store", store).status == 0)
        let get = ["store", "get", store, "Boss", "1", "home_zip"]
        #expect(try run(arguments: get + ["--key-file", keys]).output == "12345")
        #expect(try run(arguments: get).status == 77)
        let plain = ["store", "reseal", store, "--attribute", "Person.home_zip", "--plain", "--key-file", keys]
        #expect(try run(arguments: plain).messages == "")
        #expect(try run(arguments: get).output == "12345")
    }

    @Test func reportsALostIndex() throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [ { "name": "Note", "attributes": [
              { "name": "text", "type": "string", "indexed": true }, { "name": "title", "type": "string" } ] } ] }
            """
        let store = folder.path("notes.sqlite")
        let path = try folder.write(Data(model.utf8), "notes.json")
        try #require(run("store", "create", store, "--model", path, "--key-file", keys).status == 0)
        let reseal = ["store", "reseal", store, "--key-file", keys, "--attribute"]
        let sealed = try run(arguments: reseal + ["Note.text", "--to", "sealed"])
        #expect(sealed.status == 0)
        #expect(sealed.messages.hasPrefix("note: “Note.text” loses its index, because "))
        #expect(try run(arguments: reseal + ["Note.title", "--to", "sealed"]).messages == "")
        #expect(try run(arguments: reseal + ["Note.text", "--plain"]).messages == "")
    }
}
