import Foundation
import Testing
import TransformablePostgres
import _PostgresServer

/// The commands that accept either a file or the address of a database.
@Suite(.needsPostgres) struct StoreAddressTests {
    /// A command, and what it prints.
    private struct Step {
        let verb: String
        let arguments: [String]
        let output: String
        var input = ""

        init(_ verb: String, _ arguments: String..., input: String = "", prints output: String) {
            self.verb = verb
            self.arguments = arguments
            self.output = output
            self.input = input
        }
    }

    /// The commands that follow the insertion of two patients and a visit with the given numbers.
    private static func steps(_ ada: String, _ bob: String, _ visit: String) -> [Step] {
        [
            Step(
                "show",
                "Patient",
                "--columns",
                "_id,name,ssn",
                "--csv",
                prints: csv("_id,name,ssn", "\(ada),Ada,123-45-6789", "\(bob),Bob,")
            ),
            Step("show", "Visit", "--columns", "_id,patient", "--csv", prints: csv("_id,patient", "\(visit),\(ada)")),
            Step("set", "Patient", bob, "name=Rob", "visits+=\(visit)", prints: ""),
            Step("show", "Visit", "--count", "--where", "patient.name == \"Rob\"", prints: "1\n"),
            Step(
                "update",
                "Patient",
                "age=10",
                "--where",
                "age < 18",
                "--dry-run",
                prints: "would change 1 object of Patient\n"
            ),
            Step("update", "Patient", "age=18", "--where", "age < 18", prints: "1 object updated\n"),
            Step(
                "fetch",
                "--request",
                "adults",
                "--columns",
                "name,age",
                "--csv",
                prints: csv("name,age", "Ada,36", "Rob,18")
            ),
            Step("get", "Patient", ada, "ssn", prints: "123-45-6789"),
            Step(
                "import",
                "Patient",
                "--format",
                "csv",
                input: "name,age\nCid,70\nDot,\n",
                prints: "2 objects imported\n"
            ),
            Step("show", "Patient", "--count", "--where", "age is null", prints: "1\n"),
            Step("show", "Patient", "--sum", "age", "--csv", prints: csv("sum(age)", "124")),
            Step("delete", "Patient", "--where", "name == \"Dot\"", prints: "1 object deleted\n"),
            Step("delete", "Patient", ada, prints: "1 object deleted\n"),
            Step("verify", prints: "3 objects, 0 external blobs: sound\n"),
            Step("discard", prints: "there is nothing to remove\n"),
            Step("sweep", prints: "removed 0 files\n"),
        ]
    }

    private static func csv(_ lines: String...) -> String { lines.map { $0 + "\r\n" }.joined() }

    /// Inserts an object, and returns its number as it was printed.
    private func insert(_ clinic: CommandClinic, _ arguments: String..., input: String = "") throws -> String {
        let run = try clinic.run(arguments: ["store", "insert"] + clinic.store() + arguments, input: input)
        try #require(run.status == 0, "\(run.messages)")
        return try "\(#require(Int(run.output.dropLast())))"
    }

    @Test(arguments: CommandClinic.Kind.allCases) func verbsPrintTheSame(_ kind: CommandClinic.Kind) throws {
        let clinic = try CommandClinic(kind)
        defer { clinic.remove() }
        let model = try clinic.write(CommandClinic.model, "clinic.json")
        let place = try clinic.store()[0]
        let created = try clinic.run("create", "--model", model)
        #expect(created.output == "created “\(place)” with Patient, Visit\n", "\(created.messages)")
        let ada = try insert(clinic, "Patient", "name=Ada", "age=36", "ssn=@-", input: "123-45-6789")
        let bob = try insert(clinic, "Patient", "name=Bob", "age=9")
        let visit = try insert(clinic, "Visit", "patient=\(ada)")
        for step in Self.steps(ada, bob, visit) {
            let run = try clinic.run(
                arguments: ["store", step.verb] + clinic.store() + step.arguments,
                input: step.input
            )
            #expect(run.status == 0, "\(step.verb) \(step.arguments): \(run.messages)")
            #expect(run.output == step.output, "\(step.verb) \(step.arguments)")
        }
    }

    @Test(arguments: CommandClinic.Kind.allCases) func largeValuesComeBack(_ kind: CommandClinic.Kind) throws {
        let clinic = try CommandClinic(kind)
        defer { clinic.remove() }
        try clinic.create()
        let file = try clinic.write(String(repeating: "scan\n", count: 100_000), "scan.bin")
        let number = try insert(clinic, "Patient", "name=Ada", "scan=@\(file)")
        let copy = clinic.path("copy.bin")
        #expect(try clinic.run("get", "Patient", number, "scan", "--out", copy).status == 0)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: file)))
        #expect(try clinic.run("verify").output == "1 object, 1 external blob: sound\n")
    }

