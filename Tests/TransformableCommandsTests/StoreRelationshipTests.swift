import Foundation
import Testing

@Suite struct StoreRelationshipTests {
    private let folder: TemporaryFolder
    private let store: String

    private static let model = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Patient", "attributes": [ { "name": "name", "type": "string" } ] },
          { "name": "Visit", "attributes": [ { "name": "reason", "type": "string" } ],
            "relationships": [ { "name": "patient", "to": "Patient", "optional": true } ] }
        ] }
        """

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        let model = try folder.write(Data(Self.model.utf8), "clinic.json")
        #expect(try CommandRun("store", "create", store, "--model", model).messages == "")
        #expect(try CommandRun("store", "insert", store, "Patient", "name=Ada").status == 0)
    }

    @Test func setsAndShowsAReference() throws {
        #expect(try CommandRun("store", "insert", store, "Visit", "reason=cough", "patient=1").messages == "")
        let shown = try CommandRun("store", "show", store, "Visit", "--csv").output
        #expect(shown.split(whereSeparator: \.isNewline) == ["_id,reason,patient", "1,cough,1"])
    }

    @Test(arguments: ["patient=7", "patient=Ada"])
    func refusesAReferenceToNothing(setting: String) throws {
        #expect(try CommandRun("store", "insert", store, "Visit", "reason=cough", setting).status == 65)
        #expect(try CommandRun("store", "show", store, "Visit", "--csv").output.contains("cough") == false)
    }
}
