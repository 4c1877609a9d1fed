import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

@Suite struct EntityTests {
    let store: Store
    let id: PersistentID<Patient>

    init() throws {
        store = try Fixtures.store()
        id = try store.write { context in
            let patient = context.insert(Patient(name: "Ada", severity: .high))
            patient.ssn = "123-A"
            patient.settings = Settings(beds: 12, notes: ["a"])
            return patient.persistentID
        }
    }

    @Test func fetchesInsertedObjects() throws {
        try store.read { context in
            let patient = try context.object(id)
            #expect(patient.name == "Ada")
            #expect(patient.ssn == "123-A")
            #expect(patient.severity == .high)
            #expect(patient.mood == .low)
            #expect(patient.settings == Settings(beds: 12, notes: ["a"]))
            #expect(patient.tags == [])
            #expect(patient.count == 3)
            #expect(patient.score == 1)
            #expect(patient.bed == Box(width: 2, height: 1))
            #expect(patient.spare == nil)
            #expect(patient.floor == Box(width: 9, height: 9))
            #expect(patient.default == "x")
            #expect(patient.isSelected == false)
            #expect(patient.initials == "A")
        }
    }

    @Test func storesTheSameAsAccessByName() throws {
        try store.read { context in
            let object = try context.object(id.objectID)
            #expect(try object.storedValue("name") == .text("Ada"))
            #expect(try object.storedValue("severity") == .text("high"))
            #expect(try object.storedValue("admitted") == .real(0))
            #expect(try object.storedValue("ssn") == .blob(Data("A-321".utf8)))
            let settings = Data(#"{"beds":12,"notes":["a"]}"#.utf8)
            #expect(try object.storedValue("settings") == .blob(settings))
            #expect(try object.storedValue("bed") == .blob(Data("2x1".utf8)))
        }
    }

    @Test func aNewObjectCanBeNeitherDeletedNorRefreshed() throws {
        let context = store.makeContext()
        let deletion = #expect(throws: StoreError(.misuse, "")) { try context.delete(Ward()) }
        let refresh = #expect(throws: StoreError(.misuse, "")) { try context.refresh(Ward()) }
        #expect(deletion?.message == "the object is not inserted; insert it into this context first")
        #expect(refresh?.message == deletion?.message)
    }

    @Test func savesChanges() throws {
        try store.write { context in
            let patient = try context.object(id)
            patient.name = "Grace"
            patient.mood = nil
            patient.settings?.beds += 1
            patient.tags.append("new")
        }
        try store.read { context in
            let patient = try context.object(id)
            #expect(patient.name == "Grace")
            #expect(patient.mood == nil)
            #expect(patient.settings?.beds == 13)
            #expect(patient.tags == ["new"])
        }
    }

    @Test func returnsOneObjectForEachRow() throws {
        try store.read { context in
            let patient = try context.object(id)
            #expect(try context.fetch(Patient.self).first === patient)
            #expect(try context.first(Patient.self) === patient)
        }
    }

    @Test func worksBeforeInsertion() throws {
        let patient = Patient(name: "Ada")
        #expect(patient.name == "Ada")
        #expect(patient.token == patient.token)
        #expect(patient.ssn == nil)
        patient.tags.append("a")
        #expect(patient.tags == ["a"])
        #expect(patient.context == nil)
        #expect(patient.persistentID.number == 0)
        let id = patient.persistentID
        #expect(throws: StoreError(.noSuchObject, "")) { try store.read { try $0.object(id).name } }
    }

    @Test func everyNewObjectHasItsOwnInitialValues() throws {
        let tokens = try store.write { context in
            let patients = ["a", "b"].map { context.insert(Patient(name: $0)) }
            return patients.map(\.token)
        }
        #expect(tokens[0] != tokens[1])
    }

    @Test func computesNoInitialValuesForAFetchedObject() throws {
        try store.read { context in
            let patient = try context.object(id)
            #expect(patient.managedObject?.changedAttributes == [])
        }
    }

    @Test func fetchesByConditionAndOrder() throws {
        try store.write { context in
            for name in ["Cid", "Bea"] { context.insert(Patient(name: name)) }
        }
        try store.read { context in
            let names = try context.fetch(Patient.self, sortedBy: [SortDescriptor(\.name, order: .reverse)]).map(\.name)
            #expect(names == ["Cid", "Bea", "Ada"])
            #expect(
                try context.fetch(Patient.self, sortedBy: [SortDescriptor(\.name)], limit: 1, offset: 1)[0].name
                    == "Bea"
            )
            #expect(try context.count(Patient.self, where: Condition("ssn == \"123-A\"")) == 1)
            #expect(try context.exists(Patient.self, where: Condition("name == \"Zoe\"")) == false)
            #expect(try context.ids(Patient.self, where: Condition("name == \"Ada\"")) == [id])
        }
        try store.write { context in
            let updated = try context.update(Patient.self, where: Condition("count == 3")) { $0.count += 1 }
            #expect(updated == 3)
            let deleted = try context.delete(Patient.self, where: Condition("name != \"Ada\""))
            #expect(deleted == 2)
            #expect(try context.fetch(Patient.self).map(\.count) == [4])
        }
    }

    @Test func anUpdateSkipsObjectsThatItHasDeleted() throws {
        try store.write { context in
            let wards = (0..<3).map { _ in context.insert(Ward()) }
            for (number, ward) in wards.enumerated() { ward.title = "\(number)" }
            var updated: [String] = []
            let count = try context.update(Ward.self) { ward in
                updated.append(ward.title)
                if ward.title == "0" { try context.delete(wards[1]) }
            }
            #expect(updated == ["0", "2"] && count == 2)
        }
    }

    @Test func iteratesWithoutKeepingObjects() throws {
        try store.write { context in
            for _ in 0..<3 { context.insert(Ward()) }
        }
        try store.read { context in
            weak var last: Ward?
            var count = 0
            try context.forEach(Ward.self) { ward in
                #expect(last == nil)
                last = ward
                count += 1
            }
            #expect(count == 3)
        }
    }

    @Test func writesTheSameModelAsAccessByName() throws {
        let entity = try #require(store.model.entity("Patient"))
        #expect(entity.attribute("name")?.type == .string)
        #expect(entity.attribute("count")?.defaultValue == .integer(0))
        #expect(entity.attribute("token")?.defaultValue == .newUUID)
        #expect(entity.attribute("mood")?.defaultValue == .string("low"))
        #expect(entity.attribute("bed")?.transformer == "box")
        #expect(entity.attribute("settings")?.transformer == "json")
        #expect(entity.attribute("admitted")?.isIndexed == true)
        #expect(entity.uniqueness == [["name", "admitted"]])
        #expect(store.model.entity("Station")?.renamedFrom == "Wing")
        #expect(entity.relationships.map(\.inverse) == ["patient", nil])
    }

    @Test func projectedValuesHaveInitialValuesBeforeTheInsertion() throws {
        let patient = Patient(name: "Ada")
        let (score, mood, token) = try (patient.$score.value(), patient.$mood.value(), patient.$token.value())
        #expect(score == 1 && mood == .low && token == patient.token)
        try patient.$mood.setValue(nil)
        #expect(try patient.$mood.value() == nil)
    }
}
