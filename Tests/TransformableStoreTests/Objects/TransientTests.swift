import Foundation
import Testing
import Transformable
import TransformableStore

/// Values that are kept only in memory, and the hooks that set and store them.
@Suite(.eachEngine) struct TransientTests {
    private static func store(_ change: (inout EntityHooks) -> Void = { _ in }) throws -> Store {
        let model = try Model(entities: [
            EntityDescription(
                "Shape",
                attributes: [
                    .string("hex", .optional), .integer("count", .default(0)), .transient("color", as: Int.self),
                ]
            )
        ])
        var hooks = EntityHooks()
        // As in Core Data: computed in advance, and stored when the object is saved.
        hooks.awakeFromFetch = { shape in
            let hex = try shape.value("hex", as: String?.self)
            try shape.setValue(hex.flatMap { Int($0, radix: 16) }, for: "color")
        }
        hooks.willSave = { shape in
            let color = try shape.value("color", as: Int?.self)
            let hex = color.map { String($0, radix: 16) }
            if try shape.value("hex", as: String?.self) != hex { try shape.setValue(hex, for: "hex") }
        }
        change(&hooks)
        return try Store.trial(model: model, transformers: Transformers().registry(), hooks: ["Shape": hooks])
    }

    private static func add(_ color: Int, _ store: Store) throws -> ObjectID {
        try store.write { context in
            let shape = try context.insert("Shape")
            try shape.setValue(color, for: "color")
            return shape.id
        }
    }

