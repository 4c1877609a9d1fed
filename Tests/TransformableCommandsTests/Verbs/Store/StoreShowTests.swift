import Foundation
import Testing
import Transformable

/// The objects and columns that `store show` shows, and the aggregates that it computes.
@Suite struct StoreShowTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        try fixture.insert("name=Ada", "age=36", "weight=60.5", "born=1815-12-10T00:00:00Z")
        try fixture.insert("name=Bob", "age=20", "weight=70.25")
        try fixture.insert("name=Cid", "age=36", "weight=0.25")
        try fixture.insert("name=Dot")
    }

    private func show(_ options: [String]) throws -> CommandRun {
        try fixture.run(arguments: ["store", "show", fixture.store, "Patient"] + options)
    }

    @Test(arguments: [
        (["--columns", "name,age"], ["name,age", "Ada,36", "Bob,20", "Cid,36", "Dot,"]),
        (
            ["--columns", "age, _id,entity"],
            ["age,_id,entity", "36,1,Patient", "20,2,Patient", "36,3,Patient", ",4,Patient"]
        ),
        (["--columns", "name", "--sort", "name desc", "--limit", "2"], ["name", "Dot", "Cid"]),
        (["--columns", "name", "--sort", "name desc", "--limit", "2", "--offset", "1"], ["name", "Cid", "Bob"]),
        (["--columns", "name", "--offset", "3"], ["name", "Dot"]), (["--columns", "name", "--offset", "9"], ["name"]),
        (["--count"], ["count", "4"]), (["--count", "--where", "age > 30"], ["count", "2"]),
        // 60.5 + 70.25 + 0.25 = 131, and 131 / 3 = 43.666…
        (["--sum", "weight", "--sum", "age"], ["sum(weight),sum(age)", "131.0,92"]),
        (
            ["--min", "name", "--max", "born", "--average", "age"],
            ["min(name),max(born),average(age)", "Ada,1815-12-10T00:00:00Z,30.666666666666668"]
        ),
        (["--group-by", "age"], ["age,count", ",1", "20,1", "36,2"]),
        (
            ["--group-by", "age", "--count", "--sum", "weight", "--where", "weight > 1"],
            ["age,count,sum(weight)", "20,1,70.25", "36,1,60.5"]
        ),
        (
            ["--group-by", "age,name", "--max", "weight", "--where", "age == 36"],
            ["age,name,max(weight)", "36,Ada,60.5", "36,Cid,0.25"]
        ),
        (["--sum", "age", "--max", "age", "--where", "false"], ["sum(age),max(age)", "0,"]),
        (["--group-by", "age", "--where", "false"], ["age,count"]),
    ])
    func showsObjects(options: [String], lines: [String]) throws {
        let run = try show(options + ["--csv", "--key-file", fixture.keyFile])
        #expect(run.messages == "")
        #expect(run.output.components(separatedBy: "\r\n") == lines + [""])
    }

    @Test func writesTheSameRowsInOtherFormats() throws {
        #expect(try show(["--count"]).output == "4\n")
        #expect(try show(["--group-by", "age", "--where", "age > 0"]).output == "age  count\n20   1\n36   2\n")
        let run = try show(["--group-by", "age", "--sum", "weight", "--json", "--where", "age > 30"])
        let document = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        #expect(document["groups"] as? [[String: Double]] == [["age": 36, "sum(weight)": 60.75]])
    }

    @Test(arguments: [
        Refusal(64, "Patient", "--columns", "nme"), Refusal(64, "Patient", "--columns", "name,name"),
        Refusal(64, "Patient", "--columns", ""), Refusal(64, "Patient", "--offset", "-1"), Refusal(64, "--count"),
        Refusal(64, "Patient", "--count", "--limit", "1"), Refusal(64, "Patient", "--sum", "age", "--columns", "age"),
        Refusal(64, "Patient", "--sum", "name"), Refusal(64, "Patient", "--sum", "nme"),
        Refusal(66, "Person", "--count"),
        Refusal(64, "Patient", "--group-by", "bed"), Refusal(64, "Patient", "--group-by", "age,age"),
        Refusal(64, "Patient", "--sum", "age", "--sum", "age"), Refusal(64, "--columns", "name"),
        Refusal(64, "Patient", "--count", "--where", "age ="),
    ])
    func rejectsMeaninglessOptions(refusal: Refusal) throws {
        let arguments = ["store", "show", fixture.store] + refusal.arguments + ["--key-file", fixture.keyFile]
        let run = try fixture.run(arguments: arguments)
        #expect(run.status == refusal.status, "\(run.messages)")
        #expect(run.output == "")
        #expect(run.messages.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["--min", "--group-by"])
    func saysWhatSealedValuesAllow(option: String) throws {
        let run = try show([option, "ssn", "--key-file", fixture.keyFile])
        #expect(run.status == 64)
        #expect(run.messages.contains("it can only be compared with values: nothing can be computed from it"))
        #expect(!run.messages.contains("“!”"))
    }

    @Test func sumsDecimalsExactly() throws {
        let model = """
            { "transformableModel": 1, "entities": [ { "name": "Sale", "attributes": [
              { "name": "price", "type": "decimal" }, { "name": "day", "type": "date", "optional": true } ] } ] }
            """
        let store = fixture.folder.path("sales.sqlite")
        #expect(try CommandRun("store", "create", store, "--model", "-", input: Data(model.utf8)).status == 0)
        for price in ["0.1", "0.2", "12345678901234567890.05"] {
            #expect(try CommandRun("store", "insert", store, "Sale", "price=\(price)").status == 0)
        }
        let run = try CommandRun("store", "show", store, "Sale", "--sum", "price", "--max", "price", "--csv")
        #expect(run.output == "sum(price),max(price)\r\n12345678901234567890.35,12345678901234567890.05\r\n")
    }
}
