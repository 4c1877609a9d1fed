import Foundation
import Synchronization
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct HookTests {
    /// What hooks were run, in their order.
    final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    struct Refused: Error, Equatable {}

    private static func hooks(_ log: Log, _ prefix: String = "") -> EntityHooks {
        var hooks = EntityHooks()
        let note: @Sendable (String) -> EntityHooks.Hook = { what in
            { log.add("\(prefix)\(what) \($0.id)") }
        }
        hooks.awakeFromInsert = note("awake-from-insert")
        hooks.awakeFromFetch = note("awake-from-fetch")
        hooks.willSave = note("will-save")
        hooks.didSave = note("did-save")
        hooks.prepareForDeletion = note("prepare")
        hooks.validateForInsert = note("validate-insert")
        hooks.validateForUpdate = note("validate-update")
        hooks.validateForDelete = note("validate-delete")
        return hooks
    }

    private func store(_ hooks: [String: EntityHooks], _ rule: DeleteRule = .cascade) throws -> Store {
        try Store.trial(
            model: RelationshipTests.clinic(rule),
            transformers: Transformers().registry(),
            hooks: hooks
        )
    }

    @Test func hooksRunDuringTheLifetimeOfAnObject() throws {
        let log = Log()
        let store = try store(["Visit": Self.hooks(log)])
        let context = store.makeContext()
        let visit = try context.insert("Visit")
        #expect(log.take() == ["awake-from-insert Visit/1"])
        try context.save()
        #expect(log.take() == ["will-save Visit/1", "validate-insert Visit/1", "did-save Visit/1"])
        try visit.setValue(5, for: "cost")
        try context.save()
        #expect(log.take() == ["will-save Visit/1", "validate-update Visit/1", "did-save Visit/1"])
        try context.delete(visit)
        #expect(log.take() == ["prepare Visit/1"])
        try context.save()
        #expect(log.take() == ["validate-delete Visit/1", "did-save Visit/1"])
    }

    @Test func awakeFromFetchRunsOnceUntilRefreshed() throws {
        let log = Log()
        let store = try store(["Visit": Self.hooks(log)])
        let id = try store.write { try $0.insert("Visit").id }
        _ = log.take()
        let context = store.makeContext()
        let visit = try context.fault(id)
        #expect(log.take() == [])
        _ = try visit.value("cost", as: Int.self)
        _ = try context.fetch("Visit")
        #expect(log.take() == ["awake-from-fetch Visit/1"])
        try context.refresh(visit)
        _ = try visit.value("cost", as: Int.self)
        #expect(log.take() == ["awake-from-fetch Visit/1"])
    }

    @Test(arguments: [true, false]) func aFailedInsertionLeavesNothing(isEditing: Bool) throws {
        struct Refused: Error {}
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { visit in
            try visit.setValue(7, for: "cost")
            if visit.context.isEditing { _ = try visit.context.insert("Locker") }
            throw Refused()
        }
        let store = try store(["Visit": hooks])
        func insert(_ context: StoreContext) throws {
            #expect(throws: Refused.self) { try context.insert("Visit") }
            #expect(context.insertedObjects.isEmpty && !context.hasChanges && !context.canUndo)
            #expect(try context.count("Visit") == 0)
            try context.save()
        }
        if isEditing { try insert(store.makeContext()) } else { try store.write { try insert($0) } }
        let counts = try store.read { (try $0.count("Visit"), try $0.count("Locker")) }
        #expect(counts == (0, 0))
    }

    @Test func hooksRunInABlock() throws {
        let log = Log()
        let store = try store(["Visit": Self.hooks(log)])
        try store.write { context in
            _ = try context.insert("Visit")
            log.add("end of block")
        }
        #expect(
            log.take() == [
                "awake-from-insert Visit/1", "end of block", "will-save Visit/1", "validate-insert Visit/1",
                "did-save Visit/1",
            ]
        )
    }

    /// Even if the error says that a transaction should run again, this one is committed already.
    @Test func anErrorAfterTheCommitDoesNotRepeatTheWrite() async throws {
        var hooks = EntityHooks()
        hooks.didSave = { _ in throw StoreError(code: .transactionConflict) }
        let store = try store(["Visit": hooks])
        await #expect(throws: StoreError(code: .transactionConflict)) {
            try await store.write { _ = try $0.insert("Visit") }
        }
        #expect(throws: StoreError(code: .transactionConflict)) { try Self.insertVisit(in: store) }
        #expect(try await store.read { try $0.count("Visit") } == 2)
    }

    private static func insertVisit(in store: Store) throws {
        try store.write { _ = try $0.insert("Visit") }
    }

    @Test func savedObjectsAreReleasedIfNoHookRunsAfterward() throws {
        var hooks = EntityHooks()
        hooks.willSave = { _ in }
        let store = try store(["Visit": hooks, "Doctor": Self.hooks(Log())])
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

    @Test func awakeFromFetchDoesNotRunForObjectsThatWereInserted() throws {
        let log = Log()
        var hooks = EntityHooks()
        hooks.awakeFromFetch = { log.add("fetch \($0.id.number)") }
        let store = try store(["Visit": hooks])
        try store.write { context in
            func insert() throws {
                _ = try context.insert("Visit")
                try context.save()
            }
            try insert()
            #expect(try context.fetch("Visit").count == 1)
        }
        #expect(log.take() == [])
    }

    @Test func didSaveIsNotCalledForRolledBackObjects() throws {
        let log = Log()
        let store = try store(["Visit": Self.hooks(log)])
        #expect(throws: Refused.self) {
            try store.write { context in
                _ = try context.insert("Visit")
                try context.save()
                throw Refused()
            }
        }
        #expect(log.take().contains { $0.hasPrefix("did-save") } == false)
    }

    @Test func willSaveCanChangeTheObject() throws {
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            try visit.setValue(visit.value("cost", as: Int.self) + 1, for: "cost")
            let doctor = try visit.context(inserting: "Doctor")
            try doctor.setValue("Dee", for: "name")
        }
        let store = try store(["Visit": hooks])
        let context = store.makeContext()
        let visit = try context.insert("Visit")
        try context.save()
        #expect(try visit.value("cost", as: Int.self) == 1)
        #expect(try store.read { try $0.count("Visit", where: Condition("cost == 1")) } == 1)
        #expect(try store.read { try $0.count("Doctor") } == 1)
    }

    /// The second visit refers to the first one, which its hook deletes once it has no patient.
    @Test(arguments: [true, false]) func willSaveRunsForObjectsThatDeleteRulesChange(isEditing: Bool) throws {
        let log = Log()
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            log.add("will-save \(visit.id)")
            if visit.id.number == 1, try visit.object("patient") == nil { try visit.context.delete(visit) }
        }
        let store = try store(["Visit": hooks], .nullify)
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

    @Test func aBlockCanFetchAnObjectThatIsRefusedSoFar() throws {
        var hooks = EntityHooks()
        hooks.validateForInsert = { visit in
            if try visit.value("cost", as: Int.self) == 0 { throw Refused() }
        }
        let store = try store(["Visit": hooks])
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

    @Test(arguments: [true, false]) func validationListsAllErrors(isEditing: Bool) throws {
        var hooks = EntityHooks()
        hooks.validateForInsert = { visit in
            if try visit.value("cost", as: Int.self) < 0 { throw Refused() }
        }
        let store = try store(["Visit": hooks])
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

    @Test func cascadesRunHooks() throws {
        let log = Log()
        let store = try store(["Visit": Self.hooks(log)])
        let context = store.makeContext()
        let patient = try context.insert("Patient")
        try patient.setValue("Ada", for: "name")
        let visit = try context.insert("Visit")
        try patient.add(visit, to: "visits")
        try context.save()
        _ = log.take()
        try context.delete(patient)
        #expect(log.take() == ["prepare Visit/1"])
        try context.save()
        #expect(log.take() == ["validate-delete Visit/1", "did-save Visit/1"])
    }

    /// What each object sees of the others, from the top of a tree to its leaves.
    @Test(arguments: [true, false]) func preparesAllDeletionsBeforeAnyIsMade(isEditing: Bool) throws {
        let log = Log()
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { node in
            let parent = try node.object("parent")?.value("name", as: String.self)
            let children = try node.objects("children").map { try $0.value("name", as: String.self) }
            log.add("\(parent ?? "-") > \(try node.value("name", as: String.self)) > \(children.sorted())")
        }
        let store = try Store.trial(
            model: Self.tree(),
            transformers: Transformers().registry(),
            hooks: ["Node": hooks]
        )
        let ids = try store.write { context in
            var nodes: [String: ManagedObject] = [:]
            for (name, parent) in [("a", ""), ("b", "a"), ("c", "a"), ("d", "b")] {
                let node = try context.insert("Node")
                try node.setValue(name, for: "name")
                try node.setObject(nodes[parent], for: "parent")
                nodes[name] = node
            }
            return nodes.mapValues(\.id)
        }
        let expected = ["- > a > [\"b\", \"c\"]", "a > b > [\"d\"]", "a > c > []", "b > d > []"]
        if isEditing {
            let context = store.makeContext()
            let top = try context.object(#require(ids["a"]))
            try context.delete(top)
            #expect(log.take() == expected)
            try context.undo()
            try context.delete(top)
            #expect(log.take() == expected)
            try context.save()
        } else {
            try store.write { try $0.delete($0.object(#require(ids["a"]))) }
        }
        #expect(log.take() == (isEditing ? [] : expected))
        #expect(try store.read { try $0.count("Node") } == 0)
    }

    @Test func preparesObjectsAddedByAnotherContext() throws {
        let log = Log()
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { node in
            let parent = try node.object("parent")?.value("name", as: String.self)
            log.add("\(parent ?? "-") > \(try node.value("name", as: String.self))")
        }
        let store = try Store.trial(
            model: Self.tree(),
            transformers: Transformers().registry(),
            hooks: ["Node": hooks]
        )
        let id = try store.write { context in
            let node = try context.insert("Node")
            try node.setValue("a", for: "name")
            return node.id
        }
        let context = store.makeContext()
        try context.delete(context.object(id))
        try store.write { context in
            let node = try context.insert("Node")
            try node.setValue("b", for: "name")
            try node.setObject(context.object(id), for: "parent")
        }
        try context.save()
        #expect(log.take() == ["- > a", "a > b"])
        #expect(try store.read { try $0.count("Node") } == 0)
    }

    private static func tree() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Node",
                attributes: [.string("name", .default(""))],
                relationships: [
                    .toOne("parent", "Node"), .toMany("children", "Node", inverse: "parent", deleteRule: .cascade),
                ]
            )
        ])
    }

    @Test func deletionCanBeCheckedBeforehand() throws {
        let log = Log()
        let store = try store(["Patient": Self.hooks(log)], .deny)
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

    @Test(arguments: [true, false]) func hooksCanReadObjectsThatAreAboutToBeDeleted(isEditing: Bool) throws {
        let log = Log()
        let read: EntityHooks.Hook = { visit in
            log.add("\(try visit.value("cost", as: Int.self))")
            #expect(throws: StoreError(code: .noSuchObject)) { try visit.setValue(1, for: "cost") }
        }
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { log.add("\(try $0.value("cost", as: Int.self)) \($0.isDeleted)") }
        hooks.validateForDelete = read
        var patients = EntityHooks()
        patients.validateForDelete = { log.add(try $0.value("name", as: String.self)) }
        let store = try store(["Visit": hooks, "Patient": patients])
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            let visit = try context.insert("Visit")
            try visit.setValue(7, for: "cost")
            try patient.add(visit, to: "visits")
            return patient.id
        }
        if isEditing {
            let context = store.makeContext()
            try context.delete(context.object(id))
            try context.save()
        } else {
            try store.write { try $0.delete($0.object(id)) }
        }
        #expect(log.take().sorted() == ["7", "7 false", "Ada"])
    }

    @Test(arguments: [true, false]) func aDeletionAfterARollbackIsPreparedAgain(isEditing: Bool) throws {
        let log = Log()
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { log.add("\($0.id)") }
        let store = try store(["Visit": hooks])
        let id = try store.write { try $0.insert("Visit").id }
        func delete(_ context: StoreContext) throws {
            try context.delete(context.object(id))
            context.rollback()
            try context.delete(context.object(id))
            try context.save()
        }
        if isEditing { try delete(store.makeContext()) } else { try store.write { try delete($0) } }
        #expect(log.take() == ["Visit/1", "Visit/1"])
    }

    @Test func hooksOfAParentRunFirst() throws {
        let log = Log()
        let model = try Model(entities: [
            EntityDescription("Shape", abstract: true),
            EntityDescription("Circle", parent: "Shape"),
        ])
        var parent = EntityHooks()
        parent.awakeFromInsert = { _ in log.add("shape") }
        var child = EntityHooks()
        child.awakeFromInsert = { _ in log.add("circle") }
        let store = try Store.trial(
            model: model,
            transformers: Transformers().registry(),
            hooks: ["Circle": child, "Shape": parent]
        )
        _ = try store.makeContext().insert("Circle")
        #expect(log.take() == ["shape", "circle"])
        #expect(throws: StoreError(code: .unknownEntity)) {
            try Store.trial(model: model, transformers: Transformers().registry(), hooks: ["Shap": child])
        }
    }

    @Test func valuesSetByAMergeAreValidated() throws {
        var hooks = EntityHooks()
        hooks.validateForUpdate = { visit in
            guard try visit.value("cost", as: Int.self) < 10 else { throw Refused() }
        }
        let store = try store(["Visit": hooks])
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
        let store = try store(["Visit": hooks])
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

    @Test func aHookCanFetch() throws {
        let log = Log()
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            // It sees what is pending, and cannot save in the middle of a save.
            log.add("\(try visit.count("Visit"))")
            #expect(throws: StoreError(code: .misuse)) { try visit.saveAround() }
        }
        let store = try store(["Visit": hooks])
        try store.write { _ = try $0.insert("Visit") }
        let context = store.makeContext()
        _ = try context.insert("Visit")
        try context.save()
        #expect(log.take() == ["1", "2"])
    }
}

extension ManagedObject {
    fileprivate func context(inserting entity: String) throws -> ManagedObject { try context.insert(entity) }
    fileprivate func count(_ entity: String) throws -> Int { try context.count(entity) }
    fileprivate func saveAround() throws { try context.save() }
}
