import EncryptionPlugin
import Foundation
import GeometryPlugin
import StandardPlugin
import Testing
import Transformable

/// The output of `--json`, compared with what Foundation reads from it.
@Suite struct JSONOutputTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        let scan = try fixture.folder.write(Data([0, 1, 255]), "scan")
        try fixture.insert("name=A \"b\"", "age=36", "bed={{0, 0}, {2, 1}}", "notes=@\(scan)", "ssn=123")
    }

    private func run(_ arguments: [String], input: Data = Data()) throws -> CommandRun {
        try CommandRun(arguments: arguments, input: input) { keys in
            try TransformerRegistry {
                StandardPlugin()
                GeometryPlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    private func document(_ run: CommandRun, sourceLocation: SourceLocation = #_sourceLocation) throws -> NSDictionary {
        #expect(!run.messages.hasPrefix("error"), "\(run.messages)", sourceLocation: sourceLocation)
        let object = try JSONSerialization.jsonObject(with: run.outputBytes)
        return try #require(object as? NSDictionary, sourceLocation: sourceLocation)
    }

    struct Sample: CustomTestStringConvertible {
        let arguments: [String]
        let document: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., document: String) {
            self.arguments = arguments
            self.document = document
        }
    }

    @Test(arguments: [
        Sample(
            "encode",
            "rect",
            "{{1,2},{3,4}}",
            document: #""expression": "rect", "type": "CGRect", "encoded": "{{1, 2}, {3, 4}}""#
        ),
        Sample(
            "encode",
            "text | base64",
            "AB",
            document: #""expression": "text | base64", "type": "String", "encoded": "QUI=""#
        ),
        // RFC 4648: the bytes 41 42 are QUI=.
        Sample(
            "encode",
            "text",
            "AB",
            document: #""expression": "text", "type": "String", "encoded": {"base64": "QUI="}"#
        ),
        Sample(
            "encode",
            "text",
            "AB",
            "--hex",
            document: #""expression": "text", "type": "String", "encoded": {"hex": "4142"}"#
        ),
        Sample(
            "encode",
            "json",
            #"{"a": [{"b": 1.5}]}"#,
            "--extract",
            "a.0",
            "--hex",
            document:
                #""expression": "json", "type": "JSONValue", "path": "a.0", "encoded": {"hex": "7b2262223a312e357d"}"#
        ),
        Sample(
            "decode",
            "rect",
            "{{1, 2}, {3, 4}}",
            document: #""expression": "rect", "type": "CGRect", "value": "{{1, 2}, {3, 4}}""#
        ),
        Sample("decode", "text", "a\"\n", document: #""expression": "text", "type": "String", "value": "a\"\n""#),
        Sample(
            "decode",
            "json",
            #"{"a": ["x", 2]}"#,
            document: #""expression": "json", "type": "JSONValue", "value": {"a": ["x", 2]}"#
        ),
        Sample(
            "decode",
            "json",
            #"{"a": ["x", 2]}"#,
            "--extract",
            "a.0",
            document: #""expression": "json", "type": "JSONValue", "path": "a.0", "value": "x""#
        ),
        Sample(
            "decode",
            "gzip",
            "--base64",
            "H4sIAAAAAAAC/3N0AgAHTGkwAgAAAA==",
            document: #""expression": "gzip", "type": "Data", "value": {"base64": "QUI="}"#
        ),
    ])
    func containsTheValue(sample: Sample) throws {
        let expected = Data("{\"version\": 1, \(sample.document)}".utf8)
        let found = try document(run(sample.arguments + ["--json"]))
        #expect(try found == JSONSerialization.jsonObject(with: expected) as? NSDictionary, "\(found)")
    }

    @Test(arguments: [
        Sample("name", document: #""value": "A \"b\"""#), Sample("age", document: #""value": 36"#),
        Sample("weight", document: #""value": null"#), Sample("bed", document: #""value": "{{0, 0}, {2, 1}}""#),
        Sample("notes", document: #""value": {"base64": "AAH/"}"#),
        Sample("notes", "--hex", document: #""stored": {"hex": "0001ff"}"#),
        Sample("ssn", document: #""value": "123""#), Sample("weight", "--hex", document: #""stored": null"#),
    ])
    func containsAStoredValue(sample: Sample) throws {
        let name = sample.arguments[0]
        let expected = Data(
            #"{"version": 1, "entity": "Patient", "id": 1, "attribute": "\#(name)", \#(sample.document)}"#.utf8
        )
        let arguments =
            ["store", "get", fixture.store, "Patient", "1"] + sample.arguments + [
                "--json", "--key-file", fixture.keyFile,
            ]
        let found = try document(fixture.run(arguments: arguments))
        #expect(try found == JSONSerialization.jsonObject(with: expected) as? NSDictionary, "\(found)")
    }

    @Test func extractsAPartOfAStoredValue() throws {
        let store = fixture.folder.path("settings.sqlite")
        let model = Data(
            #"{"transformableModel": 1, "entities": [{"name": "S", "attributes": [{"name": "v", "transformer": "json"}]}]}"#
                .utf8
        )
        #expect(try run(["store", "create", store, "--model", "-"], input: model).messages == "")
        #expect(try run(["store", "insert", store, "S", #"v={"a": [{"b": "x\ny"}, 1.5]}"#]).messages == "")
        let get = ["store", "get", store, "S", "1", "v"]
        #expect(try run(get + ["--extract", "a.0.b"]).output == #""x\ny""# + "\n")
        #expect(try run(get + ["--extract", "a.0.b", "--raw"]).output == "x\ny")
        #expect(try run(get + ["--extract", "a.1"]).output == "1.5\n")
        #expect(try document(run(get + ["--extract", "a.0", "--json"]))["value"] as? [String: String] == ["b": "x\ny"])
        #expect(try run(get + ["--extract", "a.7"]).status == 66)
        #expect(try run(get + ["--extract", "a", "--hex"]).status == 64)
        #expect(try run(get + ["--json", "--raw"]).status == 64)
        #expect(try fixture.get(1, "age", "--extract", "a").status == 64)
    }

    @Test(arguments: [
        "list", "explain text", "inspect STORE", "store show STORE", "store show STORE Patient",
        "store show STORE Patient --count",
        "store verify STORE", "keys list KEYS", "roundtrip text a",
    ])
    func hasAVersion(command: String) throws {
        let arguments = command.replacing("STORE", with: fixture.store).replacing("KEYS", with: fixture.keyFile)
        let found = try document(fixture.run(arguments: arguments.split(separator: " ").map(String.init) + ["--json"]))
        #expect(found["version"] as? Int == 1)
    }

    @Test func theOutputOfShowCanBeImported() throws {
        let shown = try fixture.run("store", "show", fixture.store, "Patient", "--columns", "_id,age,bed", "--json")
        let rows = shown.output.replacing("\"_id\": 1", with: "\"name\": \"Bob\"")
        let load = ["store", "import", fixture.store, "Patient", "--format", "json"]
        #expect(try fixture.run(arguments: load, input: Data(rows.utf8)).output == "1 object imported\n")
        #expect(try fixture.get(2, "bed").output == "{{0, 0}, {2, 1}}\n")
        let newer = rows.replacing("\"version\": 1", with: "\"version\": 2")
        #expect(try fixture.run(arguments: load, input: Data(newer.utf8)).status == 65)
    }
}
