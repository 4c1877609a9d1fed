import Foundation
import Testing
import Transformable

/// Usage errors and their messages.
@Suite struct UsageTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test func reportsAllErrorsOfAModel() throws {
        let model = #"""
            {"transformableModel": 1, "entities": [{"name": "A", "attributes": [
            {"name": "x", "type": "strin", "indexed": true}, {"name": "y", "type": "string", "minimum": 3},
            {"name": "z", "type": "date", "more": 1}], "unique": [["nothing"]]}]}
            """#
        let run = try CommandRun("store", "create", fixture.folder.path("new"), "--model", "-", input: Data(model.utf8))
        #expect(run.status == 65)
        #expect(run.messages.contains("the model has 4 faults"))
        #expect(run.messages.contains("“type” is “strin”, but must be one of int8, int16, "))
        #expect(run.messages.contains("did you mean “string”?"))
        #expect(run.messages.contains("unknown key “more”"))
        #expect(run.messages.contains("A.y has a range, but is not a number"))
        #expect(run.messages.contains("“nothing”, which it does not have"))
    }

    @Test(arguments: ["no JSON", "{\"entities\": [}", ""])
    func reportsAModelThatIsNotJSON(text: String) throws {
        let run = try CommandRun("store", "create", fixture.folder.path("new"), "--model", "-", input: Data(text.utf8))
        #expect(run.status == 65)
        #expect(run.messages.hasPrefix("error: the model is not valid JSON"))
        #expect(!run.messages.contains("Error"))
        #expect(!run.messages.contains("Debug"))
    }

    @Test func createsAStoreWithoutEntities() throws {
        let model = Data(#"{"transformableModel": 1, "entities": []}"#.utf8)
        let path = fixture.folder.path("empty.sqlite")
        let run = try CommandRun("store", "create", path, "--model", "-", input: model)
        #expect(run.output == "created “\(path)” with no entities\n")
        #expect(try CommandRun("store", "create", "", "--model", "-", input: model).status == 64)
    }

    @Test(arguments: [
        ("age = \"x\"", "Patient.age"), ("bed = \"{{0\"", "Patient.bed: it cannot be compared with this value"),
        ("born > \"never\"", "Patient.born"), ("bed = 3", "Patient.bed"),
    ])
    func reportsAnInvalidCondition(condition: String, message: String) throws {
        let run = try fixture.run("store", "show", fixture.store, "Patient", "--where", condition)
        #expect(run.status == 64, "\(run.messages)")
        #expect(run.messages.contains(message), "\(run.messages)")
        #expect(!run.messages.contains("stored"))
    }

    @Test(arguments: [
        String(repeating: "not ", count: 80) + "true", String(repeating: " ", count: 70_000) + "true",
        "age in (\(Array(repeating: "1", count: 30_001).joined(separator: ",")))",
    ])
    func limitsConditions(condition: String) throws {
        let run = try fixture.run("store", "show", fixture.store, "Patient", "--where", condition)
        #expect(run.status == 64, "\(run.messages)")
    }

    @Test func keepsTheOrderOfNegativeNumbers() throws {
        let run = try fixture.run("store", "get", fixture.store, "Patient", "-1", "name")
        #expect(run.status == 64)
        let message = "“-1” looks like an option; put options first, then “--”, then the other arguments"
        #expect(run.messages == "error: \(message)\n")
        #expect(try fixture.run("store", "get", fixture.store, "Patient", "--", "-1", "name").status == 66)
        #expect(try CommandRun("encode", "number", "-5", "--hex").output == "2d35\n")
        #expect(try CommandRun("encode", "number", "--hex", "-5").output == "2d35\n")
    }

    @Test(arguments: [
        ("ok=yes", "A.ok: the text is not a value of type “boolean”: it must be true or false"),
        ("u=7", "A.u: the text is not a value of type “uuid”: it must have hexadecimal digits in the form 8-4-4-4-12"),
    ])
    func saysHowToWriteAValue(value: String, message: String) throws {
        let model = #"""
            {"transformableModel": 1, "entities": [{"name": "A", "attributes": [
            {"name": "ok", "type": "boolean", "optional": true}, {"name": "u", "type": "uuid", "optional": true}]}]}
            """#
        let path = fixture.folder.path("values.sqlite")
        #expect(try CommandRun("store", "create", path, "--model", "-", input: Data(model.utf8)).status == 0)
        let refused = try CommandRun("store", "insert", path, "A", value)
        #expect(refused.status == 65)
        #expect(refused.messages == "error: \(message)\n")
    }

    /// The number is the option's value, not an option of its own.
    @Test(arguments: [
        ["store", "show", "none", "Patient", "--offset", "2", "--limit", "-1"],
        ["store", "show", "none", "Patient", "--limit", "2", "--offset", "-1"], ["explain", "text", "--values", "-1"],
        ["keys", "list", "none", "--passphrase-descriptor", "-1"],
    ])
    func rejectsANegativeCount(arguments: [String]) throws {
        let refused = try CommandRun(arguments: arguments)
        #expect(refused.status == 64)
        let option = try #require(arguments.dropLast().last)
        #expect(refused.messages.hasPrefix("error: \(option) must not be negative"), "\(refused.messages)")
    }

    @Test func showsTheVersion() throws {
        #expect(try CommandRun("--version").output == "1.0.0\n")
    }
}
