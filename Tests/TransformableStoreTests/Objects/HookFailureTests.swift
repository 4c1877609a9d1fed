import Testing
import Transformable
import TransformableStore

/// Hooks that throw errors, some of them after a fetch, which writes in a block what is pending.
@Suite(.eachEngine) struct HookFailureTests {
    private struct Refused: Error, Equatable {
        var number: Int64 = 0
    }

    private func store(_ entity: String, _ hooks: EntityHooks, _ rule: DeleteRule = .nullify) throws -> Store {
        try Store.clinic(hooks: [entity: hooks], rule: rule)
    }

    /// Runs a closure in a block, or in an editing context that is then saved.
    private func edit(_ store: Store, isEditing: Bool, _ body: (StoreContext) throws -> Void) throws {
        guard isEditing else { return try store.write { try body($0) } }
        let context = store.makeContext()
        try body(context)
        try context.save()
    }

    // MARK: - Insertions

    /// The hook relates other objects to the one that it rejects.
    @Test func nothingLeadsToAnObjectThatWasNotInserted() throws {
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { patient in
            let visit = try patient.context.insert("Visit")
            try visit.setObject(patient, for: "patient")
            let doctor = try patient.context.insert("Doctor")
            try doctor.setValue("Dee", for: "name")
            try doctor.add(patient, to: "patients")
            throw Refused()
        }
        let store = try store("Patient", hooks)
        try store.write { context in
            #expect(throws: Refused()) { try context.insert("Patient") }
            let count = try context.count("Patient")
            #expect(count == 0)
        }
        let related = try store.read { context in
            let (visit, doctor) = try (context.first("Visit"), context.first("Doctor"))
            return try (visit?.object("patient")?.id, doctor?.objects("patients").map(\.id))
        }
        #expect(related == (nil, []))
    }

    /// The patient's deletion would delete its visits, but it was never inserted.
    @Test(arguments: [true, false]) func anObjectThatWasNotInsertedTakesNothingWithIt(isWritten: Bool) throws {
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { patient in
            try patient.setValue("Ada", for: "name")
            guard isWritten else {
                try patient.add(patient.context.object(ObjectID(entity: "Visit", number: 1)), to: "visits")
                throw Refused()
            }
            // The fetch writes the patient.
            for visit in try patient.context.fetch("Visit") { try patient.add(visit, to: "visits") }
            throw Refused()
        }
        let store = try store("Patient", hooks, .cascade)
        try store.write { context in
            _ = try context.insert("Visit")
            try context.save()
            #expect(throws: Refused()) { try context.insert("Patient") }
        }
        let visits = try store.read { try $0.fetch("Visit").map { try $0.object("patient")?.id } }
        #expect(visits == [nil])
    }

    @Test func anObjectThatWasWrittenBeforeItsInsertionFailedIsDeleted() throws {
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { patient in
            try patient.setValue("Ada", for: "name")
            _ = try patient.context.count("Patient")
            throw Refused()
        }
        let store = try store("Patient", hooks)
        try store.write { context in
            #expect(throws: Refused()) { try context.insert("Patient") }
            let count = try context.count("Patient")
            #expect(count == 0)
        }
        let count = try store.read { try $0.count("Patient") }
        #expect(count == 0)
    }

    /// The rules would delete the ward, or refuse to delete the note, and so would the hooks.
    @Test(arguments: [DeleteRule.cascade, .deny], [true, false])
    func aWrittenObjectThatWasNotInsertedIsDeletedWithoutRules(rule: DeleteRule, isEditing: Bool) throws {
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { note in
            try note.setObject(note.context.object(ObjectID(entity: "Ward", number: 1)), for: "ward")
            // Either of them writes the row.
            if note.context.isEditing { try note.context.save() } else { _ = try note.context.count("Note") }
            throw Refused()
        }
        hooks.prepareForDeletion = { _ in throw Refused(number: 1) }
        hooks.validateForDelete = { _ in throw Refused(number: 2) }
        hooks.didSave = { note in if !note.context.isEditing { throw Refused(number: 3) } }
        let model = try Model(entities: [
            EntityDescription("Ward", attributes: [.string("name", .optional)]),
            EntityDescription("Note", relationships: [.toOne("ward", "Ward", deleteRule: rule)]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry(), hooks: ["Note": hooks])
        try store.write { _ = try $0.insert("Ward") }
        try edit(store, isEditing: isEditing) { context in
            #expect(throws: Refused()) { try context.insert("Note") }
            let count = try context.count("Note")
            #expect(count == 0)
        }
        let counts = try store.read { (try $0.count("Ward"), try $0.count("Note")) }
        #expect(counts == (1, 0))
    }

    // MARK: - Deletions

    @Test(arguments: [true, false]) func aDeletionIsRefusedAfterAFetch(isEditing: Bool) throws {
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { visit in
            _ = try visit.context.count("Visit")
            if try visit.value("cost", as: Int.self) > 0 { throw Refused() }
        }
        let store = try store("Visit", hooks)
        let ids = try store.write { context in
            try (0..<2)
                .map { cost in
                    let visit = try context.insert("Visit")
                    try visit.setValue(cost, for: "cost")
                    return visit.id
                }
        }
        try edit(store, isEditing: isEditing) { context in
            try context.delete(context.object(ids[0]))
            let refused = try context.object(ids[1])
            #expect(throws: Refused()) { try context.delete(refused) }
        }
        let left = try store.read { try $0.fetch("Visit").map(\.id) }
        #expect(left == [ids[1]])
    }

    @Test(arguments: [true, false]) func aCascadeIsPreparedOnceDespiteAFetch(isEditing: Bool) throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { visit in
            log.add("\(visit.id)")
            _ = try visit.context.count("Doctor")
        }
        let store = try store("Visit", hooks, .cascade)
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            for _ in 0..<2 { try patient.add(context.insert("Visit"), to: "visits") }
            return patient.id
        }
        try edit(store, isEditing: isEditing) { context in
            let patient = try context.object(id)
            try patient.setValue("Bea", for: "name")
            try context.delete(patient)
        }
        #expect(log.take() == ["Visit/1", "Visit/2"])
        let counts = try store.read { (try $0.count("Patient"), try $0.count("Visit")) }
        #expect(counts == (0, 0))
    }

    // MARK: - Saves

    @Test(arguments: [true, false]) func allObjectsLearnThatTheyWereSaved(isEditing: Bool) throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.didSave = { visit in
            log.add("\(visit.id)")
            throw Refused(number: visit.id.number)
        }
        let store = try store("Visit", hooks)
        #expect(throws: Refused(number: 1)) {
            try edit(store, isEditing: isEditing) { context in
                for _ in 0..<3 { _ = try context.insert("Visit") }
            }
        }
        #expect(log.take() == ["Visit/1", "Visit/2", "Visit/3"])
        let count = try store.read { try $0.count("Visit") }
        #expect(count == 3)
    }
}
