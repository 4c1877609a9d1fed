import Foundation
import Testing
import Transformable

/// The option `--tenant` of the commands that work with a store.
@Suite struct StoreTenantTests {
    private let fixture: StoreFixture
    private let store: String

    private static let model = """
        { "transformableModel": 1, "version": 1, "tenants": true, "entities": [
          { "name": "Country", "shared": true, "attributes": [{ "name": "code", "type": "string" }] },
          { "name": "Patient", "attributes": [
            { "name": "name", "type": "string", "unique": true },
            { "name": "ssn", "transformer": "text | sealed", "optional": true }
          ], "relationships": [{ "name": "country", "to": "Country", "optional": true }] }
        ], "fetchRequests": [{ "name": "everybody", "entity": "Patient", "where": "true" }] }
        """

    init() throws {
        fixture = try StoreFixture()
        store = fixture.folder.path("tenants.sqlite")
        let model = try fixture.folder.write(Data(Self.model.utf8), "tenants.json")
        try require(run("create", "--model", model))
        for tenant in ["7", "8"] {
            try require(run("insert", "Patient", "name=Ada", "ssn=123-45-678\(tenant)", "--tenant", tenant))
        }
        try require(run("insert", "Patient", "name=Bob", "--tenant", "8"))
    }

    private func run(_ verb: String, _ arguments: String..., keys: Bool = true) throws -> CommandRun {
        let key = keys ? ["--key-file", fixture.keyFile] : []
        return try fixture.run(arguments: ["store", verb, store] + arguments + key)
    }

    private func require(_ run: CommandRun) throws {
        try #require(run.status == 0, "\(run.messages)")
    }

    @Test func aTenantCanBeNegative() throws {
        try require(run("insert", "Patient", "name=Eve", "--tenant", "-9"))
        #expect(try run("show", "Patient", "--columns", "name", "--csv", "--tenant", "-9").output == "name\r\nEve\r\n")
        #expect(try run("show", "Patient", "--count", "--tenant=-9").output == "1\n")
        #expect(try run("show", "Patient", "--tenant", "-9", "--count").output == "1\n")
        let options = ["--tenant", "-9", "--key-file", fixture.keyFile]
        let arguments = ["store", "get"] + options + ["--", store, "Patient", "4", "name"]
        let get = try fixture.run(arguments: arguments)
        #expect(get.output == "Eve")
        #expect(get.messages == "")
    }

