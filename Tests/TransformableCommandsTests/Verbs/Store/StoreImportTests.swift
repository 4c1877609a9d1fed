import Foundation
import StandardPlugin
import Testing
import Transformable

struct StoreImportTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Imports text from standard input.
    private func load(_ text: String, _ options: String..., entity: String = "Patient") throws -> CommandRun {
        let arguments = ["store", "import", fixture.store, entity, "-", "--key-file", fixture.keyFile]
        return try fixture.run(arguments: arguments + options, input: Data(text.utf8))
    }

    private func rows(_ entity: String = "Patient") throws -> [String] {
        try fixture.run("store", "show", fixture.store, entity, "--csv", "--key-file", fixture.keyFile).output
            .components(separatedBy: "\r\n").dropLast()
    }

    /// The fields of RFC 4180, section 2: line ends, quotation marks and commas within quotation marks.
    @Test func readsCommaSeparatedValues() throws {
        let text =
            "name,age,born,bed,ssn\r\nAda,36,1815-12-10,\"{{0, 0}, {2, 1}}\",123\r\n"
            + "\"Bob \"\"B\"\"\",,,,\r\n\"a\r\nb,c\",7,2000-01-01T12:30:00Z,,\r\n\r\n\"\",1,,,"
        let run = try load(text, "--format", "csv")
        #expect(run.messages == "")
        #expect(run.output == "4 objects imported\n")
        #expect(
            try rows().dropFirst() == [
                "1,Ada,36,,1815-12-10T00:00:00Z,,\"{{0, 0}, {2, 1}}\",,123",
                "2,\"Bob \"\"B\"\"\",,,,,,,", "3,\"a", "b,c\",7,,2000-01-01T12:30:00Z,,,,", "4,\"\",1,,,,,,",
            ]
        )
    }

    /// What a listing shows for a value that it could not read is not the value.
    @Test(arguments: ["csv", "json"]) func rejectsValuesThatAListingCouldNotRead(format: String) throws {
        try fixture.insert("name=Ada", "ssn=123-45-6789")
        let shown = try fixture.run("store", "show", fixture.store, "Patient", "--columns", "age,ssn", "--\(format)")
        let run = try load(shown.output, "--format", format)
        #expect(run.status == 65)
        let message = "the value of “ssn” could not be read when it was written; write the rows again"
        #expect(run.messages.contains(message), "\(run.messages)")
    }

    /// What a listing shows for bytes that are not text is not the value either.
    @Test(arguments: ["csv", "json"]) func rejectsTheSizesThatAListingShows(format: String) throws {
        try fixture.insert("name=Ada", "scan=@\(try fixture.folder.write(Data([0, 1, 2]), "scan"))")
        let shown = try fixture.run("store", "show", fixture.store, "Patient", "--columns", "age,scan", "--\(format)")
        let run = try load(shown.output, "--format", format)
        #expect(run.status == 65)
        #expect(run.messages.contains("a listing shows only the size of the value of “scan”"))
    }

    /// A listing shows an object without white space if it is the value itself.
    @Test(arguments: [(#"{"bytes": 61, "kind": "text"}"#, 0), (#"{"bytes":61,"kind":"text"}"#, 1)])
    func tellsObjectsFromSizes(value: String, count: Int) throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Dog", "attributes": [ { "name": "facts", "transformer": "json", "optional": true } ] }
            ] }
            """
        let path = try fixture.folder.write(Data(model.utf8), "dogs.json")
        let store = fixture.folder.path("dogs.sqlite")
        func run(_ arguments: String..., input: String = "") throws -> CommandRun {
            try CommandRun(arguments: ["store"] + arguments, input: Data(input.utf8)) { _ in
                try TransformerRegistry { StandardPlugin() }
            }
        }
        #expect(try run("create", store, "--model", path).status == 0)
        let line = "{\"facts\": \(value)}\n"
        let status = try run("import", store, "Dog", "-", "--format", "json", input: line).status
        #expect(status == (count == 1 ? 0 : 65))
        #expect(try run("show", store, "Dog", "--count").output == "\(count)\n")
    }

    /// In a file with one column, an empty line is a row without a value, even if it is the last one.
    @Test(arguments: [["7", "", "9"], ["", "", "7"], ["7", ""]])
    func importsEmptyLinesOfASingleColumn(ages: [String]) throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Dog", "attributes": [ { "name": "age", "type": "int16", "optional": true } ] }
            ] }
            """
        let path = try fixture.folder.write(Data(model.utf8), "dogs.json")
        let (first, second) = (fixture.folder.path("dogs.sqlite"), fixture.folder.path("copy.sqlite"))
        for store in [first, second] {
            #expect(try fixture.run("store", "create", store, "--model", path).status == 0)
        }
        for age in ages {
            let value = age.isEmpty ? [] : ["age=\(age)"]
            #expect(try fixture.run(arguments: ["store", "insert", first, "Dog"] + value).status == 0)
        }
        let shown = try fixture.run("store", "show", first, "Dog", "--columns", "age", "--csv").outputBytes
        #expect(String(decoding: shown, as: UTF8.self) == (["age"] + ages).map { $0 + "\r\n" }.joined())
        let run = try fixture.run("store", "import", second, "Dog", "-", "--format", "csv", input: shown)
        #expect(run.output == "\(ages.count) objects imported\n")
        #expect(try fixture.run("store", "show", second, "Dog", "--columns", "age", "--csv").outputBytes == shown)
    }

    /// Swift treats a quotation mark and a combining mark as one character, but RFC 4180 does not.
    @Test(arguments: [
        ("\"\u{301}", "\"\"\"\u{301}\""), ("\"\u{200D}", "\"\"\"\u{200D}\""), ("\"\u{1F3FD}", "\"\"\"\u{1F3FD}\""),
        ("a,\"\u{301}b\"", "\"a,\"\"\u{301}b\"\"\""), (",\"\u{301},a", "\",\"\"\u{301},a\""),
    ])
    func writesEveryQuotationMarkTwice(text: String, field: String) throws {
        try fixture.insert("name=\(text)", "ssn=\(text)")
        let keys = ["--key-file", fixture.keyFile]
        let show = ["store", "show", fixture.store, "Patient", "--csv", "--columns", "name,ssn"] + keys
        let shown = try fixture.run(arguments: show).outputBytes
        #expect(shown == Data("name,ssn\r\n\(field),\(field)\r\n".utf8))
        let removal = ["store", "delete", fixture.store, "Patient", "--where", "true"] + keys
        #expect(try fixture.run(arguments: removal).status == 0)
        #expect(try load(String(decoding: shown, as: UTF8.self), "--format", "csv").messages == "")
        #expect(try fixture.run(arguments: show).outputBytes == shown)
    }

    /// A combining mark after `=`, `@`, or `@@` belongs to the value.
    @Test func parsesArgumentsByScalars() throws {
        try fixture.insert("name=\u{301}x", "ssn=@@\u{301}x")
        #expect(try Array(fixture.get(1, "name").outputBytes) == Array("\u{301}x".utf8))
        #expect(try Array(fixture.get(1, "ssn", "--key-file", fixture.keyFile).outputBytes) == Array("@\u{301}x".utf8))
        #expect(try load("name\n@@\u{301}y\n", "--format", "csv", "--text-files").status == 0)
        #expect(try Array(fixture.get(2, "name").outputBytes) == Array("@\u{301}y".utf8))
    }

    @Test(arguments: ["@ok\\u0000", "@ok\\u0000/../../x"])
    func refusesAPathThatContainsANUL(path: String) throws {
        try fixture.folder.write(Data("ok".utf8), "ok")
        let rows = try fixture.folder.write(Data("{\"name\": \"Ada\", \"notes\": \"\(path)\"}".utf8), "rows.jsonl")
        let run = try fixture.run("store", "import", fixture.store, "Patient", rows, "--key-file", fixture.keyFile)
        #expect(run.status == 65)
        #expect(run.messages.contains("contains a NUL"))
    }

    @Test func readsLineFeedsAndAByteOrderMark() throws {
        #expect(try load("\u{FEFF}name,age\nAda,36\n", "--format", "csv").status == 0)
        #expect(try fixture.get(1, "age").output == "36\n")
    }

    @Test func readsJSONLines() throws {
        let text = #"""
            {"name": "A\u00e9\ud83d\ude00\n\"", "age": 36, "weight": 1e2, "notes": "AAEC", "bed": null}

             { "scan" : "/w==", "name":"Bob","ssn": "12" , "born":"1815-12-10"}
            """#
        #expect(try load(text, "--format", "json").messages == "")
        #expect(try fixture.get(1, "name").output == "Aé😀\n\"")
        #expect(try fixture.get(1, "weight").output == "100.0\n")
        #expect(try fixture.get(1, "notes", "--hex").output == "000102\n")
        #expect(try fixture.get(2, "scan", "--hex").output == "ff\n")
        #expect(try fixture.get(2, "ssn", "--key-file", fixture.keyFile).output == "12")
    }

    @Test(arguments: ["--csv", "--json"])
    func importsTheOutputOfShow(notation: String) throws {
        try fixture.insert(
            "name=\"q\" , \\ \u{7}\nb",
            "age=-3",
            "weight=0.1",
            "born=1815-12-10",
            "bed={{0, 0}, {2, 1}}"
        )
        try fixture.insert("name=", "ssn=123")
        let shown = ["store", "show", fixture.store, "Patient", notation, "--key-file", fixture.keyFile]
        let written = try fixture.run(arguments: shown).output
        #expect(try fixture.run("store", "delete", fixture.store, "Patient", "--where", "true").status == 0)
        let format = notation == "--csv" ? "csv" : "json"
        #expect(try load(written, "--format", format).output == "2 objects imported\n")
        let again = try fixture.run(arguments: shown).output
        #expect(
            again.replacing("\"_id\": 3", with: "\"_id\": 1").replacing("\"_id\": 4", with: "\"_id\": 2")
                .replacing("\r\n3,", with: "\r\n1,").replacing("\r\n4,", with: "\r\n2,") == written
        )
    }

    @Test func theExtensionDeterminesTheFormat() throws {
        let csv = try fixture.folder.write(Data("name\nAda\n".utf8), "a.csv")
        let json = try fixture.folder.write(Data(#"{"name": "Bob"}"#.utf8), "a.jsonl")
        let other = try fixture.folder.write(Data("name\nCid\n".utf8), "a.txt")
        #expect(try fixture.run("store", "import", fixture.store, "Patient", csv).status == 0)
        #expect(try fixture.run("store", "import", fixture.store, "Patient", json).output == "1 object imported\n")
        #expect(try fixture.run("store", "import", fixture.store, "Patient", other).status == 64)
        #expect(try fixture.run("store", "import", fixture.store, "Patient").status == 64)
        #expect(try rows().count == 3)
    }

    @Test func acceptsTheNamesOfColumns() throws {
        let text = "Nom,Note,Age\nAda,x,36\n"
        #expect(try load(text, "--format", "csv", "--columns", "name, -, age").messages == "")
        #expect(try load("Bob,20\n", "--format", "csv", "--columns", "name,age", "--no-header").messages == "")
        #expect(try load("Note,Nom\nx,Cid\n", "--format", "csv", "--columns", "-,name").messages == "")
        #expect(try rows().dropFirst() == ["1,Ada,36,,,,,,", "2,Bob,20,,,,,,", "3,Cid,,,,,,,"])
    }

    @Test func anOptionIsNotAListOfColumns() throws {
        let run = try load("Ada\n", "--format", "csv", "--columns", "--no-header")
        #expect(run.status == 64)
        #expect(run.messages.contains("--columns requires the names of the columns, not the option “--no-header”"))
        #expect(try rows().count == 1)
    }

    private static let family = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Animal", "attributes": [ { "name": "name", "type": "string" } ] },
          { "name": "Dog", "parent": "Animal" },
          { "name": "Record", "attributes": [ { "name": "entity", "type": "string" } ] }
        ] }
        """

    /// Creates two stores with a model in which an entity has a sub-entity.
    private func families() throws -> (String, String) {
        let model = try fixture.folder.write(Data(Self.family.utf8), "family.json")
        let stores = (fixture.folder.path("a.sqlite"), fixture.folder.path("b.sqlite"))
        #expect(try fixture.run("store", "create", stores.0, "--model", model).status == 0)
        #expect(try fixture.run("store", "create", stores.1, "--model", model).status == 0)
        return stores
    }

    @Test(arguments: ["csv", "json"]) func importsTheOutputOfShowWithSubentities(format: String) throws {
        let (source, target) = try families()
        let show = ["Animal", "--\(format)", "--sort", "name"]
        #expect(try fixture.run("store", "insert", source, "Animal", "name=a").status == 0)
        let shown = try fixture.run(arguments: ["store", "show", source] + show).outputBytes
        #expect(String(decoding: shown, as: UTF8.self).contains("entity"))
        let load = ["store", "import", target, "Animal", "-", "--format", format]
        #expect(try fixture.run(arguments: load, input: shown).output == "1 object imported\n")
        #expect(try fixture.run(arguments: ["store", "show", target] + show).outputBytes == shown)
        #expect(try fixture.run("store", "insert", source, "Dog", "name=b").status == 0)
        let both = try fixture.run(arguments: ["store", "show", source] + show).outputBytes
        let refused = try fixture.run(arguments: load, input: both)
        #expect(refused.status == 65)
        #expect(refused.messages.hasPrefix("error: line 3: the object is one of “Dog”, not “Animal”; "))
        #expect(try fixture.run("store", "show", target, "Animal", "--count").output == "1\n")
    }

    @Test func anAttributeCanHaveTheNameOfTheColumnOfEntities() throws {
        let store = try families().0
        let rows = Data("entity\nDog\n".utf8)
        #expect(try fixture.run("store", "import", store, "Record", "--format", "csv", input: rows).messages == "")
        #expect(try fixture.run("store", "get", store, "Record", "1", "entity").output == "Dog")
    }

    /// Only “store show” adds the column, so a list of columns cannot contain it.
    @Test func theColumnOfEntitiesIsNotAnAttribute() throws {
        let store = try families().0
        let rows = Data("Animal,a\n".utf8)
        let options = ["--format", "csv", "--columns", "entity,name", "--no-header"]
        let run = try fixture.run(arguments: ["store", "import", store, "Animal", "-"] + options, input: rows)
        #expect(run.status == 64)
        #expect(run.messages.contains("“Animal” has no attribute “entity”; it has “name”"))
    }

    @Test(arguments: [
        Refusal(65, "line 3: ", "name,age\nAda,1\nBob,old\n"), Refusal(65, "line 2: ", "name,age\nAda\n"),
        Refusal(65, "line 3: ", "name,age\nAda,1\nAda,2\n"), Refusal(65, "line 2: ", "name\n\"Ada\n"),
        Refusal(65, "line 2: ", "name\n\"Ada\"x\n"), Refusal(65, "line 2: ", "name\nA\"da\n"),
        Refusal(65, "line 4: ", "name,age\n\"A\nB\",1\nBob,99999\n"), Refusal(65, "line 2: ", "age\n1\n"),
        Refusal(65, "line 2: ", "name,notes\nAda,???\n"), Refusal(64, "nme", "nme\nAda\n"),
        Refusal(64, "twice", "name,name\nAda,Bob\n"), Refusal(64, "no name", "name,\nAda,\n"),
        Refusal(65, "is invalid", "name,bed\nAda,{{0\n"), Refusal(65, "“bed”", "name,bed\nAda,{{0\n"),
        Refusal(65, "standard input is empty", ""), Refusal(65, "standard input is empty", "\u{FEFF}\r\n\n"),
    ])
    func rejectsMalformedCSV(refusal: Refusal) throws {
        try check(refusal, "csv")
    }

    /// Fields without text take memory, too.
    @Test func theNumberOfFieldsIsLimited() throws {
        let commas = String(repeating: ",", count: 1 << 17)
        try check(Refusal(65, "line 2: the row has more than 131072 fields", "name\nAda" + commas + "\n"), "csv")
    }

    @Test(arguments: [
        Refusal(65, "line 2: ", #"{"name": "a"}"# + "\n[1]"), Refusal(65, "line 1: ", #"{"name": "a""#),
        Refusal(65, "line 1: ", #"{"name": "a"} x"#), Refusal(65, "line 1: ", #"{"name": a}"#),
        Refusal(65, "line 1: ", #"{"name": "\ud800"}"#), Refusal(65, "line 1: ", #"{"name": "a", "age": 01}"#),
        Refusal(65, "line 1: ", #"{"name": "a", "name": "b"}"#), Refusal(64, "line 1: ", #"{"nme": "a"}"#),
        Refusal(65, "line 1: ", #"{"name": "a", "bed": {"bytes": 3}}"#), Refusal(65, "line 1: ", #"{"name": null}"#),
        Refusal(65, "line 1: ", #"{"name": "a", "bed": [[[}"#), Refusal(65, "line 1: ", #"{"name": "a",}"#),
    ])
    func rejectsMalformedJSON(refusal: Refusal) throws {
        try check(refusal, "json")
    }

    /// RFC 8259, section 2: a JSON text with a list is complete only once its closing bracket has been read.
    @Test(arguments: [
        Refusal(65, "line 2: the list that begins on line 1 does not end", "[\n" + #"{"name": "a"},"# + "\n"),
        Refusal(
            65,
            "line 2: the list that begins on line 1 does not end",
            #"{"version": 1, "entity": "Patient", "objects": ["# + "\n" + #"  {"name": "a"}"#
        ),
        Refusal(65, "line 1: the list that begins on line 1 does not end", "["),
        Refusal(
            65,
            "line 3: the list that begins on line 1 does not end",
            ["[", #"{"name": "a"},"#, "[", #"{"name": "b"}"#, "]\n"].joined(separator: "\n")
        ),
    ])
    func rejectsAListThatDoesNotEnd(refusal: Refusal) throws {
        try check(refusal, "json")
    }

    private func check(_ refusal: Refusal, _ format: String) throws {
        let run = try load(refusal.arguments[1], "--format", format)
        #expect(run.status == refusal.status)
        #expect(run.output == "")
        #expect(run.messages.contains(refusal.arguments[0]), "\(run.messages)")
        #expect(run.messages.split(separator: "\n").count == 1)
        #expect(try rows().count == 1)
    }

    @Test func importsNothingWithoutAKey() throws {
        let text = Data("name,ssn\nAda,123\n".utf8)
        let run = try fixture.run("store", "import", fixture.store, "Patient", "--format", "csv", input: text)
        #expect(run.status == 77)
        #expect(!run.messages.contains("123"))
        let plain = Data("name\nAda\n".utf8)
        #expect(
            try fixture.run("store", "import", fixture.store, "Patient", "--format", "csv", input: plain).status == 0
        )
    }

    @Test func importsManyRows() throws {
        let lines = (0..<20_000).map { "n\($0),\($0 % 100),\"{{0, 0}, {\($0), 1}}\"" }
        let text = "name,age,bed\n" + lines.joined(separator: "\n")
        #expect(try load(text, "--format", "csv").output == "20000 objects imported\n")
        let shown = try rows()
        #expect(shown.count == 20_001)
        #expect(shown.last == "20000,n19999,99,,,,\"{{0, 0}, {19999, 1}}\",,")
        let fault = try load("name\nx\nn777\n", "--format", "csv")
        #expect(fault.messages.hasPrefix("error: line 3: "))
    }
}
