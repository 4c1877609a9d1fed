import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// Migrating and re-encoding stores in files and databases from the command line.
@Suite(.needsPostgres) struct StoreMigrationCommandTests {
    /// The model with an attribute more, and one that is renamed.
    private static let next = CommandClinic.model.replacing("\"version\": 1", with: "\"version\": 2")
        .replacing("{ \"name\": \"age\",", with: "{ \"name\": \"years\", \"renamedFrom\": \"age\",")
        .replacing(
            "{ \"name\": \"reason\",",
            with: "{ \"name\": \"place\", \"type\": \"string\", \"default\": \"Odense\" }, { \"name\": \"reason\","
        )
        .replacing("age >= 18", with: "years >= 18")

    private func filled(_ kind: CommandClinic.Kind) throws -> CommandClinic {
        let clinic = try CommandClinic(kind)
        try clinic.create()
        let scan = try clinic.write(String(repeating: "scan\n", count: 1000), "scan.bin")
        let ada = try clinic.run("insert", "Patient", "name=Ada", "age=36", "ssn=123-45-6789", "scan=@\(scan)")
        try #require(ada.status == 0, "\(ada.messages)")
        try #require(try clinic.run("insert", "Visit", "patient=\(ada.output.dropLast())").status == 0)
        return clinic
    }

    @Test(arguments: CommandClinic.Kind.allCases) func migrates(_ kind: CommandClinic.Kind) throws {
        let clinic = try filled(kind)
        defer { clinic.remove() }
        let model = try clinic.write(Self.next, "next.json")
        let rehearsal = try clinic.run("migrate", "--model", model, "--dry-run")
        #expect(rehearsal.status == 0, "\(rehearsal.messages)")
        #expect(rehearsal.output.contains("years"))
        #expect(try clinic.run("show", "Patient", "--columns", "age", "--csv").output == "age\r\n36\r\n")
        let run = try clinic.run("migrate", "--model", model)
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output == rehearsal.output)
        #expect(run.messages.contains("from version 1 to 2"))
        let patients = try clinic.run("show", "Patient", "--columns", "name,years,ssn", "--csv").output
        #expect(patients == "name,years,ssn\r\nAda,36,123-45-6789\r\n")
        let visits = try clinic.run("show", "Visit", "--columns", "place,patient", "--csv").output
        #expect(visits == "place,patient\r\nOdense,1\r\n")
        #expect(try clinic.run("verify").output == "2 objects, 1 external blob: sound\n")
        #expect(try clinic.run("migrate", "--model", model).status == 0)
    }

    @Test(arguments: CommandClinic.Kind.allCases) func printsWhatIsRefused(_ kind: CommandClinic.Kind) throws {
        let clinic = try filled(kind)
        defer { clinic.remove() }
        let text = Self.next.replacing("\"type\": \"int16\"", with: "\"type\": \"boolean\"")
        let run = try clinic.run("migrate", "--model", clinic.write(text, "next.json"), "--json")
        #expect(run.status == 78)
        let plan = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(plan?["isRefused"] as? Bool == true)
        #expect(run.messages.contains("nothing was changed"))
        #expect(try clinic.run("show", "Patient", "--columns", "age", "--csv").output == "age\r\n36\r\n")
    }

    @Test(arguments: CommandClinic.Kind.allCases) func reencodes(_ kind: CommandClinic.Kind) throws {
        let clinic = try filled(kind)
        defer { clinic.remove() }
        let rehearsal = try clinic.run("reseal", "--dry-run")
        #expect(rehearsal.output == "Patient.ssn: would rewrite 1 value\n", "\(rehearsal.messages)")
        let run = try clinic.run("reseal", "--attribute", "Patient.ssn", "--to", "reversed | text | sealed")
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.output.hasPrefix("Patient.ssn: 1 value rewritten\n"))
        #expect(try clinic.run("schema").output.contains("reversed | text | sealed"))
        #expect(try clinic.run("get", "Patient", "1", "ssn").output == "123-45-6789")
        #expect(try clinic.run("verify").output == "2 objects, 1 external blob: sound\n")
    }

    @Test func scrubbingADatabaseIsRefusedBeforeAnythingIsWritten() throws {
        let clinic = try filled(.server)
        defer { clinic.remove() }
        let run = try clinic.run("reseal", "--attribute", "Patient.ssn", "--to", "reversed | text | sealed", "--scrub")
        #expect(run.status == 64)
        #expect(run.messages.contains("VACUUM FULL"))
        #expect(try !clinic.run("schema").output.contains("reversed"))
    }
}