    @Test func showsTheObjectsOfATenant() throws {
        let columns = ["name", "ssn"].joined(separator: ",")
        #expect(
            try run("show", "Patient", "--columns", columns, "--csv", "--tenant", "7").output
                == "name,ssn\r\nAda,123-45-6787\r\n"
        )
        #expect(try run("show", "Patient", "--count", "--tenant", "8").output == "2\n")
        #expect(
            try run("fetch", "--request", "everybody", "--columns", "name", "--csv", "--tenant", "8").output
                == "name\r\nAda\r\nBob\r\n"
        )
        #expect(try run("get", "Patient", "1", "ssn", "--tenant", "7").output == "123-45-6787")
        #expect(try run("get", "Patient", "1", "ssn", "--tenant", "8").status == 66)
    }

    @Test func changesTheObjectsOfATenant() throws {
        try require(run("set", "Patient", "2", "name=Eve", "--tenant", "8"))
        #expect(try run("set", "Patient", "2", "name=Eve", "--tenant", "7").status == 66)
        #expect(
            try run("delete", "Patient", "--where", "true", "--dry-run", "--tenant", "7").output
                == "would delete 1 object of Patient\n"
        )
        let rows = try fixture.folder.write(Data("name\r\nCid\r\n".utf8), "rows.csv")
        try require(run("import", "Patient", rows, "--tenant", "7"))
        #expect(
            try run("show", "Patient", "--columns", "name", "--csv", "--tenant", "7").output == "name\r\nAda\r\nCid\r\n"
        )
        #expect(
            try run("show", "Patient", "--columns", "name", "--csv", "--tenant", "8").output == "name\r\nEve\r\nBob\r\n"
        )
    }

    @Test(arguments: [["show", "Patient"], ["get", "Patient", "1", "name"], ["insert", "Patient", "name=Eve"]])
    func tenantIsRequiredWhereItMatters(arguments: [String]) throws {
        let run = try fixture.run(arguments: ["store", arguments[0], store] + arguments.dropFirst())
        #expect(run.status == 64)
        #expect(run.messages.contains("--tenant"))
    }

    @Test func tenantIsRejectedInAStoreWithoutTenants() throws {
        let other = try fixture.run("store", "show", fixture.store, "Patient", "--tenant", "7")
        #expect(other.status == 64)
        #expect(other.messages.contains("no tenants"))
    }

    @Test func sharedObjectsAndThoseOfAllTenantsAreNamed() throws {
        #expect(
            try run("insert", "Country", "code=FR", "--tenant", "shared", "--dry-run").output
                == "would insert 1 object of Country\n"
        )
        try require(run("insert", "Country", "code=DE", "--tenant", "shared"))
        for tenant in ["7", "all"] {
            #expect(
                try run("show", "Country", "--columns", "code", "--csv", "--tenant", tenant).output == "code\r\nDE\r\n"
            )
        }
        #expect(try run("show", "Patient", "--count", "--tenant", "all").output == "3\n")
        #expect(try run("show", "Patient", "--tenant", "shared").status == 64)
        let way = "which belong to tenants; use --tenant with a number (in code: “write(tenant:)”)"
        let refused = try run("insert", "Patient", "name=Eve", "--tenant", "shared")
        #expect(refused.messages == "error: Patient: the context cannot change its objects, \(way)\n")
        #expect(try run("insert", "Patient", "name=Eve", "--tenant", "all").status == 64)
        #expect(try run("insert", "Patient", "name=Eve", "--tenant", "seven").status == 64)
    }

    @Test func rowsOfAllTenantsNameTheirTenant() throws {
        let all = ["--tenant", "all", "--csv"]
        let shown = try fixture.run(arguments: ["store", "show", store, "Patient", "--where", "name == 'Ada'"] + all)
        #expect(shown.output.split(separator: "\r\n").map { $0.prefix(6) }.sorted() == ["7,1,Ad", "8,2,Ad", "_tenan"])
        #expect(shown.output.hasPrefix("_tenant,_id,name,"), "\(shown.output)")
        let fetch = ["store", "fetch", store, "--request", "everybody"]
        #expect(try fixture.run(arguments: fetch + all).output.hasPrefix("_tenant,_id,"))
        let chosen = try run("show", "Patient", "--columns", "_tenant,name", "--csv", "--tenant", "7").output
        #expect(chosen == "_tenant,name\r\n7,Ada\r\n")
        #expect(try run("show", "Country", "--csv", "--tenant", "all").output == "_id,code\r\n")
        let json = try run("show", "Patient", "--tenant", "all", "--json").output
        #expect(json.contains("{\"_tenant\": 7, \"_id\": 1, \"name\": \"Ada\""), "\(json)")
    }

    @Test func sharedObjectsInUseAreNotDeleted() throws {
        try require(run("insert", "Country", "code=DE", "--tenant", "shared"))
        try require(run("set", "Patient", "1", "country=1", "--tenant", "7"))
        let run = try run("delete", "Country", "1", "--tenant", "shared")
        #expect(run.status == 65)
        #expect(run.messages.contains("it refers to an object of Country"), "\(run.messages)")
        #expect(run.messages.hasSuffix("or that the same change deletes\n"), "\(run.messages)")
    }

    @Test(arguments: [("Country", "code=FR", "7"), ("Patient", "name=Eve", "shared")])
    func objectsAreInsertedForTheirOwnKindOfTenant(entity: String, value: String, tenant: String) throws {
        let run = try run("insert", entity, value, "--tenant", tenant)
        #expect(run.status == 64)
        #expect(run.messages.contains("--tenant"))
    }

    /// The steps in the article “Tenants”.
    @Test func anExportCanBeGivenToATenant() throws {
        let folder = fixture.folder
        let undivided = Self.model.replacing("\"tenants\": true, ", with: "").replacing("\"shared\": true, ", with: "")
        let (old, new, export) = (folder.path("old.sqlite"), folder.path("new.sqlite"), folder.path("exported"))
        let divided = try folder.write(Data(Self.model.utf8), "divided.json")
        let model = try folder.write(Data(undivided.utf8), "undivided.json")
        func step(_ verb: String, _ arguments: String...) throws -> CommandRun {
            let run = try fixture.run(arguments: ["store", verb] + arguments + ["--key-file", fixture.keyFile])
            try require(run)
            return run
        }
        _ = try step("create", old, "--model", model)
        _ = try step("insert", old, "Country", "code=FR")
        _ = try step("insert", old, "Country", "code=DE")
        _ = try step("delete", old, "Country", "1")
        _ = try step("insert", old, "Patient", "name=Ada", "ssn=123", "country=2")
        _ = try step("export", old, "--out", export)
        _ = try step("create", new, "--model", divided)
        let refusal = try fixture.run("store", "import", new, "--folder", export, "--key-file", fixture.keyFile)
        #expect(refusal.messages.contains("as the article “Tenants” describes"), "\(refusal.messages)")

        let schema = try fixture.run("store", "schema", new, "--json").outputBytes
        try schema.write(to: URL(filePath: "\(export)/model.json"))
        let lines = URL(filePath: "\(export)/Patient.jsonl")
        let text = try String(contentsOf: lines, encoding: .utf8)
        try Data(text.replacing("{\"_id\"", with: "{\"_tenant\":5,\"_id\"").utf8).write(to: lines)
        _ = try step("import", new, "--folder", export)
        let columns = "_id,name,ssn,country"
        let shown = try step("show", new, "Patient", "--tenant", "5", "--csv", "--columns", columns)
        #expect(shown.output == "_id,name,ssn,country\r\n1,Ada,123,2\r\n")
        #expect(try step("verify", new).status == 0)
    }

    @Test func linesWithTheirTenantsAreNotImported() throws {
        let export = fixture.folder.path("export")
        try require(run("export", "--out", export))
        let file = "\(export)/Patient.jsonl"
        let refused = try run("import", "Patient", file, "--tenant", "9")
        #expect(refused.status == 64)
        let message = "error: line 1: the object's tenant, “_tenant”, cannot be imported; remove it from the lines"
        #expect(refused.messages.hasPrefix(message), "\(refused.messages)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let member = "\"_tenant\":8,"
        let rows = lines.filter { $0.contains(member) }.map { $0.replacing(member, with: "") + "\n" }
        let path = try fixture.folder.write(Data(rows.joined().utf8), "rows.jsonl")
        #expect(try run("import", "Patient", path, "--tenant", "9").output == "2 objects imported\n")
    }

    @Test func summaryAndChecksConcernAllTenants() throws {
        #expect(try run("show").output.contains("3 objects"))
        #expect(try run("verify").status == 0)
        #expect(try run("schema", keys: false).output.contains("shared by all tenants"))
    }
}
