import Synchronization
import Testing
import Transformable
import TransformableStore

/// Hooks that run before and after a save.
@Suite(.eachEngine) struct SaveHookTests {
    private struct Refused: Error {}

    /// A store in which a hook writes once.
    private final class Elsewhere: Sendable {
        private let store = Mutex<Store?>(nil)

        func set(_ other: Store) { store.withLock { $0 = other } }

        func take() -> Store? {
            store.withLock { store in
                defer { store = nil }
                return store
            }
        }
    }

    @Test func willSaveCanChangeTheObject() throws {
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            try visit.setValue(visit.value("cost", as: Int.self) + 1, for: "cost")
            let doctor = try visit.context(inserting: "Doctor")
            try doctor.setValue("Dee", for: "name")
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        let context = store.makeContext()
        let visit = try context.insert("Visit")
        try context.save()
        #expect(try visit.value("cost", as: Int.self) == 1)
        #expect(try store.read { try $0.count("Visit", where: Condition("cost == 1")) } == 1)
        #expect(try store.read { try $0.count("Doctor") } == 1)
    }

    /// The second visit refers to the first one, which its hook deletes once it has no patient.
    @Test(arguments: [true, false]) func willSaveRunsForObjectsThatDeleteRulesChange(isEditing: Bool) throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            log.add("will-save \(visit.id)")
            if visit.id.number == 1, try visit.object("patient") == nil { try visit.context.delete(visit) }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks], rule: .nullify)
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            let visits = try (0..<2).map { _ in try context.insert("Visit") }
            try patient.add(visits[0], to: "visits")
            try visits[1].setObject(visits[0], for: "previous")
            return patient.id
        }
        _ = log.take()
        func delete(_ context: StoreContext) throws {
            try context.delete(context.object(id))
            try context.save()
        }
        if isEditing { try delete(store.makeContext()) } else { try store.write { try delete($0) } }
        #expect(log.take() == ["will-save Visit/1", "will-save Visit/2"])
        #expect(try store.read { try $0.fetch("Visit").map(\.id.number) } == [2])
    }

    /// The delete rules have been applied when another context adds a visit, and apply again in the transaction.
    @Test func willSaveRunsForObjectsThatWereAddedDuringTheSave() throws {
        let (log, elsewhere) = (HookLog(), Elsewhere())
        var (patients, visits) = (EntityHooks(), EntityHooks())
        patients.validateForDelete = { patient in
            let id = patient.id
            try elsewhere.take()?
                .write { context in
                    try context.insert("Visit").setObject(context.object(id), for: "patient")
                }
        }
        visits.willSave = { visit in
            if visit.context.isEditing { log.add("will-save \(visit.id)") }
        }
        let store = try Store.clinic(hooks: ["Patient": patients, "Visit": visits], rule: .nullify)
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        let context = store.makeContext()
        try context.delete(context.object(id))
        elsewhere.set(store)
        try context.save()
        #expect(log.take() == ["will-save Visit/1"])
        let hasPatient = try store.read { try $0.fetch("Visit").map { try $0.object("patient") != nil } }
        #expect(hasPatient == [false])
    }

    @Test func aHookCanFetch() throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            // It sees what is pending, and cannot save in the middle of a save.
            log.add("\(try visit.count("Visit"))")
            #expect(throws: StoreError(code: .misuse)) { try visit.saveAround() }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        try store.write { _ = try $0.insert("Visit") }
        let context = store.makeContext()
        _ = try context.insert("Visit")
        try context.save()
        #expect(log.take() == ["1", "2"])
    }

    @Test func savedObjectsAreReleasedIfNoHookRunsAfterward() throws {
        var hooks = EntityHooks()
        hooks.willSave = { _ in }
        let store = try Store.clinic(hooks: ["Visit": hooks, "Doctor": .logging(to: HookLog())])
        try store.write { context in
            weak var saved: ManagedObject?
            func insert() throws {
                saved = try context.insert("Visit")
                try context.save()
            }
            try insert()
            #expect(saved == nil)
        }
    }

    @Test func didSaveIsNotCalledForRolledBackObjects() throws {
        let log = HookLog()
        let store = try Store.clinic(hooks: ["Visit": .logging(to: log)])
        #expect(throws: Refused.self) {
            try store.write { context in
                _ = try context.insert("Visit")
                try context.save()
                throw Refused()
            }
        }
        #expect(log.take().contains { $0.hasPrefix("did-save") } == false)
    }

    /// Even if the error says that a transaction should run again, this one is committed already.
    @Test func anErrorAfterTheCommitDoesNotRepeatTheWrite() async throws {
        var hooks = EntityHooks()
        hooks.didSave = { _ in throw StoreError(code: .transactionConflict) }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        await #expect(throws: StoreError(code: .transactionConflict)) {
            try await store.write { _ = try $0.insert("Visit") }
        }
        #expect(throws: StoreError(code: .transactionConflict)) { try Self.insertVisit(in: store) }
        #expect(try await store.read { try $0.count("Visit") } == 2)
    }

    private static func insertVisit(in store: Store) throws {
        try store.write { _ = try $0.insert("Visit") }
    }
}

extension ManagedObject {
    fileprivate func context(inserting entity: String) throws -> ManagedObject { try context.insert(entity) }
    fileprivate func count(_ entity: String) throws -> Int { try context.count(entity) }
    fileprivate func saveAround() throws { try context.save() }
}
