import Foundation
import Testing

@Suite struct StoreMigrateTests {
    private let fixture: StoreFixture
    private let model: String

    init() throws {
        fixture = try StoreFixture()
        try fixture.insert("name=Ada", "age=36", "ssn=123-45-6789")
        let text = StoreFixture.model
            .replacing("\"version\": 1", with: "\"version\": 2")
            .replacing(
                "{ \"name\": \"age\", \"type\": \"int16\",",
                with: "{ \"name\": \"years\", \"renamedFrom\": \"age\", \"type\": \"int64\","
            )
            .replacing("\"transformer\": \"text | sealed\"", with: "\"type\": \"string\"")
        model = try fixture.folder.write(Data(text.utf8), "clinic-2.json")
    }

    private func migrate(_ options: String..., model: String? = nil) throws -> CommandRun {
        try fixture.run(
            arguments: [
                "store", "migrate", fixture.store, "--model", model ?? self.model, "--key-file", fixture.keyFile,
            ]
                + options
        )
    }

    @Test func printsThePlanAndMigrates() throws {
        let run = try migrate()
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("Patient: kept, 1 object"))
        #expect(lines.contains("Patient.years: renamed from “age”, widened from int16 to int64"))
        #expect(lines.contains("Patient.ssn: re-encoded from “text | sealed” to “string”"))
        #expect(run.messages == "migrated “\(fixture.store)” from version 1 to 2\n")
        #expect(try fixture.get(1, "years").output == "36\n")
        #expect(try fixture.get(1, "ssn", "--key-file", fixture.keyFile).output == "123-45-6789")
        #expect(try migrate().messages == "")
    }

    @Test func recordsWhatNeedsNoNewVersion() throws {
        let request = "\"fetchRequests\": [{ \"name\": \"everybody\", \"entity\": \"Patient\" }]"
        let text = StoreFixture.model.replacing("\"version\": 1", with: "\"version\": 1, \(request)")
        let model = try fixture.folder.write(Data(text.utf8), "request.json")
        let fetch = ["store", "fetch", fixture.store, "--request", "everybody", "--columns", "name", "--csv"]
        #expect(try migrate("--dry-run", model: model).status == 0)
        #expect(try fixture.run(arguments: fetch).status == 64)
        let run = try migrate(model: model)
        #expect(run.status == 0 && run.messages == "", "\(run.messages)")
        #expect(try fixture.run(arguments: fetch).output.contains("Ada"))
    }

    /// Otherwise, the request would fail only when it is run.
    @Test func aRequestThatUsesTheFormerNameOfAnAttributeIsRejected() throws {
        let request = "\"fetchRequests\": [{ \"name\": \"old\", \"entity\": \"Patient\", \"where\": \"age > 9\" }]"
        let text = try String(contentsOf: URL(filePath: model), encoding: .utf8)
        let changed = text.replacing("\"version\": 2", with: "\"version\": 2, \(request)")
        let before = try fixture.run("store", "schema", fixture.store).output
        let run = try migrate(model: fixture.folder.write(Data(changed.utf8), "old.json"))
        #expect(run.status != 0 && run.messages.contains("“Patient.age”"), "\(run.messages)")
        #expect(try fixture.run("store", "schema", fixture.store).output == before)
    }

    /// Without the key, a sealed store keeps its model, which was not said.
    @Test func recordsNothingInASealedStoreWithoutItsKey() throws {
        let request = "\"fetchRequests\": [{ \"name\": \"everybody\", \"entity\": \"Patient\" }]"
        let text = StoreFixture.model.replacing("\"version\": 1", with: "\"version\": 1, \(request)")
        let model = try fixture.folder.write(Data(text.utf8), "request.json")
        let run = try fixture.run("store", "migrate", fixture.store, "--model", model)
        #expect(run.status == 77)
        #expect(run.messages.contains("the store is sealed"), "\(run.messages)")
        #expect(try !fixture.run("store", "schema", fixture.store, "--json").output.contains("everybody"))
    }

    /// No one has to be able to write to a store that already has the model.
    @Test func anEqualModelNeedsNoKeyAndNoWriting() throws {
        let schema = try fixture.run("store", "schema", fixture.store, "--json").outputBytes
        let model = try fixture.folder.write(schema, "same.json")
        let before = try Data(contentsOf: URL(filePath: fixture.store))
        chmod(fixture.store, 0o444)
        let run = try fixture.run("store", "migrate", fixture.store, "--model", model)
        #expect(run.status == 0 && run.messages == "", "\(run.messages)")
        #expect(try Data(contentsOf: URL(filePath: fixture.store)) == before)
    }

    @Test func namesTheVersionOnceIfItStaysTheSame() throws {
        let text = StoreFixture.model.replacing("\"rect\"", with: "\"rect(form: packed)\"")
        let run = try migrate(model: fixture.folder.write(Data(text.utf8), "packed.json"))
        #expect(run.messages == "migrated “\(fixture.store)” within version 1\n")
    }

    @Test func aDryRunChangesNothing() throws {
        let before = try Data(contentsOf: URL(filePath: fixture.store))
        let plan = try migrate("--dry-run", "--json")
        #expect(plan.status == 0)
        #expect(try Data(contentsOf: URL(filePath: fixture.store)) == before)
        let json = try #require(JSONSerialization.jsonObject(with: plan.outputBytes) as? [String: Any])
        #expect(json["oldVersion"] as? Int == 1 && json["newVersion"] as? Int == 2)
        #expect(json["isRefused"] as? Bool == false)
        let changes = try #require(json["changes"] as? [[String: Any]])
        let years = try #require(changes.first { $0["name"] as? String == "years" })
        #expect(years["outcome"] as? String == "renamed")
        #expect(years["from"] as? String == "age")
        #expect(years["subject"] as? String == "attribute")
    }

    @Test func aDryRunCountsTheRowsThatGetTags() throws {
        let text = StoreFixture.model
            .replacing("\"version\": 1", with: "\"version\": 2")
            .replacing("\"name\": \"Patient\",", with: "\"name\": \"Patient\", \"authenticatesRows\": true,")
        let tagged = try fixture.folder.write(Data(text.utf8), "tagged.json")
        let line = "Patient (row tags): added, 1 row is read and written, requires a secret key"
        #expect(try migrate("--dry-run", model: tagged).output.split(separator: "\n").contains(Substring(line)))
        let json = try JSONSerialization.jsonObject(with: migrate("--dry-run", "--json", model: tagged).outputBytes)
        let changes = try #require((json as? [String: Any])?["changes"] as? [[String: Any]])
        let tags = try #require(changes.first { $0["subject"] as? String == "row-tags" })
        #expect(tags["entity"] as? String == "Patient" && tags["outcome"] as? String == "added")
        #expect(tags["notes"] as? [String] == ["1 row is read and written", "requires a secret key"])
    }

    @Test func impossibleChangesAreRejectedBeforeAnythingChanges() throws {
        let text = StoreFixture.model
            .replacing("\"version\": 1", with: "\"version\": 2")
            .replacing("\"name\": \"age\", \"type\": \"int16\"", with: "\"name\": \"age\", \"type\": \"string\"")
        let refused = try fixture.folder.write(Data(text.utf8), "refused.json")
        let before = try Data(contentsOf: URL(filePath: fixture.store))
        for options in [["--dry-run"], []] {
            let run = try fixture.run(arguments: ["store", "migrate", fixture.store, "--model", refused] + options)
            #expect(run.status == 78)
            #expect(run.output.contains("Patient.age: refused: its type changes from “int16” to “string”"))
            #expect(run.messages.hasPrefix("error: nothing was changed: Patient.age: refused"))
            #expect(try Data(contentsOf: URL(filePath: fixture.store)) == before)
        }
    }

    @Test func aMissingKeyLeavesTheFileUnchanged() throws {
        let before = try fixture.run("store", "schema", fixture.store).output
        let run = try fixture.run("store", "migrate", fixture.store, "--model", model)
        #expect(run.status == 77)
        #expect(try fixture.run("store", "schema", fixture.store).output == before)
    }

    @Test func rejectsAnUnknownTransformer() throws {
        let text = StoreFixture.model
            .replacing("\"version\": 1", with: "\"version\": 2")
            .replacing("text | sealed", with: "text | gzip | sealed")
        let model = try fixture.folder.write(Data(text.utf8), "gzip.json")
        let run = try migrate(model: model)
        #expect(run.status == 78)
        #expect(run.output.contains("Patient.ssn: refused: gzip: no transformer is registered as “gzip”"))
    }

    @Test func rejectsFilesThatAreNotStoresOrModels() throws {
        let other = try fixture.folder.write(Data("{}".utf8), "other.json")
        #expect(try fixture.run("store", "migrate", fixture.folder.path("none"), "--model", model).status == 66)
        #expect(try fixture.run("store", "migrate", fixture.store, "--model", other).status == 65)
    }
}
