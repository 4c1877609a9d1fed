import Foundation
import Testing

/// `store import --folder`: an export can be imported, but nothing else can.
@Suite struct StoreFolderImportTests {
    private let fixture: StoreFixture
    private let export: String
    private let copy: String

    init() throws {
        fixture = try StoreFixture()
        export = fixture.folder.path("export")
        copy = fixture.folder.path("copy.sqlite")
        try fixture.insert("name=Ada", "age=36", "ssn=123-45-6789", "notes=")
        let scan = try fixture.folder.write(Data([0, 1, 2, 0xFF]), "scan.bin")
        try fixture.insert("name=", "bed={{0, 0}, {2, 1}}", "scan=@\(scan)", "born=1815-12-10T01:02:03.25Z")
        try fixture.insert("name=gone")
        #expect(try fixture.run("store", "delete", fixture.store, "Patient", "3").status == 0)
    }

    private func writeExport(_ options: [String]) throws -> CommandRun {
        try fixture.run(arguments: ["store", "export", fixture.store, "--out", export] + options)
    }

    private func writeExport() throws {
        #expect(try writeExport(["--key-file", fixture.keyFile]).messages == "")
    }

    private func load(_ options: String...) throws -> CommandRun {
        let keys = ["--key-file", fixture.keyFile]
        return try fixture.run(arguments: ["store", "import", copy, "--folder", export] + keys + options)
    }

    /// Imports the lines of one entity into a new store.
    private func loadLines() throws -> CommandRun {
        let keys = ["--key-file", fixture.keyFile]
        let create = ["store", "create", copy, "--model", "\(export)/model.json"] + keys
        #expect(try fixture.run(arguments: create).status == 0)
        return try fixture.run(arguments: ["store", "import", copy, "Patient", "\(export)/Patient.jsonl"] + keys)
    }

    private func change(_ name: String, _ change: (String) -> String) throws {
        let url = URL(filePath: "\(export)/\(name)")
        try Data(change(String(contentsOf: url, encoding: .utf8)).utf8).write(to: url)
    }

    @Test func importsAnExport() throws {
        try writeExport()
        let run = try load()
        #expect(run.messages == "")
        #expect(run.output == "imported 2 objects and 2 files into “\(copy)”\n")
        let options = ["Patient", "--json", "--key-file", fixture.keyFile]
        let shown = try fixture.run(arguments: ["store", "show", fixture.store] + options).output
        #expect(try fixture.run(arguments: ["store", "show", copy] + options).output == shown)
        #expect(shown.contains("\"name\": \"\"") && shown.contains("123-45-6789"))
        let again = fixture.folder.path("again")
        let keys = ["--key-file", fixture.keyFile]
        #expect(try fixture.run(arguments: ["store", "export", copy, "--out", again] + keys).status == 0)
        #expect(FileManager.default.contentsEqual(atPath: export, andPath: again))
        // The number of a deleted object is not reused.
        #expect(try fixture.run("store", "insert", copy, "Patient", "name=Cid").output == "4\n")
    }

    @Test func importsTheLinesOfOneEntityWithTheirFiles() throws {
        try writeExport()
        #expect(try loadLines().messages == "")
        #expect(try fixture.run("store", "get", copy, "Patient", "2", "scan", "--hex").output == "000102ff\n")
        #expect(try fixture.run("store", "get", copy, "Patient", "1", "notes").status == 0)
    }

    @Test func rejectsAStoreThatHasObjects() throws {
        try writeExport()
        #expect(try load().status == 0)
        let again = try load()
        #expect(again.status == 64)
        #expect(again.messages.contains("already has objects"))
    }

