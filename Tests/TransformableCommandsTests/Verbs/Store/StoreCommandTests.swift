import Foundation
import Testing

struct StoreCommandTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test func createsOnce() throws {
        #expect(try fixture.folder.names == ["clinic.json", "clinic.keys", "clinic.sqlite"])
        let model = fixture.folder.path("clinic.json")
        let before = try Data(contentsOf: URL(filePath: fixture.store))
        #expect(try fixture.run("store", "create", fixture.store, "--model", model).status == 73)
        #expect(try Data(contentsOf: URL(filePath: fixture.store)) == before)
    }

    @Test(arguments: [
        Refusal(65, "{"),
        Refusal(65, "{}"),
        Refusal(65, #"{"transformableModel": 1, "version": 1, "entities": [], "more": 1}"#),
        Refusal(78, #"{"transformableModel": 9, "version": 1, "entities": []}"#),
        Refusal(64, #"{"transformableModel": 1, "entities": [{"name": "A", "attributes": [ATTRIBUTE]}]}"#, "nonsense"),
        Refusal(64, #"{"transformableModel": 1, "entities": [{"name": "A", "attributes": [ATTRIBUTE]}]}"#, "count"),
    ])
    func createsNoStoreForAnInvalidModel(refusal: Refusal) throws {
        let attribute = #"{"name": "a", "transformer": "\#(refusal.arguments.last ?? "")"}"#
        let model = refusal.arguments[0].replacing("ATTRIBUTE", with: attribute)
        let new = fixture.folder.path("new.sqlite")
        let run = try fixture.run("store", "create", new, "--model", "-", input: Data(model.utf8))
        #expect(run.status == refusal.status)
        #expect(run.messages.split(separator: "\n").count == 1)
        #expect(try fixture.folder.names == ["clinic.json", "clinic.keys", "clinic.sqlite"])
    }

    @Test func acceptsValuesInTheirHumanForm() throws {
        let scan = try fixture.folder.write(Data([0, 1, 2]), "scan")
        let number = try fixture.insert(
            "name=@@da",
            "age=-36",
            "weight=1.5",
            "born=1815-12-10",
            "notes=@\(scan)",
            "bed={{0, 0}, {2, 1}}",
            "scan=@\(scan)",
            "ssn=123=45"
        )
        #expect(number == 1)
        #expect(try fixture.get(1, "name").output == "@da")
        #expect(try fixture.get(1, "age").output == "-36\n")
        #expect(try fixture.get(1, "weight").output == "1.5\n")
        #expect(try fixture.get(1, "born").output == "1815-12-10T00:00:00Z\n")
        #expect(try fixture.get(1, "notes").outputBytes == Data([0, 1, 2]))
        #expect(try fixture.get(1, "bed").output == "{{0, 0}, {2, 1}}\n")
        #expect(try fixture.get(1, "scan", "--hex").output == "000102\n")
        #expect(try fixture.get(1, "ssn", "--key-file", fixture.keyFile).output == "123=45")
        #expect(try fixture.folder.names == ["clinic.json", "clinic.keys", "clinic.sqlite", "scan"])
    }

    @Test func supportsMissingAndEmptyValues() throws {
        try fixture.insert("name=")
        #expect(try fixture.get(1, "name").output == "")
        #expect(try fixture.get(1, "name").status == 0)
        #expect(try fixture.get(1, "age").status == 66)
        let visit = try fixture.run("store", "insert", fixture.store, "Visit")
        #expect(visit.output == "1\n")
        #expect(try fixture.run("store", "get", fixture.store, "Visit", "1", "reason").output == "none")
    }

    @Test(arguments: [
        Refusal(64, "name"), Refusal(64, "=x"), Refusal(64, "name=a", "name=b"), Refusal(64, "nme=a"),
        Refusal(66, "name=@/nonexistent"), Refusal(65, "name=a", "age=old"), Refusal(65, "name=a", "age=99999"),
        Refusal(65, "name=a", "age="), Refusal(65, "name=a", "bed={{0"), Refusal(65, "age=1"),
        Refusal(65, "name=taken"), Refusal(77, "name=a", "ssn=123"), Refusal(65, "name=a", "weight=nan"),
    ])
    func refusesInvalidInsertions(refusal: Refusal) throws {
        try fixture.insert("name=taken")
        let run = try fixture.run(arguments: ["store", "insert", fixture.store, "Patient"] + refusal.arguments)
        #expect(run.status == refusal.status)
        #expect(run.output == "")
        #expect(run.messages.hasPrefix("error: "))
        #expect(run.messages.split(separator: "\n").count == 1)
        let rows = try fixture.run("store", "show", fixture.store, "Patient", "--csv").output.split(separator: "\r\n")
        #expect(rows.dropFirst() == ["1,taken,,,,,,,"])
    }

    @Test func doesNotRevealASealedValue() throws {
        let bytes = try fixture.folder.write(Data("hunter2\u{FF}".utf8) + Data([0xFF]), "ssn")
        let arguments = ["store", "insert", fixture.store, "Patient", "name=a", "ssn=@\(bytes)"]
        let run = try fixture.run(arguments: arguments + ["--key-file", fixture.keyFile])
        #expect(run.status == 65)
        #expect(!run.messages.contains("hunter2"))
    }

    @Test func marksUnreadableValues() throws {
        try fixture.insert("name=a", "ssn=123", "bed={{0, 0}, {2, 1}}")
        try fixture.sqlite("UPDATE Patient SET bed = x'0011'")
        let table = try fixture.run("store", "show", fixture.store, "Patient")
        #expect(table.status == 0)
        #expect(table.output.contains("‹damaged, 2 bytes›"))
        #expect(table.output.contains("‹sealed, 120 bytes›"))
        #expect(table.messages.contains("1 damaged, 1 sealed"))
        #expect(try fixture.get(1, "bed").status == 65)
        #expect(try fixture.get(1, "bed", "--hex").output == "0011\n")
        #expect(try fixture.get(1, "ssn").status == 77)
        let strangers = try CommandRun("store", "show", fixture.store, "Patient", "--json")
        #expect(strangers.output.contains(#""bed": {"bytes": 2, "unreadable": "no transformer"}"#))
    }

    /// The first four bytes of an overflow page are the number of the next one (SQLite's file format, section 1.7).
    @Test func aDamagedPageOfALargeValueDoesNotEndAListing() throws {
        var scan = Data(repeating: 7, count: 100_000)
        scan.replaceSubrange(11_000..<11_006, with: Data("marker".utf8))
        try fixture.insert("name=a", "scan=@\(try fixture.folder.write(scan, "scan"))")
        try fixture.insert("name=b")
        let store = URL(filePath: fixture.store)
        var file = try Data(contentsOf: store)
        let marker = try #require(file.range(of: Data("marker".utf8)))
        let page = marker.lowerBound / 4096 * 4096
        file.replaceSubrange(page..<page + 4, with: Data(repeating: 0xFF, count: 4))
        try file.write(to: store)
        let run = try fixture.run("store", "show", fixture.store, "Patient", "--csv", "--columns", "name,scan")
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == "name,scan\r\na,\"‹damaged, 100000 bytes›\"\r\nb,\r\n")
    }

    @Test func showsASelection() throws {
        for (name, age) in [("Ada", 36), ("Bob", 20), ("Cid", 36)] {
            try fixture.insert("name=\(name)", "age=\(age)")
        }
        let show = ["store", "show", fixture.store, "Patient", "--csv"]
        func names(_ options: String...) throws -> [Substring] {
            try fixture.run(arguments: show + options).output.split(separator: "\r\n").dropFirst()
                .map { $0.split(separator: ",")[1] }
        }
        #expect(try names() == ["Ada", "Bob", "Cid"])
        #expect(try names("--where", "age > 30") == ["Ada", "Cid"])
        #expect(try names("--where", "-30 > -age") == ["Ada", "Cid"])
        #expect(try names("--sort", "age desc, name desc") == ["Cid", "Ada", "Bob"])
        #expect(try names("--sort", "age", "--limit", "1") == ["Bob"])
        #expect(try names("--limit", "0") == [])
    }

    @Test(arguments: [
        Refusal(64, "Patient", "--limit", "-1"), Refusal(64, "Patient", "--limit", "x"), Refusal(64, "--csv"),
        Refusal(64, "Patient", "--csv", "--json"), Refusal(64, "Patient", "--where", "name =="),
        Refusal(64, "Patient", "--where", "nme == 1"), Refusal(64, "Patient", "--where", "--csv"),
        Refusal(64, "Patient", "--sort", "name up"),
        Refusal(64, "Patient", "--sort", ","), Refusal(64, "Patient", "--sort", "nme"), Refusal(66, "Person"),
    ])
    func rejectsUnknownEntitiesAndColumns(refusal: Refusal) throws {
        let run = try fixture.run(arguments: ["store", "show", fixture.store] + refusal.arguments)
        #expect(run.status == refusal.status)
        #expect(run.output == "")
        // The store is sealed, and the command has no key.
        #expect(run.messages.split(separator: "\n").filter { !$0.hasPrefix("note: ") }.count == 1)
    }

    @Test func writesJSONThatOtherProgramsRead() throws {
        try fixture.insert("name=\"quoted\" \\ \u{7}\u{1F600}\nline", "weight=1e300", "age=3")
        try fixture.insert("name=,\"", "weight=-inf")
        let run = try fixture.run("store", "show", fixture.store, "Patient", "--json")
        let document = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        #expect(document["version"] as? Int == 1)
        #expect(document["entity"] as? String == "Patient")
        let rows = try #require(document["objects"] as? [[String: Any]])
        #expect(rows[0]["name"] as? String == "\"quoted\" \\ \u{7}\u{1F600}\nline")
        #expect(rows[0]["weight"] as? Double == 1e300)
        #expect(rows[1]["name"] as? String == ",\"")
        #expect(
            try fixture.run("store", "show", fixture.store, "Visit", "--json").output
                == #"{"version": 1, "entity": "Visit", "objects": ["# + "\n]}\n"
        )
    }

    @Test func summarizesAStore() throws {
        try fixture.insert("name=a")
        let shown = try fixture.run("store", "show", fixture.store)
        #expect(shown.output.hasPrefix("Transformable store\n"))
        #expect(shown.output.contains("1 object\n"))
        #expect(shown.output.contains("text | sealed"))
        #expect(try fixture.run("inspect", fixture.store).output == shown.output)
    }

    @Test func distinguishesStoresFromOtherFiles() throws {
        let other = try fixture.folder.write(Data("no database".utf8), "other")
        #expect(try fixture.run("store", "show", other).status == 65)
        #expect(try fixture.run("store", "show", fixture.folder.path("none")).status == 66)
        #expect(try fixture.run("store", "show", fixture.folder.url.path).status != 0)
        #expect(try fixture.run("store", "insert", fixture.folder.path("none"), "Patient").status == 66)
        #expect(try fixture.folder.names == ["clinic.json", "clinic.keys", "clinic.sqlite", "other"])
    }

    /// A table truncates values, but a value by itself is whole.
    @Test func getsWholeLongValues() throws {
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "Link", "attributes": [
              { "name": "url", "type": "url" }, { "name": "size", "type": "decimal" } ] } ] }
            """
        let (store, file) = (fixture.folder.path("links.sqlite"), fixture.folder.path("value"))
        #expect(try CommandRun("store", "create", store, "--model", "-", input: Data(model.utf8)).status == 0)
        let url = "http://example.org/" + String(repeating: "a", count: 500)
        let size = "1" + String(repeating: "0", count: 100)
        #expect(try CommandRun("store", "insert", store, "Link", "url=\(url)", "size=\(size)").status == 0)
        for (name, text) in [("url", url), ("size", size)] {
            #expect(try CommandRun("store", "get", store, "Link", "1", name).output == text + "\n")
            #expect(try CommandRun("store", "get", store, "Link", "1", name, "--out", file).status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
    }

    @Test func writesAWholeFileOrNone() throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let number = try fixture.insert("name=a", "scan=@\(try fixture.folder.write(bytes, "scan"))")
        let target = fixture.folder.path("target")
        #expect(try fixture.get(number, "scan", "--out", target).status == 0)
        #expect(try Data(contentsOf: URL(filePath: target)) == bytes)
        #expect(try fixture.get(number, "bed", "--out", target).status == 66)
        #expect(try Data(contentsOf: URL(filePath: target)) == bytes)
        #expect(try fixture.get(9, "scan").status == 66)
    }

    @Test(arguments: [("--csv", 1001), ("--json", 1002)])
    func streamsManyRows(notation: String, lines: Int) throws {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
        try fixture.sqlite(
            "\(numbers) INSERT INTO Patient (name, bed) SELECT 'n' || i, CAST('{{0, 0}, {2, 1}}' AS BLOB) FROM n"
        )
        let run = try fixture.run("store", "show", fixture.store, "Patient", notation)
        #expect(run.output.utf8.count { $0 == UInt8(ascii: "\n") } == lines)
        let table = try fixture.run("store", "show", fixture.store, "Patient")
        #expect(table.output.split(separator: "\n").count == 1001)
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal", "-blobs/unfinished/x"])
    func getDoesNotReplaceTheStore(suffix: String) throws {
        let fixture = try StoreFixture()
        let number = try fixture.insert("name=Ada")
        try FileManager.default.createDirectory(
            atPath: "\(fixture.store)-blobs/unfinished",
            withIntermediateDirectories: true
        )
        let run = try fixture.get(number, "name", "--out", fixture.store + suffix)
        #expect(run.status == 64)
        #expect(try fixture.get(number, "name").output == "Ada")
    }

    @Test func getDoesNotReplaceTheKeys() throws {
        let fixture = try StoreFixture()
        let number = try fixture.insert("name=Ada")
        let run = try fixture.get(number, "name", "--key-file", fixture.keyFile, "--out", fixture.keyFile)
        #expect(run.status == 64)
    }
}
