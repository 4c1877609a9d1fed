import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct RelationshipTests {
    /// Patients with visits that are deleted with them, doctors in a many-to-many relationship, and a locker each.
    static func clinic(_ rule: DeleteRule = .cascade, optional: Bool = true) throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [.string("name")],
                relationships: [
                    .toMany("visits", "Visit", inverse: "patient", deleteRule: rule),
                    .toMany("doctors", "Doctor", inverse: "patients"),
                    .toOne("locker", "Locker", inverse: "owner"),
                ]
            ),
            EntityDescription(
                "Visit",
                attributes: [.integer("cost", .default(0))],
                relationships: [.toOne("patient", "Patient", optional: optional), .toOne("previous", "Visit")]
            ),
            EntityDescription("Doctor", attributes: [.string("name")], relationships: [.toMany("patients", "Patient")]),
            EntityDescription("Locker", relationships: [.toOne("owner", "Patient")]),
        ])
    }

    private func store(_ rule: DeleteRule = .cascade, optional: Bool = true) throws -> Store {
        try Store.trial(model: Self.clinic(rule, optional: optional), transformers: Transformers().registry())
    }

    /// A patient with two visits, the second of which follows the first.
    private func fill(_ store: Store) throws -> (patient: ObjectID, visits: [ObjectID]) {
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            let visits = try (0..<2).map { _ in try context.insert("Visit") }
            for visit in visits { try patient.add(visit, to: "visits") }
            try visits[1].setObject(visits[0], for: "previous")
            return (patient.id, visits.map(\.id))
        }
    }

    @Test func aBlockCanFetchTheObjectThatANewOneNeeds() throws {
        let store = try store(optional: false)
        try store.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        try store.write { context in
            let visit = try context.insert("Visit")
            let patient = try #require(try context.first("Patient"))
            #expect(try context.fetch("Visit") == [visit])
            try visit.setObject(patient, for: "patient")
            #expect(try context.count("Visit", where: Condition("patient.name == 'Ada'")) == 1)
        }
        #expect(try store.read { try $0.count("Visit") } == 1)
        #expect(throws: StoreError(code: .missingValue)) {
            try store.write { context in
                _ = try context.insert("Visit")
                #expect(try context.count("Visit") == 2)
            }
        }
    }

    /// Each change of a guest's ward would have to be in both lists.
    @Test(arguments: [("Guest", "Guest"), ("Person", "Guest"), ("Guest", "Person")])
    func twoRelationshipsCannotHaveTheSameInverse(first: String, second: String) throws {
        // A file from an earlier version may have such a model.
        let model = try Model(
            entities: [
                EntityDescription("Person", relationships: [.toOne("ward", "Ward")]),
                EntityDescription("Guest", parent: "Person"),
                EntityDescription(
                    "Ward",
                    relationships: [
                        .toMany("main", first, inverse: "ward"), .toMany("reserve", second, inverse: "ward"),
                    ]
                ),
            ]
        )
        let error = #expect(throws: StoreError(code: .unsupported)) {
            try Store.validate(model, transformers: TransformerRegistry {})
        }
        #expect(error?.attribute == "reserve")
        #expect(error?.message == "it has the inverse Person.ward, which is the inverse of “main” already")
    }

    @Test(arguments: [true, false]) func noActionClearsReferences(isEditing: Bool) throws {
        let store = try store(.noAction)
        let (patient, visits) = try fill(store)
        func delete(_ context: StoreContext) throws {
            try context.delete(context.object(patient))
            try context.save()
        }
        if isEditing { try delete(store.makeContext()) } else { try store.write { try delete($0) } }
        try store.read { context in
            for id in visits {
                let visit = try context.object(id)
                #expect(try visit.object("patient") == nil)
            }
        }
    }

    @Test func bothSidesAreConsistent() throws {
        let store = try store()
        try store.write { context in
            let ada = try context.insert("Patient")
            let bea = try context.insert("Patient")
            let visit = try context.insert("Visit")
            try visit.setObject(ada, for: "patient")
            #expect(try ada.objects("visits") == [visit])
            try bea.add(visit, to: "visits")
            #expect(try visit.object("patient") === bea)
            #expect(try ada.objects("visits") == [])
            try ada.setValue("Ada", for: "name")
            try bea.setValue("Bea", for: "name")
            try context.save()
            #expect(try bea.objects("visits") == [visit])
            try bea.remove(visit, from: "visits")
            #expect(try visit.object("patient") == nil)
            try context.save()
            #expect(try bea.objects("visits") == [])
        }
    }

    @Test func supportsManyToMany() throws {
        let store = try store()
        let doctor = try store.write { context in
            let ada = try context.insert("Patient")
            let bea = try context.insert("Patient")
            let doctor = try context.insert("Doctor")
            try doctor.setValue("Dee", for: "name")
            try ada.setValue("Ada", for: "name")
            try bea.setValue("Bea", for: "name")
            try ada.add(doctor, to: "doctors")
            try doctor.add(bea, to: "patients")
            try doctor.add(bea, to: "patients")
            #expect(try doctor.objects("patients") == [ada, bea])
            try bea.remove(doctor, from: "doctors")
            try bea.add(doctor, to: "doctors")
            return doctor.id
        }
        try store.write { context in
            #expect(try context.object(doctor).objects("patients").count == 2)
            try context.delete(context.object(doctor))
            try context.save()
            #expect(try context.first("Patient")?.objects("doctors") == [])
        }
    }

    @Test func supportsOneToOne() throws {
        let store = try store()
        try store.write { context in
            let ada = try context.insert("Patient")
            let bea = try context.insert("Patient")
            let lockers = [try context.insert("Locker"), try context.insert("Locker")]
            try ada.setValue("Ada", for: "name")
            try bea.setValue("Bea", for: "name")
            try ada.setObject(lockers[0], for: "locker")
            #expect(try lockers[0].object("owner") === ada)
            try lockers[0].setObject(bea, for: "owner")
            #expect(try ada.object("locker") == nil)
            try bea.setObject(lockers[1], for: "locker")
            #expect(try lockers[0].object("owner") == nil)
            #expect(try lockers[1].object("owner") === bea)
            try context.save()
            #expect(try bea.object("locker") === lockers[1])
        }
    }

    @Test func cascades() throws {
        let store = try store()
        let ids = try fill(store)
        try store.write { try $0.delete($0.object(ids.patient)) }
        #expect(try store.read { try $0.count("Visit") } == 0)
    }

    @Test func nullifies() throws {
        let store = try store(.nullify)
        let ids = try fill(store)
        try store.write { try $0.delete($0.object(ids.patient)) }
        #expect(try store.read { try $0.count("Visit", where: Condition("patient is null")) } == 2)
        // Visits have no inverse, but references to them are cleared nevertheless.
        try store.write { try $0.delete($0.object(ids.visits[0])) }
        #expect(try store.read { try $0.count("Visit", where: Condition("previous is null")) } == 1)
    }

    @Test func cannotClearARequiredReference() throws {
        let store = try store(.nullify, optional: false)
        let ids = try fill(store)
        let error = #expect(throws: StoreError.self) { try store.write { try $0.delete($0.object(ids.patient)) } }
        #expect(error?.code == .missingValue)
        #expect(error?.attribute == "patient")
        #expect(error?.message == "its object was deleted or removed; set another one, or delete this object as well")
    }

    @Test func deniesDeletion() throws {
        let store = try store(.deny)
        let ids = try fill(store)
        let error = #expect(throws: StoreError.self) { try store.write { try $0.delete($0.object(ids.patient)) } }
        #expect(error?.code == .deletionDenied)
        let objects = "the object cannot be deleted while it has related objects: Visit/1, Visit/2"
        #expect(error?.message == "\(objects); delete these first, or remove them from the relationship")
        try store.write { context in
            try context.delete(context.object(ids.patient))
            for visit in ids.visits { try context.delete(context.object(visit)) }
        }
        #expect(try store.read { try $0.count("Patient") + $0.count("Visit") } == 0)
    }

    /// A deletion by condition fetches the objects, which writes what is pending unless that is denied.
    @Test func aDeniedDeletionWaitsForTheRestOfTheBlock() throws {
        let store = try store(.deny)
        let ids = try fill(store)
        try store.write { context in
            try context.delete(context.object(ids.patient))
            try context.delete("Visit", where: .all)
        }
        #expect(try store.read { try $0.count("Patient") + $0.count("Visit") } == 0)
    }

    @Test func aNewObjectCanBeDeletedBeforeItIsWritten() throws {
        let store = try store()
        try store.write { context in
            let patient = try context.insert("Patient")
            let visit = try context.insert("Visit")
            let kept = try context.insert("Visit")
            try patient.add(visit, to: "visits")
            try kept.setObject(visit, for: "previous")
            try context.delete(patient)
        }
        #expect(try store.read { try $0.ids("Visit").map(\.number) } == [2])
    }

    @Test func rejectsDanglingReferences() throws {
        let store = try store()
        #expect(throws: StoreError(code: .danglingReference)) {
            try store.write { try $0.insert("Visit").setValue(text: "77", for: "patient") }
        }
        try store.write { context in
            let visit = try context.insert("Visit")
            let locker = try context.insert("Locker")
            #expect(throws: StoreError(code: .wrongType)) { try visit.setObject(locker, for: "patient") }
            #expect(throws: StoreError(code: .wrongType)) { try visit.objects("patient") }
            #expect(throws: StoreError(code: .unknownAttribute)) { try visit.object("patients") }
        }
    }

    @Test(arguments: [
        ("patient.name == 'Ada'", [1, 2]), ("patient.name != 'Ada'", [3]), ("patient.name is null", [3]),
        ("not patient.name is null", [1, 2]), ("previous.patient.name startsWith 'A'", [2]),
        ("previous.cost == 0 and patient is not null", [2]), ("patient == 1", [1, 2]),
    ])
    func conditionsFollowReferences(text: String, numbers: [Int64]) throws {
        let store = try store()
        _ = try fill(store)
        try store.write { _ = try $0.insert("Visit") }
        let condition = try Condition(text)
        #expect(try store.read { try $0.ids("Visit", where: condition).map(\.number) } == numbers)
        #expect(try store.read { try $0.ids("Visit", where: !condition).count } == 3 - numbers.count)
        let patient = ObjectID(entity: "Patient", number: 1)
        #expect(try store.read { try $0.count("Visit", where: Field("patient") == patient) } == 2)
    }
}