    /// The second row takes the partner of another object, and the last two rows refer to each other.
    @Test(arguments: CommandClinic.Kind.allCases)
    func importsBothSidesOfARelationshipThatIsItsOwnInverse(_ kind: CommandClinic.Kind) throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Track", "attributes": [{ "name": "name", "type": "string" }],
                "relationships": [{ "name": "twin", "to": "Track", "inverse": "twin" }] }
            ] }
            """
        let clinic = try CommandClinic(kind)
        defer { clinic.remove() }
        #expect(try clinic.run("create", "--model", clinic.write(model, "tracks.json")).status == 0)
        let rows = "name,twin\na,\nb,\nc,1\nd,3\ne,2\nf,7\ng,6\n"
        let run = try clinic.run("import", "Track", "--format", "csv", input: rows)
        #expect(run.output == "7 objects imported\n", "\(run.messages)")
        let shown = try clinic.run("show", "Track", "--columns", "name,twin", "--csv", "--sort", "name").output
        #expect(shown == Self.csv("name,twin", "a,", "b,5", "c,4", "d,3", "e,2", "f,7", "g,6"))
    }

    @Test func exportOfAFileIsImported() throws {
        let file = try CommandClinic(.file)
        defer { file.remove() }
        try file.create()
        let scan = try file.write(String(repeating: "scan\n", count: 100_000), "scan.bin")
        let ada = try insert(file, "Patient", "name=Ada", "ssn=@-", "scan=@\(scan)", input: "123-45-6789")
        _ = try insert(file, "Visit", "patient=\(ada)")
        #expect(try file.run("export", "--out", file.path("export")).status == 0)
        let server = try CommandClinic(.server, file.registry)
        defer { server.remove() }
        let missing = try server.run("import", "--folder", file.path("export"))
        #expect(missing.status == 66)
        #expect(missing.messages.contains("there is no store in the schema"))
        try server.create()
        let run = try server.run("import", "--folder", file.path("export"))
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output.hasPrefix("imported 2 objects and 1 file into “postgres:"))
        #expect(try server.run("verify").output == "2 objects, 1 external blob: sound\n")
        #expect(try server.run("get", "Patient", ada, "ssn").output == "123-45-6789")
        let copy = server.path("copy.bin")
        #expect(try server.run("get", "Patient", ada, "scan", "--out", copy).status == 0)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: scan)))
        let again = try server.run("import", "--folder", file.path("export"))
        #expect(again.status != 0)
    }

    @Test(arguments: CommandClinic.Kind.allCases) func describesStores(_ kind: CommandClinic.Kind) throws {
        let clinic = try CommandClinic(kind)
        defer { clinic.remove() }
        try clinic.create()
        let shown = try clinic.run("show")
        // The program has the key, so the seal was verified.
        #expect(shown.messages == "")
        let summary = shown.output
        #expect(summary.contains("Patient:        0 objects"))
        #expect(summary.contains("bytes:") == (kind == .file))
        #expect(try clinic.run("schema").output.contains("text | sealed = "))
        #expect(try clinic.run("schema", "--json").output.contains("\"adults\""))
        #expect(try clinic.run("seal").output.hasPrefix("the seal matches; its key is "))
        #expect(try clinic.run("export", "--out", clinic.path("export")).output.hasPrefix("exported 0 objects"))
        #expect(FileManager.default.fileExists(atPath: clinic.path("export/model.json")))
    }

    @Test func givesErrorsTheirExitStatus() throws {
        let clinic = try CommandClinic(.server)
        defer { clinic.remove() }
        #expect(try clinic.run("show").status == 66)
        let model = try clinic.write(CommandClinic.model, "clinic.json")
        try clinic.create()
        let again = try clinic.run("create", "--model", model)
        #expect(again.status == 73)
        let reason = "the schema “\(clinic.schema)” already contains a store; choose another schema (“--schema” on the"
        #expect(again.messages.hasPrefix("error: \(reason)"), "\(again.messages)")
        #expect(try clinic.run("show", "Nobody").status == 66)
        #expect(try clinic.run("get", "Patient", "1", "name").status == 66)
        let other = try clinic.write(CommandClinic.model.replacing("\"age\"", with: "\"years\""), "other.json")
        #expect(try clinic.run("show", "Patient", "--model", other).status == 78)
        try #require(try clinic.run("insert", "Patient", "name=Ada").status == 0)
        #expect(try clinic.run("insert", "Patient", "name=Ada").status == 65)
    }

    @Test(arguments: [
        (["postgres:host=/nowhere password=secret"], "a password"),
        (["postgres:host=db.example.org sslmode=require"], "sslmode=verify-full"),
        (["clinic.sqlite", "--schema", "clinic"], "--schema requires the address of a database"),
    ])
    func refusesAddresses(_ store: [String], _ reason: String) throws {
        let clinic = try CommandClinic(.file)
        defer { clinic.remove() }
        let verbs = [
            ["show"], ["verify"], ["schema"], ["insert", "Patient", "name=Ada"], ["reseal"],
            ["create", "--model", try clinic.write(CommandClinic.model, "clinic.json")],
        ]
        for verb in verbs {
            let run = try clinic.run(arguments: ["store", verb[0]] + store + verb.dropFirst())
            #expect(run.status == 64, "\(verb)")
            #expect(run.messages.contains(reason), "\(run.messages)")
            #expect(!run.messages.contains("secret"))
        }
    }

    /// Makes the server refuse the first insertion of a patient as it does when transactions are in each other's way.
    private func interfere(with clinic: CommandClinic) throws {
        try clinic.sql("CREATE SEQUENCE \"attempts\"")
        try clinic.sql(
            """
            CREATE FUNCTION "interfere"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('"\(clinic.schema)"."attempts"') = 1 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
            RETURN NEW; END $$
            """
        )
        let insertion = "BEFORE INSERT ON \"Patient\" FOR EACH ROW"
        try clinic.sql("CREATE TRIGGER \"interfere\" \(insertion) EXECUTE FUNCTION \"interfere\"()")
    }

    @Test(arguments: ["name=Ada", "name=@-"]) func runsAgainIfAnotherProgramInterferes(value: String) throws {
        let clinic = try CommandClinic(.server)
        defer { clinic.remove() }
        try clinic.create()
        try interfere(with: clinic)
        let insertion = try ["store", "insert"] + clinic.store() + ["Patient", value]
        #expect(try clinic.run(arguments: insertion, input: "Ada").status == 0)
        #expect(try clinic.run("show", "Patient", "--csv", "--columns", "name").output == "name\r\nAda\r\n")
    }

    @Test func rehearsesAgainIfAnotherProgramInterferes() throws {
        let clinic = try CommandClinic(.server)
        defer { clinic.remove() }
        try clinic.create()
        try interfere(with: clinic)
        let run = try clinic.run("insert", "Patient", "name=Ada", "--dry-run")
        #expect(run.status == 0)
        #expect(run.output == "would insert 1 object of Patient\n")
    }

    @Test(arguments: [
        ["import", "Patient", "--format", "csv"], ["import", "Patient", "--format", "csv", "--dry-run"],
    ])
    func readsStandardInputOnce(_ arguments: [String]) throws {
        let clinic = try CommandClinic(.server)
        defer { clinic.remove() }
        try clinic.create()
        try interfere(with: clinic)
        let command = try ["store", arguments[0]] + clinic.store() + arguments.dropFirst()
        let run = try clinic.run(arguments: command, input: "name\nAda\n")
        #expect(run.status == 75)
        #expect(run.messages.contains("nothing was changed; run the command again"))
        #expect(try clinic.run("show", "Patient", "--count").output == "0\n")
    }

    /// After the first error of a transaction, the server says only that it refuses everything else.
    @Test func saysWhyAnExternalValueCannotBeRead() throws {
        let clinic = try CommandClinic(.server)
        defer { clinic.remove() }
        try clinic.create()
        let scan = try clinic.write(String(repeating: "scan ", count: 1000), "scan.txt")
        let inserted = try clinic.run("insert", "Patient", "name=Ada", "scan=@\(scan)")
        try #require(inserted.status == 0, "\(inserted.messages)")
        let (server, role) = (try PostgresServer.shared.get(), "reader\(UInt32.random(in: 0...UInt32.max))")
        let script = """
            CREATE ROLE \(role) LOGIN;
            GRANT USAGE ON SCHEMA "\(clinic.schema)" TO \(role);
            GRANT SELECT ON ALL TABLES IN SCHEMA "\(clinic.schema)" TO \(role);
            REVOKE SELECT ON "\(clinic.schema)"."_transformable_chunk" FROM \(role)
            """
        try server.grant(script)
        let store = [try server.address(of: role).description, "--schema", clinic.schema]
        let shown = try clinic.run(arguments: ["store", "show"] + store + ["Patient"])
        #expect(shown.status == 77)
        let reason = "Patient.scan, object 1: the role lacks a privilege"
        #expect(shown.messages.contains(reason), "\(shown.messages)")
    }
}
