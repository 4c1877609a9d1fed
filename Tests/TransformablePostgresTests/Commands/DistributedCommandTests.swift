import Foundation
import Testing

/// The commands that create stores on a Citus cluster.
@Suite(.needsCitus) struct DistributedCommandTests {
    private static let model = """
        { "transformableModel": 1, "version": 1, "tenants": true, "entities": [{ "name": "Patient", "attributes": [
          { "name": "name", "type": "string", "unique": true },
          { "name": "scan", "type": "data", "optional": true, "externalStorage": { "over": 100 } } ] }] }
        """

    @Test func storesAreCreatedAndCopied() throws {
        let clinic = try CommandClinic(.file)
        defer { clinic.remove() }
        let place = try [#require(CitusCluster.address), "--schema", clinic.schema]
        let run = { (verb: String, arguments: [String]) in try clinic.run(arguments: ["store", verb] + arguments) }
        let model = try clinic.write(Self.model, "model.json")
        let created = try run("create", place + ["--model", model, "--distribute"])
        #expect(created.status == 0, "\(created.messages)")
        let scan = try clinic.write(String(repeating: "scan", count: 100), "scan.bin")
        for tenant in ["7", "8"] {
            let row = ["--tenant", tenant, "Patient", "name=Ada", "scan=@\(scan)"]
            let inserted = try run("insert", place + row)
            #expect(inserted.status == 0, "\(inserted.messages)")
        }
        let repeated = try run("insert", place + ["--tenant", "7", "Patient", "name=Ada"])
        #expect(repeated.status == 65)
        #expect(repeated.messages.contains("another object has the same name"))
        #expect(try run("verify", place).output == "2 objects, 2 external blobs: sound\n")
        let file = clinic.path("copy.sqlite")
        #expect(try run("copy", place + [file]).status == 0)
        let other = [try #require(CitusCluster.address), "--schema", clinic.schema + "-2"]
        let copied = try run("copy", [file] + other + ["--distribute"])
        #expect(copied.status == 0, "\(copied.messages)")
        #expect(try run("show", other + ["--tenant", "7", "Patient", "--count"]).output == "1\n")
    }
}
