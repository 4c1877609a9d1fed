import Foundation
import Testing

/// `store fetch`, and derived attributes in the other commands.
@Suite struct StoreFetchTests {
    private let folder: TemporaryFolder
    private let store: String

    private static let model = """
        { "transformableModel": 1, "entities": [
            { "name": "Patient", "attributes": [
              { "name": "name", "type": "string" }, { "name": "age", "type": "int16", "optional": true },
              { "name": "zip", "type": "string", "default": "1" },
              { "name": "search", "type": "string", "derived": "canonical:(name)" },
              { "name": "visitCount", "type": "int32", "derived": "visits.@count" } ],
              "relationships": [ { "name": "visits", "to": "Visit", "many": true, "inverse": "patient" } ],
              "indexes": [["search", { "name": "age", "descending": true }]] },
            { "name": "Visit", "relationships": [ { "name": "patient", "to": "Patient" } ] } ],
          "fetchRequests": [
            { "name": "older", "entity": "Patient", "where": "age >= $age or age == $exactly", "sortedBy": ["name"] },
            { "name": "living", "entity": "Patient", "where": "zip in $zips", "limit": 5 },
            { "name": "all", "entity": "Patient", "sortedBy": [{ "name": "age", "descending": true }], "offset": 1 } ] }
        """

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        _ = try CommandRun("store", "create", store, "--model", "-", input: Data(Self.model.utf8))
        for arguments in [["name=Zoë", "age=36", "zip=12"], ["name=Bob", "age=20"], ["name=Ann", "zip=true"]] {
            #expect(try CommandRun(arguments: ["store", "insert", store, "Patient"] + arguments).status == 0)
        }
        #expect(try CommandRun("store", "insert", store, "Visit", "patient=2").status == 0)
    }

    private func names(_ arguments: String...) throws -> [String] {
        let run = try CommandRun(arguments: ["store", "fetch", store, "--columns", "name", "--csv"] + arguments)
        #expect(run.messages == "")
        return run.output.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
    }

    @Test func parametersAreLiteralsOrText() throws {
        #expect(try names("--request", "older", "age=30", "exactly=20") == ["Bob", "Zoë"])
        #expect(try names("--request", "older", "age=100", "exactly=null") == ["Ann"])
        #expect(try names("--request", "living", "zips=\"12\"") == ["Zoë"])
        #expect(try names("--request", "living", "zips='1'", "zips=\"true\"") == ["Bob", "Ann"])
        #expect(try names("--request", "all") == ["Bob", "Ann"])
    }

    @Test(
        arguments: [
            (["--request", "older", "age=1"], 64, "$exactly has no value"),
            (["--request", "none"], 64, "older, living, all"),
            (["--request", "older", "age=1", "exactly=1", "x=1"], 64, "no parameter $x"),
            (["--request", "older", "age"], 64, "write name=value"),
            (["--request", "older", "age=1", "age=2", "exactly=1"], 64, "is given twice"),
            (["--request", "older", "age=Ada", "exactly=1"], 64, "cannot be compared"),
        ] as [([String], Int32, String)]
    )
    func rejectsOtherParameters(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let run = try CommandRun(arguments: ["store", "fetch", store] + arguments)
        #expect(run.status == status, "\(run.messages)")
        #expect(run.output == "")
        #expect(run.messages.contains(message), "\(run.messages)")
    }

    @Test func theSchemaListsFetchRequests() throws {
        let schema = try CommandRun("store", "schema", store).output
        #expect(schema.contains("older: Patient where age >= $age or age == $exactly, sorted by name"))
        #expect(schema.contains("all: Patient where true, sorted by age descending, skipping 1"))
        #expect(schema.contains("index: search, age descending"))
        #expect(schema.contains("derived: canonical:(name)"))
    }

    @Test func countsCanBeQueriedButNotSet() throws {
        let options = ["--where", "visitCount == 1", "--columns", "search", "--csv"]
        let show = try CommandRun(arguments: ["store", "show", store, "Patient"] + options)
        #expect(show.output == "search\r\nbob\r\n")
        let set = try CommandRun("store", "set", store, "Patient", "1", "search=x")
        #expect(set.status == 65)
        #expect(set.messages.contains("it is derived (canonical:(name)), so it cannot be set"))
    }

    @Test(arguments: [
        ["show", "--columns", "visitCount"], ["show", "--group-by", "visitCount"], ["get", "1", "visitCount"],
    ])
    func refusesCountsAsColumns(arguments: [String]) throws {
        let run = try CommandRun(
            arguments: ["store", arguments[0], store, "Patient"] + arguments.dropFirst()
        )
        #expect(run.status == 64, "\(run.messages)")
        #expect(run.messages.contains("is a count, which has no column"), "\(run.messages)")
    }

    @Test func countsSortObjects() throws {
        let options = ["--sort", "visitCount desc, name", "--columns", "name", "--csv"]
        let run = try CommandRun(arguments: ["store", "show", store, "Patient"] + options)
        #expect(run.output == "name\r\nBob\r\nAnn\r\nZoë\r\n", "\(run.messages)")
    }

    @Test func shownRowsCanBeImported() throws {
        let rows = try CommandRun("store", "show", store, "Patient", "--csv", "--columns", "_id,name,age,search").output
        let run = try CommandRun("store", "import", store, "Patient", "-", "--format", "csv", input: Data(rows.utf8))
        #expect(run.status == 0, "\(run.messages)")
        #expect(try names("--request", "living", "zips='1'") == ["Bob", "Zoë", "Bob", "Ann"])
    }
}
