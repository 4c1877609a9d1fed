import Synchronization
import Testing
import Transformable
import TransformableStore

/// Hooks that run when an object is inserted or fetched, and their order.
@Suite(.eachEngine) struct HookLifetimeTests {
    @Test func hooksRunDuringTheLifetimeOfAnObject() throws {
        let log = HookLog()
        let store = try Store.clinic(hooks: ["Visit": .logging(to: log)])
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

    @Test func hooksRunInABlock() throws {
        let log = HookLog()
        let store = try Store.clinic(hooks: ["Visit": .logging(to: log)])
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

    @Test func hooksOfAParentRunFirst() throws {
        let log = HookLog()
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

    @Test func awakeFromFetchRunsOnceUntilRefreshed() throws {
        let log = HookLog()
        let store = try Store.clinic(hooks: ["Visit": .logging(to: log)])
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

    @Test func awakeFromFetchRunsAgainAfterItHasFailed() throws {
        struct Refused: Error {}
        var hooks = EntityHooks()
        hooks.awakeFromFetch = { visit in
            if visit.context.isEditing { throw Refused() }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        let id = try store.write { try $0.insert("Visit").id }
        let visit = try store.makeContext().fault(id)
        for _ in 0..<2 {
            #expect(throws: Refused.self) { try visit.value("cost", as: Int.self) }
        }
    }

    /// The hook fails for the row that a refresh or a merge has read.
    ///
    /// A third context saves another value before the hook runs again.
    @Test(arguments: [true, false]) func aChangeStaysAConflictAfterAHookHasFailed(isRefresh: Bool) throws {
        struct Refused: Error {}
        let isRefused = Mutex(false)
        var hooks = EntityHooks()
        hooks.awakeFromFetch = { visit in
            if visit.context.isEditing, isRefused.withLock({ $0 }) { throw Refused() }
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
        let id = try store.write { try $0.insert("Visit").id }
        let context = store.makeContext(onConflict: .mine)
        let visit = try context.object(id)
        try visit.setValue(1, for: "cost")
        try store.write { try $0.object(id).setValue(2, for: "cost") }
        isRefused.withLock { $0 = true }
        #expect(throws: Refused.self) {
            if isRefresh { try context.refresh(visit, keepingChanges: true) } else { try context.save() }
        }
        try store.write { try $0.object(id).setValue(3, for: "cost") }
        // It runs again whenever the object is used.
        #expect(throws: Refused.self) { try visit.object("patient") }
        isRefused.withLock { $0 = false }
        #expect(try visit.object("patient") == nil)
        context.onConflict = .fail
        #expect(throws: StoreError(code: .conflict)) { try context.save() }
        let cost = try store.read { try $0.object(id).value("cost", as: Int.self) }
        #expect(cost == 3)
    }

    @Test func awakeFromFetchDoesNotRunForObjectsThatWereInserted() throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.awakeFromFetch = { log.add("fetch \($0.id.number)") }
        let store = try Store.clinic(hooks: ["Visit": hooks])
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

    @Test(arguments: [true, false]) func aFailedInsertionLeavesNothing(isEditing: Bool) throws {
        struct Refused: Error {}
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { visit in
            try visit.setValue(7, for: "cost")
            if visit.context.isEditing { _ = try visit.context.insert("Locker") }
            throw Refused()
        }
        let store = try Store.clinic(hooks: ["Visit": hooks])
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
}
