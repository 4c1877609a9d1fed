import Testing
import Transformable
import TransformableStore

/// Hooks that refuse objects.
@Suite(.eachEngine) struct ValidationHookTests {
    private struct Refused: Error, Equatable {}

    @Test(arguments: [true, false]) func validationListsAllErrors(isEditing: Bool) throws {
        var hooks = EntityHooks()
        hooks.validateForInsert = { visit in
            if try visit.value("cost", as: Int.self) < 0 { throw Refused() }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        @Sendable func add(_ costs: [Int], _ context: StoreContext) throws {
            for cost in costs { try context.insert("Visit").setValue(cost, for: "cost") }
            try context.save()
        }
        func save(_ costs: [Int]) throws {
            if isEditing { try add(costs, store.makeContext()) } else { try store.write { try add(costs, $0) } }
        }
        #expect(throws: Refused()) { try save([1, -1]) }
        let error = #expect(throws: StoreError.self) { try save([-1, 1, -2]) }
        #expect(error?.code == .invalidValue)
        #expect(error?.faults.count == 2)
        #expect(try store.read { try $0.count("Visit") } == 0)
        try save([1])
        #expect(try store.read { try $0.count("Visit") } == 1)
    }

    @Test func aBlockCanFetchAnObjectThatIsRefusedSoFar() throws {
        var hooks = EntityHooks()
        hooks.validateForInsert = { visit in
            if try visit.value("cost", as: Int.self) == 0 { throw Refused() }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        try store.write { context in
            let visit = try context.insert("Visit")
            #expect(try context.fetch("Visit") == [visit])
            try visit.setValue(1, for: "cost")
        }
        #expect(try store.read { try $0.count("Visit") } == 1)
        #expect(throws: Refused()) {
            try store.write { context in
                _ = try context.insert("Visit")
                #expect(try context.count("Visit") == 2)
            }
        }
    }

    @Test func valuesSetByAMergeAreValidated() throws {
        var hooks = EntityHooks()
        hooks.validateForUpdate = { visit in
            guard try visit.value("cost", as: Int.self) < 10 else { throw Refused() }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        let id = try store.write { try $0.insert("Visit").id }
        let context = store.makeContext(
            onConflict: .merge { conflict in try conflict.object.setValue(12, for: "cost") }
        )
        try context.object(id).setValue(6, for: "cost")
        try store.write { try $0.object(id).setValue(7, for: "cost") }
        #expect(throws: Refused()) { try context.save() }
        #expect(try store.read { try $0.object(id).value("cost", as: Int.self) } == 7)
    }

    @Test func aDeletionCausedByAConflictIsValidated() throws {
        var hooks = EntityHooks()
        hooks.validateForDelete = { _ in throw Refused() }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        let context = store.makeContext(onConflict: .mine)
        let patient = try context.object(id)
        try context.delete(patient)
        // The visit was not there yet when its patient was deleted here.
        try store.write { try $0.object(id).add($0.insert("Visit"), to: "visits") }
        #expect(throws: Refused()) { try context.save() }
        #expect(try store.read { try $0.count("Visit") } == 1)
    }

    @Test func deletionCanBeCheckedBeforehand() throws {
        let log = HookLog()
        let store = try Store.clinic(hooks: ["Patient": .logging(to: log)], rule: .deny)
        let context = store.makeContext()
        let patient = try context.insert("Patient")
        try patient.setValue("Ada", for: "name")
        try context.validateForDelete(patient)
        #expect(log.take().last == "validate-delete Patient/1")
        let visit = try context.insert("Visit")
        try patient.add(visit, to: "visits")
        let error = #expect(throws: StoreError.self) { try context.validateForDelete(patient) }
        #expect(error?.code == .deletionDenied)
        #expect(error?.message.contains("Visit/1") == true)
        #expect(!patient.isDeleted)
        try context.save()
        try context.delete(patient)
        #expect(throws: StoreError(code: .deletionDenied)) { try context.save() }
        try context.delete(visit)
        try context.save()
        #expect(try store.read { try $0.count("Patient") } == 0)
    }
}
