import Testing
import Transformable
import TransformableStore

/// Hooks that run when an object is deleted.
@Suite(.eachEngine) struct DeletionHookTests {
    @Test func cascadesRunHooks() throws {
        let log = HookLog()
        let store = try Store.clinic(hooks: ["Visit": .logging(to: log)])
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
        let log = HookLog()
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
        let log = HookLog()
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

    @Test(arguments: [true, false]) func hooksCanReadObjectsThatAreAboutToBeDeleted(isEditing: Bool) throws {
        let log = HookLog()
        let read: EntityHooks.Hook = { visit in
            log.add("\(try visit.value("cost", as: Int.self))")
            #expect(throws: StoreError(code: .noSuchObject)) { try visit.setValue(1, for: "cost") }
        }
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { log.add("\(try $0.value("cost", as: Int.self)) \($0.isDeleted)") }
        hooks.validateForDelete = read
        var patients = EntityHooks()
        patients.validateForDelete = { log.add(try $0.value("name", as: String.self)) }
        let store = try Store.clinic(hooks: ["Visit": hooks, "Patient": patients])
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
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { log.add("\($0.id)") }
        let store = try Store.clinic(hooks: ["Visit": hooks])
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
}
