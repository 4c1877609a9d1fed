import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// How many values a blind index suits, as commands say it.
struct PlanCommandTests {
    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments: arguments) { keys in
            try TransformerRegistry { EncryptionPlugin(keys: keys) }
        }
    }

    // By hand: of 1,000,000 values 3.8 share a number of 18 bits, and of 1,000 not one.
    @Test(arguments: [("1000000", false), ("1000", true)])
    func explainsForSoManyValues(count: String, warns: Bool) throws {
        let explained = try run("explain", "blind-index(bits: 18)", "--values", count)
        #expect(explained.status == 0)
        #expect(explained.output.contains("warning:") == warns)
        #expect(try run("explain", "blind-index", "--values", "-1").status == 64)
    }

    @Test func refusesAnIndexThatIdentifies() throws {
        let folder = try TemporaryFolder()
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Patient", "attributes": [
                { "name": "ssn", "transformer": "sealed", "projections": [
                  { "name": "finder", "transformer": "blind-index(bits: 18)", "indexed": true } ] } ] } ] }
            """
        let path = try folder.write(Data(model.utf8), "clinic.json")
        let store = folder.path("clinic.sqlite")
        let refused = try run("store", "create", store, "--model", path, "--values", "1000")
        #expect(refused.status == 65)
        #expect(refused.messages.contains("Patient.finder"))
        #expect(try folder.names == ["clinic.json"])
        #expect(try run("store", "create", store, "--model", path, "--values", "1000000").status == 0)
    }
}
