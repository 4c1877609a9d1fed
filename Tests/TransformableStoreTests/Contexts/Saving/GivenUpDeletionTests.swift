import Foundation
import Testing
import Transformable
import TransformableStore

/// Deletions that are reverted because another context has saved the object in the meantime.
@Suite(.eachEngine) struct GivenUpDeletionTests {
    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Node",
                attributes: [.string("name")],
                relationships: [
                    .toOne("boss", "Node"),
                    .toMany("parts", "Node", inverse: "whole", deleteRule: .cascade), .toOne("whole", "Node"),
                    .toMany("friends", "Node"),
                    .toMany("shared", "Node", inverse: "sharers", deleteRule: .cascade),
                    .toMany("sharers", "Node", inverse: "shared"),
                    .toMany("blockers", "Node", inverse: "blocked", deleteRule: .deny),
                    .toMany("blocked", "Node", inverse: "blockers"),
                ]
            )
        ])
    }

    /// Nodes that an editing context has read, one of which another context then renames.
    private final class Nodes {
        let folder: Folder
        let store: Store
        let context: StoreContext
        // Retained, so that their values stay in memory.
        private var nodes: [String: ManagedObject] = [:]

        init(_ names: String..., policy: ConflictPolicy = .theirs, relate: ([String: ManagedObject]) throws -> Void)
            throws
        {
            folder = try Folder()
            store = try Place.file.store(GivenUpDeletionTests.model(), in: folder)
            context = store.makeContext(onConflict: policy)
            for name in names { nodes[name] = try OrderTests.make("Node", name, context) }
            try relate(nodes)
            try context.save()
        }

        subscript(name: String) -> ManagedObject {
            get throws { try #require(nodes[name]) }
        }

        /// Changes a node in another context.
        func elsewhere(_ name: String, _ body: @Sendable (StoreContext, ManagedObject) throws -> Void) throws {
            let id = try self[name].id
            try store.write { try body($0, $0.object(id)) }
        }

        func renameElsewhere(_ name: String) throws {
            try elsewhere(name) { try $1.setValue("theirs", for: "name") }
        }

        /// The stored names of the nodes that a node leads to.
        func stored(_ name: String, _ relationship: String) throws -> [String] {
            let id = try self[name].id
            return try store.read { context in
                let node = try context.object(id)
                let description = try node.objects(relationship)
                return try description.map { try $0.value("name", as: String.self) }
            }
        }

        func boss(of name: String) throws -> String? {
            let id = try self[name].id
            return try store.read { try $0.object(id).object("boss")?.value("name", as: String.self) }
        }

        var count: Int { get throws { try store.read { try $0.count("Node") } } }
    }

    @Test func restoresReferences() throws {
        let nodes = try Nodes("a", "x") { try $0["x"]?.setObject($0["a"], for: "boss") }
        try nodes.renameElsewhere("a")
        try nodes.context.delete(nodes["a"])
        #expect(try nodes["x"].object("boss") == nil)
        try nodes["x"].setValue("y", for: "name")
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == "theirs")
        #expect(try nodes["x"].object("boss") === nodes["a"])
        #expect(try nodes["x"].value("name", as: String.self) == "y")
        #expect(!nodes.context.hasChanges)
    }

    @Test func keepsReferencesOfTheOtherContext() throws {
        let nodes = try Nodes("a", "x") { _ in }
        let x = try nodes["x"].id
        try nodes.elsewhere("a") { context, a in
            try a.setValue("theirs", for: "name")
            try context.object(x).setObject(a, for: "boss")
        }
        try nodes.context.delete(nodes["a"])
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == "theirs")
        #expect(try nodes["x"].object("boss") === nodes["a"])
    }

    @Test func keepsReferencesSetSince() throws {
        let nodes = try Nodes("a", "c", "x") { try $0["x"]?.setObject($0["a"], for: "boss") }
        try nodes.renameElsewhere("a")
        try nodes.context.delete(nodes["a"])
        try nodes["x"].setObject(nodes["c"], for: "boss")
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == "c")
    }

    @Test func savesValuesSetBefore() throws {
        let nodes = try Nodes("a", "x") { _ in }
        try nodes.renameElsewhere("a")
        try nodes["x"].setObject(nodes["a"], for: "boss")
        try nodes.context.delete(nodes["a"])
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == "theirs")
    }

    @Test func restoresPairs() throws {
        let nodes = try Nodes("a", "x", "y") { nodes in
            try nodes["x"]?.setObjects([nodes["a"], nodes["y"]].compactMap(\.self), for: "friends")
        }
        try nodes.renameElsewhere("a")
        try nodes.context.delete(nodes["a"])
        try nodes["x"].remove(nodes["y"], from: "friends")
        try nodes.context.save()
        #expect(try nodes.stored("x", "friends") == ["theirs"])
    }

    @Test func restoresCascadedObjects() throws {
        let nodes = try Nodes("a", "b", "c") { nodes in
            try nodes["b"]?.setObject(nodes["a"], for: "whole")
            try nodes["c"]?.setObject(nodes["b"], for: "whole")
        }
        try nodes.renameElsewhere("a")
        try nodes["c"].setValue("d", for: "name")
        let new = try OrderTests.make("Node", "new", nodes.context)
        try new.setObject(nodes["b"], for: "whole")
        try nodes.context.delete(nodes["a"])
        #expect(try nodes.context.count("Node") == 0)
        try nodes.context.save()
        #expect(try nodes.stored("a", "parts") == ["b"])
        #expect(try nodes.stored("b", "parts") == ["d", "new"])
    }

    @Test func otherDeletionsStillCascade() throws {
        let nodes = try Nodes("a", "d", "x", "both", "own") { nodes in
            try nodes["x"]?.setObject(nodes["d"], for: "boss")
            for name in ["a", "d"] { try nodes["both"].map { try nodes[name]?.add($0, to: "shared") } }
            try nodes["own"].map { try nodes["a"]?.add($0, to: "shared") }
        }
        try nodes.renameElsewhere("a")
        for name in ["a", "d"] { try nodes.context.delete(nodes[name]) }
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == nil)
        #expect(try nodes.stored("a", "shared") == ["own"])
        #expect(try nodes.count == 3)
    }

    @Test func restoredObjectsDenyOtherDeletions() throws {
        let nodes = try Nodes("a", "d") { nodes in try nodes["a"].map { try nodes["d"]?.add($0, to: "blockers") } }
        try nodes.renameElsewhere("a")
        for name in ["a", "d"] { try nodes.context.delete(nodes[name]) }
        #expect(throws: StoreError(code: .deletionDenied)) { try nodes.context.save() }
        #expect(try nodes.count == 2)
        nodes.context.rollback()
        #expect(try nodes["d"].objects("blockers").count == 1)
    }

    /// What led to an object that was inserted and deleted again is not restored.
    @Test func nothingLeadsToAnObjectThatWasNeverSaved() throws {
        let nodes = try Nodes("a", "x", "y") { _ in }
        let new = try OrderTests.make("Node", "new", nodes.context)
        try nodes["x"].setObject(new, for: "boss")
        try nodes["x"].add(new, to: "friends")
        try nodes["y"].setObject(new, for: "whole")
        try nodes.context.delete(new)
        try nodes.renameElsewhere("a")
        try nodes.context.delete(nodes["a"])
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == nil)
        #expect(try nodes.stored("x", "friends") == [])
        // The deletion of the whole still applies to its parts.
        #expect(try nodes.count == 2)
    }

    @Test func aMergeCanRevertADeletion() throws {
        let policy = ConflictPolicy.merge { conflict in
            if conflict.kind == .deletedHere { try conflict.takeTheirs() }
        }
        let nodes = try Nodes("a", "x", policy: policy) { try $0["x"]?.setObject($0["a"], for: "boss") }
        try nodes.renameElsewhere("a")
        try nodes.context.delete(nodes["a"])
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == "theirs")
    }

    /// The deletion of the first node is given up along with that of its part, and that of the second one is not decided.
    @Test func aMergeThatThrowsRestoresWhatItHasGivenUp() throws {
        struct Undecided: Error {}
        let policy = ConflictPolicy.merge { conflict in
            guard conflict.object.id.number == 1 else { throw Undecided() }
            try conflict.takeTheirs()
        }
        let nodes = try Nodes("a", "b", "x", policy: policy) { try $0["x"]?.setObject($0["a"], for: "whole") }
        for name in ["a", "b"] {
            try nodes.renameElsewhere(name)
            try nodes.context.delete(nodes[name])
        }
        #expect(throws: Undecided.self) { try nodes.context.save() }
        nodes.context.onConflict = .mine
        try nodes.context.save()
        #expect(try nodes.stored("a", "parts") == ["x"])
        #expect(try nodes.count == 2)
    }

    @Test func undoneDeletionsAreNotReverted() throws {
        let nodes = try Nodes("a", "d", "x") { try $0["x"]?.setObject($0["d"], for: "boss") }
        try nodes.renameElsewhere("a")
        try nodes.context.delete(nodes["d"])
        try nodes.context.undo()
        try nodes["x"].setObject(nil, for: "boss")
        try nodes.context.delete(nodes["a"])
        try nodes.context.save()
        #expect(try nodes.boss(of: "x") == nil)
        #expect(try nodes.count == 3)
    }
}