    @Test func leavesTheStoreUnchangedIfItFails() throws {
        try writeExport()
        let blobs = URL(filePath: "\(copy)-blobs")
        try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: false)
        try Data("precious".utf8).write(to: blobs.appending(path: "precious"))
        let run = try load()
        #expect(run.status == 73)
        #expect(run.messages.contains("“\(blobs.path)” already exists"), "\(run.messages)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: blobs.path) == ["precious"])
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func importsAnExportOfAnEarlierVersion() throws {
        try writeExport()
        try FileManager.default.removeItem(atPath: "\(export)/export.json")
        try refused(66, "“export.json”")
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try load("--without-manifest").output.hasPrefix("imported 2 objects"))
    }

    // Without the manifest, nothing shows that parts are missing.
    @Test func rejectsAnIncompleteExport() throws {
        try writeExport()
        for name in ["export.json", "Patient.jsonl"] {
            try FileManager.default.removeItem(atPath: "\(export)/\(name)")
        }
        try refused(66, "“export.json”")
    }

    @Test(arguments: [
        ("Patient.jsonl", 65, "“Patient.jsonl” has 1 line"), ("Patient/2.scan", 66, "“Patient/2.scan”"),
        ("model.json", 66, "model.json"),
    ])
    func reportsMissingParts(name: String, status: Int32, message: String) throws {
        try writeExport()
        if name == "Patient.jsonl" {
            try change(name) { String($0.prefix { $0 != "\n" }) + "\n" }
        } else {
            try FileManager.default.removeItem(atPath: "\(export)/\(name)")
        }
        try refused(status, message)
    }

    private func refused(_ status: Int32, _ message: String) throws {
        let run = try load()
        #expect(run.status == status, "\(run.messages)")
        #expect(run.messages.contains(message), "\(run.messages)")
        #expect(run.output == "")
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path)
        #expect(!names.contains { $0.hasPrefix("copy.sqlite") })
    }

    @Test(arguments: [
        ("{\"file\":\"Patient/2.scan\"}", "{\"file\":\"../clinic.keys\"}", "“Patient.jsonl”, line 2"),
        ("{\"file\":\"Patient/2.scan\"}", "{\"file\":\"/etc/passwd\"}", "“Patient.jsonl”, line 2"),
        ("{\"file\":\"Patient/2.scan\"}", "\"AAAA\"", "a separate file"),
        ("\"_id\":2", "\"_id\":1", "“Patient.jsonl”, line 2"), ("\"_id\":2", "\"_id\":-2", "“_id”"),
        ("\"_id\":2", "\"_id\":99999999999999999999", "“_id”"), ("\"_id\":2,", "", "“_id”"),
        ("\"age\":36", "\"age\":99999", "“Patient.jsonl”, line 1"), ("\"age\"", "\"toes\"", "toes"),
        ("\"age\":36", "\"age\":36,\"age\":36", "twice"), ("\"name\":\"Ada\",", "", "needs a value"),
        ("{\"_id\":2", "[{\"_id\":2", "“Patient.jsonl”, line 2"),
    ])
    func rejectsContentThatExportsNeverContain(text: String, hostile: String, message: String) throws {
        try writeExport()
        try change("Patient.jsonl") { $0.replacing(text, with: hostile) }
        try refused(65, message)
    }

    // The files of values are missing then, or an entity has fewer lines than the export was written with.
    @Test(arguments: [("Patient", 66), ("Patient/2.scan", 66), ("Patient.jsonl", 65)] as [(String, Int32)])
    func doesNotFollowLinks(name: String, status: Int32) throws {
        try writeExport()
        let elsewhere = fixture.folder.path("elsewhere")
        try FileManager.default.moveItem(atPath: "\(export)/\(name)", toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: "\(export)/\(name)", withDestinationPath: elsewhere)
        let run = try load()
        #expect(run.status == status, "\(run.messages)")
    }

    @Test func rejectsADifferentModelAndANewerFormat() throws {
        try writeExport()
        #expect(try fixture.run("store", "create", copy, "--model", "\(export)/model.json").status == 0)
        try change("model.json") { $0.replacing("\"Visit\"", with: "\"Stay\"") }
        #expect(try load().messages.contains("a different model"))
        try change("model.json") { $0.replacing("\"Stay\"", with: "\"Visit\"") }
        try change("export.json") { $0.replacing("\"transformableExport\" : 2", with: "\"transformableExport\" : 3") }
        let run = try load()
        #expect(run.status == 78 && run.messages.contains("format 3"), "\(run.messages)")
    }

    @Test func importsOnlyIntoAStoreWithoutObjects() throws {
        try writeExport()
        #expect(try fixture.run("store", "create", copy, "--model", "\(export)/model.json").status == 0)
        #expect(try load().status == 0)
        let run = try load()
        #expect(run.status != 0 && run.messages.contains("already has objects"))
    }

    @Test func doesNotSilentlyDropSealedValues() throws {
        #expect(try writeExport([]).status == 77)
        try refused(65, "Patient.ssn")
        let run = try load("--skip-unreadable")
        #expect(run.messages == "note: 1 value could not be read and was skipped\n")
        #expect(try fixture.run("store", "get", copy, "Patient", "1", "name").output == "Ada")
    }

    @Test func doesNotImportLinesWithUnreadableValues() throws {
        #expect(try writeExport([]).status == 77)
        let run = try loadLines()
        #expect(run.status == 65 && run.messages.contains("“ssn”"), "\(run.messages)")
    }

    @Test func keepsUndecodableBytes() throws {
        try fixture.sqlite("UPDATE Patient SET bed = x'0102FF' WHERE _id = 2")
        #expect(try writeExport(["--key-file", fixture.keyFile]).status == 1)
        #expect(try load().messages == "")
        #expect(try fixture.run("store", "get", copy, "Patient", "2", "bed", "--raw", "--hex").status == 64)
        #expect(try fixture.run("store", "get", copy, "Patient", "2", "bed", "--hex").output == "0102ff\n")
    }

    @Test(arguments: [
        ["Patient", "--folder", "x"], ["--folder", "x", "--dry-run"], ["--skip-unreadable", "Patient"], [],
    ])
    func reportsConflictingOptions(arguments: [String]) throws {
        #expect(try fixture.run(arguments: ["store", "import", copy] + arguments).status == 64)
    }
}