    @Test func awakeFromFetchCanSetValuesInARead() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        try store.read { context in
            let shape = try context.object(id)
            #expect(try shape.value("color", as: Int?.self) == 255)
            #expect(try shape.value("hex", as: String?.self) == "ff")
        }
    }

    @Test func aFaultHasTransientValues() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        #expect(try store.read { try $0.fault(id).value("color", as: Int?.self) } == 255)
        try store.read { context in
            let shape = try context.fault(id)
            try shape.setValue(1, for: "color")
            #expect(try shape.value("hex", as: String?.self) == "ff")
            #expect(try shape.value("color", as: Int?.self) == 1)
        }
    }

    @Test(arguments: [true, false]) func aTransientChangeMarksTheObjectAsChanged(isEditing: Bool) throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        if isEditing {
            let context = store.makeContext()
            let shape = try context.object(id)
            #expect(!context.hasChanges)
            try shape.setValue(16, for: "color")
            #expect(context.updatedObjects == [shape])
            try context.save()
            #expect(!context.hasChanges)
        } else {
            try store.write { try $0.object(id).setValue(16, for: "color") }
        }
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "10")
    }

    @Test func valuesSetByAwakeFromFetchAreNotChanges() throws {
        let store = try Self.store { $0.willSave = { if !$0.isInserted { Issue.record("nothing has changed") } } }
        let id = try store.write { try $0.insert(many: 0..<1, into: "Shape") { _, _ in } }
        let context = store.makeContext()
        let shape = try context.object(ObjectID(entity: "Shape", number: id.lowerBound))
        #expect(!context.hasChanges)
        #expect(shape.changedAttributes.isEmpty)
        try context.save()
        #expect(!context.canUndo)
    }

    @Test func refreshingResetsTransientValues() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let context = store.makeContext()
        let shape = try context.object(id)
        try shape.setValue(16, for: "color")
        try context.refresh(shape)
        #expect(try shape.value("color", as: Int?.self) == 255)
        #expect(!context.hasChanges)
        try shape.setValue(17, for: "color")
        try context.refresh(shape, keepingChanges: true)
        #expect(try shape.value("color", as: Int?.self) == 17)
        context.refreshAll()
        #expect(try shape.value("color", as: Int?.self) == 17)
        context.rollback()
        context.refreshAll()
        #expect(try shape.value("color", as: Int?.self) == 255)
    }

    @Test(arguments: [true, false]) func aRollbackComputesTransientValuesAgain(isEditing: Bool) throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        func rollBack(_ context: StoreContext) throws {
            let shape = try context.object(id)
            try shape.setValue(16, for: "color")
            context.rollback()
            #expect(!context.hasChanges)
            #expect(try shape.value("color", as: Int?.self) == 255)
            try shape.setValue(5, for: "count")
            try context.save()
        }
        if isEditing { try rollBack(store.makeContext()) } else { try store.write { try rollBack($0) } }
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "ff")
    }

    @Test func aRollbackAfterAFailedMergeComputesTransientValuesAgain() throws {
        struct Refused: Error {}
        let store = try Self.store { hooks in
            hooks.validateForUpdate = { shape in
                let hex = try shape.value("hex", as: String?.self)
                let count = try shape.value("count", as: Int.self)
                if hex == "10", count == 9 { throw Refused() }
            }
        }
        let id = try Self.add(255, store)
        let context = store.makeContext(onConflict: .mine)
        let shape = try context.object(id)
        try shape.setValue(16, for: "color")
        try store.write { context in
            try context.object(id).setValue(1, for: "color")
            try context.object(id).setValue(9, for: "count")
        }
        #expect(throws: Refused.self) { try context.save() }
        #expect(try shape.value("color", as: Int?.self) == 16)
        context.rollback()
        #expect(try shape.value("color", as: Int?.self) == 1)
        try shape.setValue(5, for: "count")
        try context.save()
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "1")
    }

    @Test func givingUpAllChangesInAMergeComputesTransientValuesAgain() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let context = store.makeContext(onConflict: .merge { try $0.takeTheirs() })
        let shape = try context.object(id)
        try shape.setValue(16, for: "color")
        try store.write { try $0.object(id).setValue(1, for: "color") }
        try context.save()
        #expect(try shape.value("color", as: Int?.self) == 1)
        try shape.setValue(5, for: "count")
        try context.save()
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "1")
    }

    @Test func aNewerRowThatAFetchReadsIsComputedAgain() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let context = store.makeContext()
        let shape = try context.object(id)
        try store.write { try $0.object(id).setValue(1, for: "color") }
        #expect(try context.fetch("Shape") == [shape])
        #expect(try shape.value("color", as: Int?.self) == 1)
        try shape.setValue(5, for: "count")
        try context.save()
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "1")
    }

    @Test func aFetchKeepsATransientChangeSoThatItConflicts() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let context = store.makeContext()
        let shape = try context.object(id)
        try shape.setValue(16, for: "color")
        try store.write { try $0.object(id).setValue(1, for: "color") }
        #expect(try context.fetch("Shape") == [shape])
        #expect(try shape.value("color", as: Int?.self) == 16)
        #expect(throws: StoreError(code: .conflict)) { try context.save() }
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "1")
    }

    @Test(arguments: [true, false]) func aMergedRowIsComputedAgain(isMine: Bool) throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let context = store.makeContext(onConflict: isMine ? .mine : .theirs)
        let shape = try context.object(id)
        try shape.setValue(5, for: "count")
        try store.write { try $0.object(id).setValue(1, for: "color") }
        try context.save()
        #expect(try shape.value("color", as: Int?.self) == 1)
        try shape.setValue(6, for: "count")
        try context.save()
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "1")
    }

    @Test func aMergeThatTakesTheirValueComputesFromIt() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let context = store.makeContext(onConflict: .theirs)
        let shape = try context.object(id)
        try shape.setValue(16, for: "color")
        try store.write { try $0.object(id).setValue(1, for: "color") }
        try context.save()
        try shape.setValue(6, for: "count")
        try context.save()
        #expect(try store.read { try $0.object(id).value("hex", as: String?.self) } == "1")
    }

    @Test(arguments: [true, false]) func awakeFromFetchIsNotCalledForInsertedObjects(isEditing: Bool) throws {
        let store = try Self.store { hooks in
            hooks.awakeFromFetch = { _ in Issue.record("it was inserted here") }
        }
        func insert(_ context: StoreContext) throws {
            let shape = try context.insert("Shape")
            for _ in 0..<2 {
                #expect(try context.fetch("Shape") == [shape])
                try context.save()
            }
        }
        if isEditing { try insert(store.makeContext()) } else { try store.write { try insert($0) } }
    }

    @Test func transientValuesCannotBeSetAfterTheBlock() throws {
        let store = try Self.store()
        let id = try Self.add(255, store)
        let shape = Leak()
        try store.read { shape.object = try $0.object(id) }
        #expect(throws: StoreError(code: .misuse)) { try shape.object?.setValue(1, for: "color") }
    }

    /// Returns an object from its block, which programs must not do.
    private final class Leak: @unchecked Sendable {
        // Read by the test after the block has ended.
        var object: ManagedObject?
    }
}
