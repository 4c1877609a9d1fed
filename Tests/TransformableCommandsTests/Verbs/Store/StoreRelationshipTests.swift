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

    @Test(arguments: ["inspect", "store show", "store schema"]) func namesTheRelationships(verb: String) throws {
        let run = try CommandRun(arguments: verb.split(separator: " ").map(String.init) + [store])
        #expect(run.output.split(separator: "\n").contains("  patient to Patient"))
    }

    @Test(arguments: ["patient=7", "patient=Ada"])
    func rejectsADanglingReference(setting: String) throws {
        #expect(try CommandRun("store", "insert", store, "Visit", "reason=cough", setting).status == 65)
        #expect(try CommandRun("store", "show", store, "Visit", "--csv").output.contains("cough") == false)
    }
}

/// References that lead to objects of several entities, each of which has its own numbers.
@Suite struct StoreFamilyTests {
    private let folder: TemporaryFolder
    private let store: String

    private static let model = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Animal", "abstract": true, "attributes": [ { "name": "name", "type": "string" } ] },
          { "name": "Cat", "parent": "Animal" },
          { "name": "Dog", "parent": "Animal" },
          { "name": "Toy", "attributes": [ { "name": "name", "type": "string" } ],
            "relationships": [ { "name": "user", "to": "Animal", "optional": true } ] }
        ] }
        """

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("animals.sqlite")
        let model = try folder.write(Data(Self.model.utf8), "animals.json")
        #expect(try CommandRun("store", "create", store, "--model", model).messages == "")
        #expect(try CommandRun("store", "insert", store, "Cat", "name=Tom").status == 0)
        #expect(try CommandRun("store", "insert", store, "Dog", "name=Rex").status == 0)
        #expect(try CommandRun("store", "insert", store, "Toy", "name=ball", "user.Cat=1").status == 0)
        #expect(try CommandRun("store", "insert", store, "Toy", "name=bone", "user.Dog=1").status == 0)
    }

    @Test func conditionsCanNameTheEntityOfAReference() throws {
        let show = ["store", "show", store, "Toy", "--csv", "--where"]
        let found = try CommandRun(arguments: show + ["user.Dog == 1"])
        #expect(found.output.split(whereSeparator: \.isNewline).dropFirst() == ["2,bone,,1"])
        let refused = try CommandRun(arguments: show + ["user == 1"])
        #expect(refused.status == 64)
        #expect(
            refused.messages == "error: user: it refers to objects of several entities (Cat, Dog), each with its "
                + "own numbers; compare “user.Dog” instead\n"
        )
    }

    @Test func settingsCanNameTheEntityOfAReference() throws {
        let run = try CommandRun("store", "insert", store, "Toy", "name=x", "user=1")
        #expect(run.status == 64)
        #expect(run.messages.contains("“user.Cat”, “user.Dog”"))
    }

    @Test(arguments: [["set", "Toy", "1", "user.Dog=1"], ["insert", "Toy", "name=x", "user.Cat=1", "user.Dog=1"]])
    func aReferenceHasASingleEntity(arguments: [String]) throws {
        let run = try CommandRun(arguments: ["store", arguments[0], store] + arguments.dropFirst())
        #expect(run.status == 65)
        #expect(run.messages.contains("Toy.user, object"))
        #expect(run.messages.contains("“user.Cat” and “user.Dog” have a number"))
    }

    @Test func errorsOfAnImportNameTheLine() throws {
        let rows = try folder.write(Data("name,user.Cat,user.Dog\na,1,\nb,1,1\n".utf8), "toys.csv")
        let run = try CommandRun("store", "import", store, "Toy", rows)
        #expect(run.status == 65)
        #expect(run.messages.hasPrefix("error: line 3: "))
        #expect(run.messages.contains("“user.Cat” and “user.Dog” have a number"))
    }

    @Test func aReferenceCanChangeItsEntity() throws {
        #expect(try CommandRun("store", "set", store, "Toy", "1", "user.Dog=1", "--null", "user.Cat").messages == "")
        #expect(try CommandRun("store", "show", store, "Toy", "--csv").output.contains("1,ball,,1"))
    }
}
