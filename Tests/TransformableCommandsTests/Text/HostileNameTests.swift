import Foundation
import GRDB
import ImagePlugin
import Testing
import Transformable

/// What hostile files contain must not control the terminal, or pass for what a command says itself.
@Suite struct HostileNameTests {
    /// A gray picture of one pixel, which Python wrote with `zlib` and `struct`.
    ///
    /// The camera's make is `Canon\n  width:         9999`. The texts are `x` with the keyword
    /// `\x1b]0;pwned\x07\x1b[2J`, and `9` with the keyword `width`.
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAANmVYSWZNTQAqAAAACAABAQ8AAgAAABwAAAAaAAAAAENhbm9uCiAgd2lk\
        dGg6ICAgICAgICAgOTk5OQBnq7xDAAAAEHRFWHQbXTA7cHduZWQHG1sySgB4CBrfQAAAAAd0RVh0d2lkdGgAOStlZJwAAAAKSURBVHic\
        Y2AHAAAJAAggI8OMAAAAAElFTkSuQmCC
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func inspect(_ arguments: String...) throws -> CommandRun {
        let bytes = try #require(Data(base64Encoded: Self.picture))
        return try CommandRun(arguments: ["inspect", "-"] + arguments, input: bytes) { _ in
            try TransformerRegistry { ImagePlugin() }
        }
    }

    @Test func aPictureCannotControlTheTerminalOrForgeALine() throws {
        let output = try inspect().output
        let lines = output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("  width: ") }.map { $0.split(separator: " ").last } == ["1"])
        #expect(lines.filter { $0.hasPrefix("  make: ") }.count == 1)
        #expect(lines.contains { $0.hasSuffix("  Canon\\n  width:         9999") })
        #expect(!output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test func aPictureCannotForgeAMemberOfTheJSON() throws {
        let report = try #require(
            try JSONSerialization.jsonObject(with: inspect("--json").outputBytes) as? [String: Any]
        )
        let facts = try #require(report["facts"] as? [String: Any])
        #expect(facts["width"] as? Int == 1)
        #expect(facts["text “width”"] as? Int == 9)
    }

    /// A store like Core Data's whose entity has a name that clears the screen.
    @Test func anEntityOfACoreDataStoreCannotControlTheTerminal() throws {
        let path = folder.path("notes.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
                        Z_MAX INTEGER);
                    INSERT INTO Z_METADATA VALUES (1, '8E430534-5F59-49DB-9479-C3290AE2713E', x'00');
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note' || char(27) || '[2J' || char(10) || 'x', 0, 0);
                    """
            )
        }
        try queue.close()
        let run = try CommandRun("inspect", path)
        #expect(run.output.hasSuffix("\n  Note\\u{1b}[2J\\nx:  not readable\n"), "\(run.output)\(run.messages)")
    }

    /// A Core Data model whose entity has a name that clears the screen, with the control character that begins a
    /// sequence in one byte of Latin-1.
    private func model() throws -> String {
        let version = folder.url.appending(path: "Notes.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Note\u{9B}2J" representedClassName="Note" syncable="YES"/>
            </model>
            """
        try Data(xml.utf8).write(to: version.appending(path: "contents"))
        return version.path
    }

    @Test func aNameInJSONCannotControlTheTerminalAndStaysTheSame() throws {
        let run = try CommandRun("model", "show", model(), "--json")
        #expect(run.output.contains("\"Note\\u009b2J\""), "\(run.output)\(run.messages)")
        let report = try #require(try JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        let items = try #require(report["items"] as? [[String: Any]])
        #expect(items.first?["name"] as? String == "Note\u{9B}2J")
    }

    private func createStore(_ more: String = "") throws -> String {
        let path = folder.path("store.sqlite")
        let json = """
            {"transformableModel": 1, "version": 1, "entities": [
              {"name": "Note", "attributes": [{"name": "text", "type": "string"}]}
            ]\(more)}
            """
        let run = try CommandRun("store", "create", path, "--model", "-", input: Data(json.utf8))
        #expect(run.status == 0, "\(run.messages)")
        return path
    }

    @Test func aConditionInAStoreCannotControlTheTerminal() throws {
        let request = #", "fetchRequests": [{"name": "all", "entity": "Note", "where": "text == 'a\u009b2J'"}]"#
        let path = try createStore(request)
        let text = try CommandRun("store", "schema", path).output
        #expect(text.contains("a\\u{9b}2J"), "\(text)")
        #expect(!text.unicodeScalars.contains("\u{9B}"))
        let json = try CommandRun("store", "schema", path, "--json").output
        #expect(json.contains("a\\u009b2J"), "\(json)")
        #expect(!json.unicodeScalars.contains("\u{9B}"))
    }

    @Test(arguments: [(true, "a\\u{1b}[2Jb"), (false, "a\u{1B}[2Jb")])
    func rowsInCSVAreEscapedOnlyAtATerminal(isTerminal: Bool, shown: String) throws {
        let path = try createStore()
        #expect(try CommandRun("store", "insert", path, "Note", "text=a\u{1B}[2Jb").status == 0)
        let run = try CommandRun("store", "show", path, "Note", "--csv", "--columns", "text", terminal: isTerminal)
        #expect(run.output == "text\r\n\(shown)\r\n", "\(run.output)\(run.messages)")
    }
}