/// `@path` in the rows of an import.
@Suite struct ImportFilesTests {
    private let fixture: StoreFixture
    private let bytes = Data([0, 1, 2, 0xFF])

    init() throws {
        fixture = try StoreFixture()
        try FileManager.default.createDirectory(
            at: fixture.folder.url.appending(path: "in/pictures"),
            withIntermediateDirectories: true
        )
        _ = try fixture.folder.write(bytes, "in/pictures/scan.bin")
        _ = try fixture.folder.write(bytes, "outside.bin")
        _ = try fixture.folder.write(Data("{{1, 2}, {3, 4}}\n".utf8), "in/bed.txt")
    }

    private func load(_ text: String, _ name: String, _ options: String...) throws -> CommandRun {
        let file = try fixture.folder.write(Data(text.utf8), "in/\(name)")
        let keys = ["--key-file", fixture.keyFile]
        return try fixture.run(arguments: ["store", "import", fixture.store, "Patient", file] + options + keys)
    }

    @Test(arguments: [
        ("rows.csv", "name,scan,notes\n@ada,@pictures/scan.bin,@./pictures/../pictures/scan.bin\n"),
        ("rows.jsonl", #"{"name": "@ada", "scan": "@pictures/scan.bin", "notes": "@pictures/scan.bin"}"#),
        ("lines.jsonl", #"{"name": "@ada", "scan": {"file":"pictures/scan.bin"}, "notes": "AAEC/w=="}"#),
    ])
    func readsFilesBesideTheRows(name: String, text: String) throws {
        #expect(try load(text, name).messages == "")
        #expect(try fixture.get(1, "name").output == "@ada")
        #expect(try fixture.get(1, "scan", "--hex").output == "000102ff\n")
        #expect(try fixture.get(1, "notes", "--hex").output == "000102ff\n")
    }

    /// What an export writes for a value that it could not read is not the value.
    @Test(arguments: [
        ("ssn", #"{"file":"Patient/1.ssn","failure":"missing-key"}"#),
        ("name", #"{"file":"Patient/1.name","failure":"undecodable"}"#),
        ("notes", #"{"file":"Patient/1.notes","failure":"undecodable"}"#),
        ("bed", #"{"file": null, "failure": "no-such-file"}"#),
    ])
    func rejectsValuesThatAnExportCouldNotRead(attribute: String, value: String) throws {
        let name = attribute == "name" ? "" : #""name": "a", "#
        let run = try load("{\(name)\"\(attribute)\": \(value)}", "lines.jsonl")
        #expect(run.status == 65)
        let message = "error: line 1: the value of “\(attribute)” could not be read when it was written"
        #expect(run.messages.hasPrefix(message), "\(run.messages)")
        #expect(try fixture.run("store", "show", fixture.store, "Patient", "--count").output == "0\n")
    }

    @Test(arguments: [
        #"{"file":"1.ssn","failure":"none"}"#, #"{"file":"Patient/1.ssn"}"#, #"{"failure":"x","file":"Patient/1.ssn"}"#,
        #"{"file":"Patient/1.ssn","failure":"x","more":1}"#,
    ])
    func keepsOtherTextThatIsJSON(text: String) throws {
        #expect(try load(#"{"name": \#(text)}"#, "lines.jsonl").messages == "")
        #expect(try fixture.get(1, "name").output == text)
    }

    @Test func readsTextFromFilesOnRequest() throws {
        let text = "name,bed,ssn\n@@ada,@bed.txt,@bed.txt\n@@@b,,@@x\n"
        #expect(try load(text, "rows.csv", "--text-files").messages == "")
        #expect(try fixture.get(1, "name").output == "@ada")
        #expect(try fixture.get(1, "bed").output == "{{1, 2}, {3, 4}}\n")
        #expect(try fixture.get(1, "ssn", "--key-file", fixture.keyFile).output == "{{1, 2}, {3, 4}}\n")
        #expect(try fixture.get(2, "name").output == "@@b")
        #expect(try fixture.get(2, "ssn", "--key-file", fixture.keyFile).output == "@x")
    }

    @Test(arguments: [
        ("@../outside.bin", 65, "--files"), ("@pictures/../../outside.bin", 65, "--files"),
        ("@link.bin", 65, "--files"),
        ("@/etc/hostname", 65, "--files"), ("@nothing.bin", 66, "nothing.bin"), ("@pictures", 65, "file"),
        ("@", 65, "@"),
        ("@pipe", 65, "file"), ("@@x", 66, "@x"),
    ])
    func readsNoOtherFiles(path: String, status: Int32, message: String) throws {
        let folder = fixture.folder.path("in")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link.bin", withDestinationPath: "../outside.bin")
        #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
        let run = try load("name,scan\na,\nb,\(path)\n", "rows.csv")
        #expect(run.status == status, "\(run.messages)")
        #expect(run.messages.hasPrefix("error: line 3: ") && run.messages.contains(message), "\(run.messages)")
        #expect(try fixture.run("store", "show", fixture.store, "Patient", "--count").output == "0\n")
    }

    @Test func readsFilesFromAnotherFolder() throws {
        let options = ["--files", fixture.folder.url.path]
        let file = try fixture.folder.write(
            Data("name,scan\na,@outside.bin\nb,@in/pictures/scan.bin\n".utf8),
            "in/r.csv"
        )
        let arguments = ["store", "import", fixture.store, "Patient", file] + options
        #expect(try fixture.run(arguments: arguments).messages == "")
        let absolute = "name,scan\nc,@\(fixture.folder.path("outside.bin"))\n"
        #expect(try load(absolute, "rows.csv", "--files", "/").messages == "")
        #expect(try fixture.get(3, "scan", "--hex").output == "000102ff\n")
    }
}
