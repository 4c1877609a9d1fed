import Foundation
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct UndoTests {
    private func clinic() throws -> (context: StoreContext, patient: ManagedObject, visits: [ManagedObject]) {
        let store = try Store.trial(model: RelationshipTests.clinic(), transformers: Transformers().registry())
        let context = store.makeContext()
        let patient = try context.insert("Patient")
        try patient.setValue("Ada", for: "name")
        let visits = try (0..<2).map { _ in try context.insert("Visit") }
        for visit in visits { try patient.add(visit, to: "visits") }
        try context.save()
        return (context, patient, visits)
    }

    @Test func undoesAValue() throws {
        let (context, patient, _) = try clinic()
        #expect(!context.canUndo)
        try patient.setValue("Bea", for: "name")
        try patient.setValue("Cid", for: "name")
        #expect(try context.undo())
        #expect(try patient.value("name", as: String.self) == "Bea")
        #expect(try context.undo())
        #expect(try patient.value("name", as: String.self) == "Ada")
        #expect(!context.hasChanges)
        #expect(try !context.undo())
        #expect(try context.redo())
        #expect(try context.redo())
        #expect(try !context.redo())
        #expect(try patient.value("name", as: String.self) == "Cid")
        try context.save()
        #expect(try context.store.read { try $0.count("Patient", where: Condition("name == 'Cid'")) } == 1)
        #expect(!context.canUndo && !context.canRedo)
    }

    @Test func aChangeAfterAnUndoLeavesNothingToRedo() throws {
        let (context, patient, visits) = try clinic()
        try patient.setValue("Bea", for: "name")
        try context.undo()
        try visits[0].setValue(7, for: "cost")
        #expect(!context.canRedo)
    }

    @Test func undoesAGroup() throws {
        let (context, patient, visits) = try clinic()
        try context.group {
            try patient.setValue("Bea", for: "name")
            try visits[0].setValue(7, for: "cost")
            _ = try context.insert("Doctor")
        }
        try context.undo()
        #expect(try patient.value("name", as: String.self) == "Ada")
        #expect(try visits[0].value("cost", as: Int.self) == 0)
        #expect(try context.count("Doctor") == 0)
        #expect(!context.hasChanges)
        try context.redo()
        #expect(try context.count("Doctor") == 1)
        #expect(try visits[0].value("cost", as: Int.self) == 7)
    }

    @Test func aGroupThatThrowsIsUndone() throws {
        struct Failure: Error {}
        let (context, patient, _) = try clinic()
        #expect(throws: Failure.self) {
            try context.group {
                try patient.setValue("Bea", for: "name")
                throw Failure()
            }
        }
        #expect(try patient.value("name", as: String.self) == "Ada")
        #expect(!context.canUndo)
    }

    @Test func aGroupThatThrowsInABlockKeepsItsChanges() throws {
        struct Failure: Error {}
        let (context, patient, _) = try clinic()
        let (store, id) = (context.store, patient.id)
        try store.write { context in
            let patient = try context.object(id)
            #expect(throws: Failure.self) {
                try context.group {
                    try patient.setValue("Bea", for: "name")
                    throw Failure()
                }
            }
        }
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Bea")
    }

    @Test func aGroupCanSave() throws {
        let (context, patient, _) = try clinic()
        try context.group {
            try patient.setValue("Bea", for: "name")
            try context.save()
            try patient.setValue("Cid", for: "name")
            #expect(throws: StoreError(code: .misuse)) { try context.undo() }
        }
        try context.undo()
        #expect(try patient.value("name", as: String.self) == "Bea")
        #expect(!context.canUndo)
    }

    @Test(arguments: [(true, 5), (false, 0)])
    func aGroupThatThrowsAfterASaveOrRollbackIsUndoneSinceThen(isSave: Bool, cost: Int) throws {
        struct Failure: Error {}
        let (context, patient, visits) = try clinic()
        try context.group {
            for cost in 1...5 { try visits[0].setValue(cost, for: "cost") }
            #expect(throws: Failure.self) {
                try context.group {
                    if isSave { try context.save() } else { context.rollback() }
                    for name in ["a", "b", "c", "d", "e", "f", "g"] { try patient.setValue(name, for: "name") }
                    throw Failure()
                }
            }
        }
        #expect(try patient.value("name", as: String.self) == "Ada")
        #expect(try visits[0].value("cost", as: Int.self) == cost)
        #expect(!context.hasChanges && !context.canUndo)
    }

    @Test func undoesADeletionThatAHookRejects() throws {
        struct Refused: Error {}
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { visit in
            if try visit.value("cost", as: Int.self) > 0 { throw Refused() }
        }
        let store = try Store.trial(
            model: RelationshipTests.clinic(),
            transformers: Transformers().registry(),
            hooks: ["Visit": hooks]
        )
        let context = store.makeContext()
        let patient = try context.insert("Patient")
        try patient.setValue("Ada", for: "name")
        for cost in [0, 1] {
            let visit = try context.insert("Visit")
            try visit.setValue(cost, for: "cost")
            try patient.add(visit, to: "visits")
        }
        try context.save()
        #expect(throws: Refused.self) { try context.delete(patient) }
        #expect(!context.hasChanges)
        #expect(try patient.objects("visits").count == 2)
    }

    @Test func undoesADeletionOfManyObjectsAtOnce() throws {
        let (context, _, _) = try clinic()
        #expect(try context.delete("Visit", where: .all) == 2)
        try context.undo()
        #expect(!context.hasChanges)
        #expect(!context.canUndo)
        #expect(try context.count("Visit") == 2)
    }

    @Test func undoesAnUpdateOfManyObjectsAtOnce() throws {
        let (context, _, visits) = try clinic()
        #expect(try context.update("Visit", where: .all) { try $0.setValue(7, for: "cost") } == 2)
        try context.undo()
        #expect(!context.canUndo)
        #expect(try visits.map { try $0.value("cost", as: Int.self) } == [0, 0])
    }

    @Test func undoesACascade() throws {
        let (context, patient, visits) = try clinic()
        try context.delete(patient)
        #expect(visits.map(\.isDeleted) == [true, true])
        #expect(try context.count("Visit") == 0)
        try context.undo()
        #expect(try context.count("Visit") == 2)
        #expect(try patient.objects("visits") == visits)
        #expect(!context.hasChanges)
        try context.redo()
        try context.save()
        #expect(try context.store.read { try $0.count("Visit") } == 0)
    }

    @Test func undoesBothSides() throws {
        let (context, patient, visits) = try clinic()
        let bea = try context.insert("Patient")
        let doctor = try context.insert("Doctor")
        try bea.add(visits[0], to: "visits")
        try patient.add(doctor, to: "doctors")
        #expect(try doctor.objects("patients") == [patient])
        try context.undo()
        #expect(try doctor.objects("patients") == [])
        #expect(try patient.objects("doctors") == [])
        try context.undo()
        #expect(try bea.objects("visits") == [])
        #expect(try visits[0].object("patient") === patient)
    }

    @Test func undoingAnInsertionRemovesTheObject() throws {
        let (context, _, _) = try clinic()
        let doctor = try context.insert("Doctor")
        try context.undo()
        #expect(doctor.isDeleted)
        #expect(context.insertedObjects.isEmpty)
        try context.redo()
        try doctor.setValue("Dee", for: "name")
        try context.save()
        #expect(try context.store.read { try $0.count("Doctor") } == 1)
    }

    @Test func changesRedoneAfterARefreshAreSaved() throws {
        let (context, patient, visits) = try clinic()
        try patient.setValue("Bea", for: "name")
        try context.delete(visits[0])
        try context.undo()
        try context.undo()
        context.refreshAll()
        try context.redo()
        try context.redo()
        #expect(context.hasChanges)
        #expect(try patient.value("name", as: String.self) == "Bea")
        try context.save()
        let found = try context.store.read { context in
            (try context.count("Patient", where: Condition("name == 'Bea'")), try context.count("Visit"))
        }
        #expect(found == (1, 1))
    }

    @Test func changesUndoneAfterARefreshAreSaved() throws {
        let (context, patient, _) = try clinic()
        try patient.setValue("Bea", for: "name")
        try patient.setValue("Cid", for: "name")
        try context.refresh(patient)
        try context.undo()
        #expect(try patient.value("name", as: String.self) == "Bea")
        try context.save()
        #expect(try context.store.read { try $0.count("Patient", where: Condition("name == 'Bea'")) } == 1)
    }

    @Test func restoresNoOutdatedValue() throws {
        let (context, patient, _) = try clinic()
        let id = patient.id
        #expect(try patient.value("name", as: String.self) == "Ada")
        try patient.setValue("Bea", for: "name")
        try context.store.write { try $0.object(id).setValue("Cid", for: "name") }
        try context.refresh(patient, keepingChanges: true)
        try context.undo()
        #expect(try patient.value("name", as: String.self) == "Cid")
        #expect(!context.hasChanges)
    }

    @Test func redoesADeletionOfARefreshedObject() throws {
        let (context, _, visits) = try clinic()
        let id = visits[0].id
        try context.delete(visits[0])
        try context.undo()
        try context.store.write { try $0.object(id).setValue(7, for: "cost") }
        context.refreshAll()
        try context.redo()
        try context.save()
        #expect(try context.store.read { try $0.objectIfPresent(id) == nil })
    }

    @Test func aNestedGroupIsUndoneSeparately() throws {
        struct Failure: Error {}
        let (context, patient, visits) = try clinic()
        try context.group {
            try patient.setValue("Bea", for: "name")
            #expect(throws: Failure.self) {
                try context.group {
                    try patient.setValue("Cid", for: "name")
                    try visits[0].setValue(7, for: "cost")
                    throw Failure()
                }
            }
        }
        #expect(try patient.value("name", as: String.self) == "Bea")
        #expect(try visits[0].value("cost", as: Int.self) == 0)
        try context.undo()
        #expect(try patient.value("name", as: String.self) == "Ada")
        #expect(!context.canUndo)
    }

    @Test func changesMadeByAFailedSaveAreUndoneWithThePrecedingChange() throws {
        struct Refused: Error {}
        var hooks = EntityHooks()
        hooks.willSave = { visit in try visit.setValue(visit.value("cost", as: Int.self) + 1, for: "cost") }
        hooks.validateForUpdate = { _ in throw Refused() }
        let store = try Store.trial(
            model: RelationshipTests.clinic(),
            transformers: Transformers().registry(),
            hooks: ["Visit": hooks]
        )
        let context = store.makeContext()
        let visit = try context.insert("Visit")
        try context.save()
        try visit.setValue(5, for: "cost")
        _ = try context.insert("Locker")
        try context.undo()
        #expect(throws: Refused.self) { try context.save() }
        #expect(try visit.value("cost", as: Int.self) == 6)
        #expect(context.canRedo)
        try context.undo()
        #expect(try visit.value("cost", as: Int.self) == 1)
        #expect(!context.hasChanges && !context.canUndo)
    }

    @Test func aRejectedValueLeavesNothingToUndo() throws {
        let (context, patient, _) = try clinic()
        #expect(throws: StoreError(code: .wrongType)) { try patient.setValue([1], for: "name") }
        #expect(!context.canUndo)
        #expect(try patient.value("name", as: String.self) == "Ada")
    }
}
