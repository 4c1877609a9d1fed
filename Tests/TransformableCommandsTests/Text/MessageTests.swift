import EncryptionPlugin
import Foundation
import GeometryPlugin
import ImagePlugin
import Testing
import Transformable

/// The contents of messages, and what they must not reveal.
@Suite struct MessageTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func privateFile(_ text: String, _ name: String, mode: Int = 0o600) throws -> String {
        let path = try fixture.folder.write(Data(text.utf8), name)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func aPassphraseFileIsNotAKeyFile() throws {
        let open = try privateFile("secret\n", "passphrase", mode: 0o644)
        for (path, status) in [(open, 77), (fixture.folder.path("none"), 77)] {
            let run = try fixture.run("keys", "list", fixture.keyFile, "--passphrase-file", path)
            #expect(run.status == Int32(status))
            #expect(run.messages.hasPrefix("error: the passphrase file “\(path)”"), "\(run.messages)")
            #expect(!run.messages.contains("key file"))
        }
        let empty = try privateFile("\n", "empty")
        let run = try fixture.run("keys", "list", fixture.keyFile, "--passphrase-file", empty)
        #expect(run.messages.contains("the first line of the passphrase file “\(empty)” is empty"), "\(run.messages)")
    }

    @Test(
        arguments: [
            ("no JSON", 77), ("{}", 77),
            (#"{"transformableKeyRing": 1, "keys": [{"name": "a", "generations": []}]}"#, 77),
            (#"{"transformableKeyRing": 7}"#, 65),
        ] as [(String, Int32)]
    )
    func anInvalidKeyRingIsNamed(text: String, status: Int32) throws {
        let path = try privateFile(text, "bad.keys")
        let run = try fixture.run("store", "show", fixture.store, "Patient", "--key-file", path)
        #expect(run.status == status)
        #expect(run.messages.contains("“\(path)”"), "\(run.messages)")
    }

    /// Lines and columns are counted by hand.
    @Test(arguments: [
        (
            "{\n  \"transformableModel\": 1,\n  \"entities\": [ { \"name\": \"A\", \"attributes\": [\n    { \"name\": \"x\", \"type\": \"strin\" } ] } ] }",
            "line 4, column 28: "
        ),
        (
            "{\n  \"transformableModel\": 1,\n  \"entities\": [ { \"name\": \"Ä\", \"more\": 1 } ] }",
            "line 3, column 40: "
        ),
        (
            "{ \"transformableModel\": 1, \"entities\": [\n\t{ \"name\": \"A\", \"attributes\": [\n{ \"name\": \"x\", \"type\": \"string\", \"minimum\": 3 } ] } ] }",
            "line 3, column 1: A.x"
        ),
        (
            "{ \"transformableModel\": 1, \"entities\": [\n\t{ \"name\": \"\\u0041\", \"attributes\": [\n{ \"name\": \"x\", \"type\": \"string\", \"minimum\": 3 } ] } ] }",
            "line 3, column 1: A.x"
        ),
        ("{ \"transformableModel\": 1,\n  \"entities\": [ }", "line 2, column 17: expected a value"),
    ])
    func reportsThePositionOfAModelError(model: String, place: String) throws {
        let path = fixture.folder.path("new.sqlite")
        let run = try CommandRun("store", "create", path, "--model", "-", input: Data(model.utf8))
        #expect(run.status == 65)
        #expect(run.messages.contains(place), "\(run.messages)")
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value"), ("{\n", "line 2, column 1: expected a key in double quotes"),
        ("{\"ä\" 1}", "line 1, column 6: expected “:”"), ("{\"a\": tru}", "line 1, column 7: “tru” is not"),
        ("{\"a\": [1\n 2]}", "line 2, column 2: expected “,” or “]”"),
        ("{\"a\": \"x\\q\"}", "line 1, column 9: this escape sequence does not exist"),
        ("{a: 1}", "line 1, column 2: expected a key in double quotes"),
        ("{} x", "line 1, column 4: expected the end"),
        (String(repeating: "[", count: 100_000), "line 1, column 514: the nesting is deeper than 512 levels"),
    ])
    func reportsThePositionOfInvalidJSON(model: String, place: String) throws {
        let path = fixture.folder.path("new.sqlite")
        let run = try CommandRun("store", "create", path, "--model", "-", input: Data(model.utf8))
        #expect(run.status == 65)
        #expect(run.messages.hasPrefix("error: the model is not valid JSON: \(place)"), "\(run.messages)")
    }

    @Test func publicFactsOfASealedValueAreShown() throws {
        // A CMYK picture of one pixel, as a PAM file.
        let picture =
            Data("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n".utf8) + Data([1, 2, 3, 4])
        let run = try CommandRun(
            arguments: ["encode", "png | sealed", "--key-file", fixture.keyFile, "-", "--hex"],
            input: picture
        ) { keys in
            try TransformerRegistry {
                ImagePlugin()
                EncryptionPlugin(keys: keys)
            }
        }
        #expect(run.status == 65)
        #expect(
            run.messages
                == "error: png: a PNG cannot hold CMYK; convert the image first, with convert(to: rgb8), or write a JPEG\n"
        )
        let other = try fixture.run("encode", "rect | text | sealed", "hunter2", "--key-file", fixture.keyFile)
        #expect(!other.messages.contains("hunter2"))
    }

    @Test func inspectsKeyFiles() throws {
        let run = try fixture.run("inspect", fixture.keyFile)
        #expect(run.output.hasPrefix("key file\n"))
        #expect(run.output.contains("primary"))
        let text = try String(contentsOfFile: fixture.keyFile, encoding: .utf8)
        let secret = try #require(text.range(of: "tfm-key-")).upperBound
        #expect(!run.output.contains(text[secret...].prefix(16)))
        let passphrase = try privateFile("long enough\n", "passphrase")
        let path = fixture.folder.path("protected.keys")
        #expect(try fixture.run("keys", "new", path, "--passphrase-file", passphrase).messages == "")
        #expect(try fixture.run("inspect", path).output.contains("a passphrase (Argon2id"))
    }

    @Test func inspectsStoresAsJSON() throws {
        try fixture.insert("name=Ada")
        let run = try fixture.run("inspect", fixture.store, "--json")
        let report = try #require(try JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        let facts = try #require(report["facts"] as? [String: Any])
        #expect(facts["model version"] as? Int == 1)
        #expect(facts["Patient"] == nil)
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Patient", "Visit"])
        #expect(entities.map { $0["objects"] as? Int } == [1, 0])
        let attributes = try #require(entities[0]["attributes"] as? [[String: Any]])
        #expect(attributes.last?["transformer"] as? String == "text | sealed")
        #expect(attributes.first?["isUnique"] as? Bool == true)
    }

    /// The tables that Core Data creates for two entities, one of which inherits from the other.
    @Test func inspectsCoreDataStores() throws {
        let path = fixture.folder.path("notes.sqlite")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [
            path,
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
            INSERT INTO Z_METADATA VALUES (1, '8E430534-5F59-49DB-9479-C3290AE2713E', x'00');
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 3), (2, 'Draft', 1, 0), (3, 'Gone', 0, 0),
                (4, 'Loop', 0, 0), (16001, 'CHANGE', 0, 0);
            INSERT INTO ZNOTE VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 2, 1, 'c');
            CREATE VIEW ZLOOP AS WITH RECURSIVE l(x) AS (SELECT 5 UNION ALL SELECT x + 1 FROM l)
                SELECT x AS Z_PK, x AS Z_ENT FROM l;
            """,
        ]
        try process.run()
        process.waitUntilExit()
        let before = try fixture.folder.names
        let run = try fixture.run("inspect", path)
        #expect(run.output.hasPrefix("Core Data store\n"), "\(run.output)\(run.messages)")
        #expect(run.output.contains("8E430534-5F59-49DB-9479-C3290AE2713E"))
        #expect(run.output.contains("Note:   2 objects"))
        #expect(run.output.contains("Draft:  1 object, a kind of Note"))
        #expect(run.output.hasSuffix("Gone:   not readable\n  Loop:   not readable\n"))
        #expect(try fixture.folder.names == before)
        let json = try fixture.run("inspect", path, "--json").outputBytes
        let report = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["objects"] as? Int } == [2, 1, nil, nil])
    }

    @Test func explainRecommendsTheIndexInTheReadme() throws {
        for values in ["10000", "1000000", "16000000"] {
            let run = try fixture.run("explain", "blind-index(bits: 12)", "--values", values)
            #expect(!run.output.contains("belong to one or two values"), "\(run.output)")
        }
        #expect(
            try fixture.run("explain", "blind-index(bits: 32)", "--values", "10000").output
                .contains("belong to one or two values")
        )
    }
}
