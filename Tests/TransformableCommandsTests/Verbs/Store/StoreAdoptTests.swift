import Foundation
import GRDB
import Testing

/// The command `store adopt`, with a small Core Data store that was written by hand as SQL.
struct StoreAdoptTests {
    private static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Entry" representedClassName="Entry" syncable="YES">
                <attribute name="amount" optional="YES" attributeType="Decimal"/>
                <attribute name="place" optional="YES" attributeType="String"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="Person" inverseName="entries" inverseEntity="Person"/>
            </entity>
            <entity name="Person" representedClassName="Person" syncable="YES">
                <attribute name="name" attributeType="String"/>
                <relationship name="entries" optional="YES" toMany="YES" deletionRule="Nullify"
                    destinationEntity="Entry" inverseName="author" inverseEntity="Entry"/>
            </entity>
        </model>
        """

    private static let sql = """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Entry', 0, 5), (2, 'Person', 0, 1);
        INSERT INTO Z_METADATA VALUES (1, '0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11', NULL);
        CREATE TABLE ZENTRY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, ZAMOUNT DECIMAL,
            ZPLACE VARCHAR);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
        INSERT INTO ZPERSON VALUES (1, 2, 1, 'Ada');
        INSERT INTO ZENTRY VALUES (2, 1, 1, 1, 0.5, 'Paris'), (5, 1, 1, 9, 'NaN', NULL)
        """

    private let folder: TemporaryFolder
    private var store: String { folder.path("Journal.sqlite") }
    private var model: String { folder.path("Journal.xcdatamodeld") }
    private var target: String { folder.path("adopted.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        let version = folder.url.appending(path: "Journal.xcdatamodeld/Journal.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(Self.xml.utf8).write(to: version.appending(path: "contents"))
        let queue = try DatabaseQueue(path: folder.path("Journal.sqlite"))
        try queue.write { try $0.execute(sql: Self.sql) }
        try queue.close()
    }

    @Test func createsAStoreAndReports() throws {
        let run = try CommandRun("store", "adopt", store, "--model", model, "--out", target, "--verify")
        #expect(run.status == 0, "\(run.messages)")
        #expect(
            run.output == """
                Entry: 2 objects, 3 values
                Person: 1 object, 1 value
                Entry.author: 1 reference, 1 dangling
                note: Entry.amount: 1 value “not a number”, which a decimal attribute cannot hold, stored as missing values
                note: Entry.author: left out 1 reference to objects that do not exist (of object 5)
                adopted 3 objects, 1 reference, and 0 files into “\(target)”
                every value can be decoded

                """
        )
        let shown = try CommandRun("store", "show", target, "Entry", "--json")
        #expect(shown.output.contains("Paris"))
        #expect(try CommandRun("store", "verify", target).status == 0)
    }

    @Test func aDryRunReportsWithoutWriting() throws {
        let before = try folder.names
        let run = try CommandRun("store", "adopt", store, "--model", model, "--dry-run", "--json")
        #expect(run.status == 0, "\(run.messages)")
        let report = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        #expect(report["objects"] as? Int == 3)
        #expect(report["dangling"] as? Int == 1)
        #expect(report["uuid"] as? String == "0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11")
        #expect(try folder.names == before)
    }

    @Test func namesTheVersionThatMatches() throws {
        let versions = folder.url.appending(path: "Journal.xcdatamodeld")
        let newer = versions.appending(path: "Journal 2.xcdatamodel")
        try FileManager.default.createDirectory(at: newer, withIntermediateDirectories: true)
        let xml = Self.xml.replacing("name=\"place\"", with: "name=\"location\"")
        try Data(xml.utf8).write(to: newer.appending(path: "contents"))
        let current = """
            <?xml version="1.0"?><plist version="1.0"><dict>
            <key>_XCCurrentVersionName</key><string>Journal 2.xcdatamodel</string></dict></plist>
            """
        try Data(current.utf8).write(to: versions.appending(path: ".xccurrentversion"))
        let run = try CommandRun("store", "adopt", store, "--model", model, "--out", target)
        #expect(run.status == 78)
        let sentence = "the store matches the version “Journal” of the app's model; select it with --model-version\n"
        #expect(run.messages.hasSuffix(sentence))
        let arguments = ["store", "adopt", store, "--model", model, "--model-version", "Journal", "--out", target]
        #expect(try CommandRun(arguments: arguments).status == 0)
    }

    @Test func adoptsWithAGivenModel() throws {
        let json = """
            {"transformableModel": 1, "version": 3, "entities": [
              {"name": "Person", "attributes": [{"name": "name", "type": "string"}]}
            ]}
            """
        let own = try folder.write(Data(json.utf8), "own.json")
        let run = try CommandRun("store", "adopt", store, "--model", model, "--as", own, "--out", target)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output.hasSuffix("adopted 1 object, 0 references, and 0 files into “\(target)”\n"))
    }

    @Test(arguments: [false, true])
    func reportsValuesAgainstTheRulesOfTheModel(isRehearsal: Bool) throws {
        let json = """
            {"transformableModel": 1, "version": 1, "entities": [
              {"name": "Entry", "attributes": [
                {"name": "amount", "type": "decimal", "optional": true, "minimum": 1},
                {"name": "place", "type": "string", "optional": true, "pattern": "R.*"}
              ]},
              {"name": "Person", "attributes": [{"name": "name", "type": "string", "maximumLength": 3}]}
            ]}
            """
        let own = try folder.write(Data(json.utf8), "own.json")
        let arguments = ["store", "adopt", store, "--model", model, "--as", own]
        let run = try CommandRun(arguments: arguments + (isRehearsal ? ["--dry-run"] : ["--out", target]))
        #expect(run.status == 0, "\(run.messages)")
        let text = "1 value against the attribute's rules, such as a maximum or a pattern, kept as stored\n"
        #expect(run.output.contains("note: Entry.amount: \(text)"), "\(run.output)")
        #expect(run.output.contains("note: Entry.place: \(text)"))
        #expect(!run.output.contains("Person.name"))
    }

    @Test(arguments: [
        (#""tenants": true,"#, #""type": "string""#, "adopt it with a model without tenants"),
        ("", #""transformer": "text""#, "convert them with “store reseal --to … --scrub”"),
    ])
    func saysHowToAdoptIntoOtherModels(tenants: String, type: String, message: String) throws {
        let json = """
            {"transformableModel": 1, "version": 1, \(tenants) "entities": [
              {"name": "Person", "attributes": [{"name": "name", \(type)}]}
            ]}
            """
        let own = try folder.write(Data(json.utf8), "own.json")
        let run = try CommandRun("store", "adopt", store, "--model", model, "--as", own, "--out", target)
        #expect(run.status == 78)
        #expect(run.messages.contains(message), "\(run.messages)")
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func failsOnDanglingReferencesOnRequest() throws {
        let before = try folder.names
        let run = try CommandRun("store", "adopt", store, "--model", model, "--out", target, "--dangling", "fail")
        #expect(run.status == 65)
        #expect(run.messages.contains("Entry.author"))
        #expect(try folder.names == before)
    }

    /// Arguments after the store, and the exit status.
    struct Refusal: CustomStringConvertible {
        let arguments: [String]
        let status: Int32
        var description: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Refusal(arguments: ["--out", "new.sqlite"], status: 78), Refusal(arguments: [], status: 64),
        Refusal(arguments: ["--out", "new.sqlite", "--model-version", "2"], status: 64),
        Refusal(arguments: ["--dry-run", "--verify"], status: 64),
        Refusal(arguments: ["--out", "new.sqlite", "--dangling", "maybe"], status: 64),
    ])
    func rejectsInvalidArguments(_ refusal: Refusal) throws {
        let arguments = refusal.arguments.map { $0 == "new.sqlite" ? target : $0 }
        let run = try CommandRun(arguments: ["store", "adopt", store] + arguments)
        #expect(run.status == refusal.status)
        #expect(run.status == 64 || run.messages.hasSuffix("give the app's model with --model\n"), "\(run.messages)")
    }

    @Test(arguments: [["inspect"], ["model", "show"], ["store", "adopt", "--dry-run"]])
    func readingCreatesNoFiles(verb: [String]) throws {
        let writer = try DatabasePool(path: store)
        try writer.write { try $0.execute(sql: "UPDATE ZENTRY SET ZPLACE = 'Rome'") }
        let copy = folder.path("copy.sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix) }
        try writer.close()
        let before = try folder.names
        _ = try CommandRun(arguments: verb + [copy])
        #expect(try folder.names == before)
    }

    @Test(arguments: [["inspect"], ["model", "show"], ["store", "adopt", "--dry-run", "--model", "MODEL"]])
    func keepsALogThatCannotBeRead(verb: [String]) throws {
        let writer = try DatabasePool(path: store)
        try writer.write { try $0.execute(sql: "UPDATE ZENTRY SET ZPLACE = 'Rome'") }
        let copy = folder.path("copy.sqlite")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix) }
        try writer.close()
        var log = try Data(contentsOf: URL(filePath: "\(copy)-wal"))
        log[20] ^= 1
        try log.write(to: URL(filePath: "\(copy)-wal"))
        let run = try CommandRun(arguments: verb.map { $0 == "MODEL" ? model : $0 } + [copy])
        #expect(try Data(contentsOf: URL(filePath: "\(copy)-wal")) == log)
        let expected = "note: the write-ahead log is damaged: its header is invalid, so none of its changes were read"
        #expect(run.output.contains(expected) == verb.contains("adopt"), "\(run.output)\(run.messages)")
        #expect(run.messages.contains(expected) == (verb == ["inspect"]), "\(run.messages)")
    }

    @Test(arguments: [["store", "adopt", "--dry-run"], ["model", "show"], ["store", "show"], ["store", "verify"]])
    func keepsTheLogOfAnEmptyFile(verb: [String]) throws {
        let empty = try folder.write(Data(), "empty.sqlite")
        let log = try folder.write(Data(repeating: 1, count: 5000), "empty.sqlite-wal")
        let run = try CommandRun(arguments: verb + [empty])
        #expect(run.status == 65)
        #expect(run.messages.contains("is empty, but its log"))
        #expect(try Data(contentsOf: URL(filePath: log)).count == 5000)
    }

    @Test func saysThatADatabaseIsDamaged() throws {
        let start = Data("SQLite format 3\0".utf8)
        let damaged = try folder.write(start + Data(repeating: 0xFF, count: 5000), "damaged.sqlite")
        for verb in [["model", "show"], ["store", "adopt", "--dry-run"]] {
            let run = try CommandRun(arguments: verb + [damaged])
            #expect(run.status == 65, "\(verb)")
            #expect(!run.messages.contains("SQLite error"), "\(run.messages)")
        }
    }

    @Test func rejectsOtherFiles() throws {
        let text = try folder.write(Data(repeating: 65, count: 2000), "text.sqlite")
        let run = try CommandRun("store", "adopt", text, "--dry-run")
        #expect(run.status == 65, "\(run.messages)")
        #expect(try CommandRun("store", "adopt", folder.path("none.sqlite"), "--dry-run").status == 66)
        try Data().write(to: URL(filePath: target))
        #expect(try CommandRun("store", "adopt", store, "--model", model, "--out", target).status == 73)
    }
}
