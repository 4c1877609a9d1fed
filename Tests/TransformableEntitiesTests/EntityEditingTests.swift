import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// Text that can be changed in place.
final class Remark: Codable {
    var text: String

    init(_ text: String) { self.text = text }
}

@Entity
final class Chart {
    @Attribute(transformer: "remark") var remark: Remark

    init(_ remark: Remark) { self.remark = remark }
}

/// Objects of classes in editing contexts.
@Suite struct EntityEditingTests {
    let store: Store
    let context: StoreContext

    init() throws {
        store = try Fixtures.store()
        context = store.makeContext()
    }

    @Test func findsUnsavedObjects() throws {
        let ward = context.insert(Ward())
        ward.title = "East"
        let id = ward.persistentID
        #expect(try context.first(Ward.self, where: #Predicate { $0.persistentID == id }) === ward)
        #expect(try context.fetch(Ward.self, where: \Ward.title == "East") == [ward])
        #expect(try store.read { try $0.count(Ward.self) } == 0)
        try context.save()
        #expect(try store.read { try $0.object(id).title } == "East")
    }

    @Test func undoesAndRedoes() throws {
        let patient = context.insert(Patient(name: "Ada"))
        let visit = Visit(reason: "late")
        try context.group {
            patient.name = "Bea"
            patient.visits.append(visit)
        }
        try context.undo()
        #expect((patient.name, patient.visits) == ("Ada", []))
        try context.redo()
        #expect((patient.name, patient.visits.map(\.reason)) == ("Bea", ["late"]))
        #expect(patient.visits.first === visit)
        try context.save()
        #expect(try store.read { try $0.count(Visit.self) } == 1)
    }

    @Test func undoesAnAssignmentAlongWithTheInsertionOfTheNewObjects() throws {
        let patient = context.insert(Patient(name: "Ada"))
        let visit = context.insert(Visit())
        try context.save()
        visit.patient = Patient(name: "Bea")
        try context.undo()
        #expect(!context.hasChanges)
        patient.visits = [Visit(reason: "first"), Visit(reason: "second")]
        try context.undo()
        #expect(!context.hasChanges)
        try context.save()
        #expect(try store.read { (try $0.count(Patient.self), try $0.count(Visit.self)) } == (1, 1))
    }

    @Test func rollsBackUnsavedChanges() throws {
        let ward = context.insert(Ward())
        try context.save()
        ward.title = "new"
        let other = context.insert(Ward())
        context.rollback()
        #expect(ward.title == "")
        #expect(other.isDeleted)
        try context.save()
        #expect(try store.read { try $0.count(Ward.self) } == 1)
    }

    @Test func reportsConflicts() throws {
        let ward = context.insert(Ward())
        try context.save()
        let id = ward.persistentID
        try store.write { try $0.object(id).title = "theirs" }
        ward.title = "mine"
        #expect(throws: StoreError(.conflict, "")) { try context.save() }
        context.onConflict = .mine
        try context.save()
        #expect(try store.read { try $0.object(id).title } == "mine")
    }

    @Test func readingDeletedObjectsIsHarmless() throws {
        let patient = context.insert(Patient(name: "Ada"))
        patient.visits.append(Visit())
        try context.save()
        try context.delete(patient)
        #expect(patient.isDeleted)
        try context.save()
        _ = (patient.name, patient.bed, patient.visits, patient.$name.failure)
        #expect(try context.count(Patient.self) == 0)
    }

    @Test(arguments: [true, false]) func savesAnInPlaceChangeAfterAnInsertion(isInBlock: Bool) throws {
        let store = try Store.inMemory(
            for: Chart.self,
            transformers: TransformerRegistry { Registration("remark", CodableTransformer<Remark>()) }
        )
        func change(_ context: StoreContext) throws {
            let chart = context.insert(Chart(Remark("first")))
            try context.save()
            chart.remark.text = "second"
            try context.save()
        }
        if isInBlock { try store.write { try change($0) } } else { try change(store.makeContext()) }
        #expect(try store.read { try $0.fetch(Chart.self).map(\.remark.text) } == ["second"])
    }
}
