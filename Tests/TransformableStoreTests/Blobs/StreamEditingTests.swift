import Foundation
import Testing
import Transformable
import TransformableStore

/// Values that are set as streams in editing contexts.
@Suite struct StreamEditingTests {
    private struct Refusal: Error {}

    private let folder: Folder
    private let store: Store
    private let context: StoreContext
    private let document: ManagedObject

    private static let old = bytes(1)
    private static let new = bytes(2)

    init() throws {
        folder = try Folder()
        store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Self.old)
        context = store.makeContext()
        document = try context.object(id)
    }

    private static func bytes(_ seed: UInt8, _ count: Int = 100_000) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) &+ seed })
    }

    private func set(_ bytes: Data, of object: ManagedObject) throws {
        var rest = bytes
        try object.setStream(for: "data") {
            defer { rest = rest.dropFirst(30_000) }
            return rest.isEmpty ? nil : Data(rest.prefix(30_000))
        }
    }

    private func stored() throws -> Data? {
        let id = document.id
        return try store.read { try $0.objectIfPresent(id)?.value("data", as: Data?.self) }
    }

    /// Expects one blob for each document that has one, and no unfinished files.
    private func expectTidy(blobs count: Int = 1) throws {
        #expect(try folder.blobs().count == count)
        #expect(try folder.unfinished().isEmpty)
        #expect(try store.verify().isSound)
    }

    @Test(arguments: [100_000, 10]) func streamsCanBeUndoneAndRedone(count: Int) throws {
        try set(Self.bytes(3, count), of: document)
        try set(Self.bytes(4, count), of: document)
        #expect(document.changedAttributes == ["data"])
        try context.undo()
        try context.undo()
        #expect(try document.value("data", as: Data.self) == Self.old)
        #expect(!context.hasChanges)
        try context.redo()
        #expect(context.hasChanges)
        try context.save()
        #expect(try stored() == Self.bytes(3, count))
        #expect(try document.value("data", as: Data.self) == Self.bytes(3, count))
        try expectTidy(blobs: count > 1000 ? 1 : 0)
    }

    @Test func anInsertionIsUndoneWithItsStream() throws {
        try context.group {
            let other = try context.insert("Document")
            try other.setValue("b", for: "name")
            try set(Self.new, of: other)
        }
        try context.undo()
        try context.save()
        #expect(try store.read { try $0.count("Document") } == 1)
        try expectTidy()
    }

    @Test func aRollbackDiscardsTheStream() throws {
        try set(Self.new, of: document)
        context.rollback()
        #expect(try document.value("data", as: Data.self) == Self.old)
        try context.save()
        #expect(try stored() == Self.old)
        try expectTidy()
    }

    @Test func aStreamThatFailsChangesNothing() throws {
        var count = 0
        #expect(throws: Refusal.self) {
            try document.setStream(for: "data") {
                count += 1
                guard count < 3 else { throw Refusal() }
                return Self.new
            }
        }
        #expect(!context.hasChanges && !context.canUndo)
        #expect(try document.value("data", as: Data.self) == Self.old)
        try context.save()
        try expectTidy()
    }

    @Test func aStreamThatFailsInABlockHidesNoError() throws {
        let id = document.id
        try store.write { context in
            let document = try context.object(id)
            #expect(throws: Refusal.self) { try document.setStream(for: "data") { throw Refusal() } }
            #expect(try document.value("data", as: Data.self) == Self.old)
        }
    }

    @Test func aRefreshDiscardsOrKeepsTheStream() throws {
        try set(Self.new, of: document)
        try context.refresh(document)
        #expect(!context.hasChanges)
        #expect(try document.value("data", as: Data.self) == Self.old)

        try set(Self.new, of: document)
        let id = document.id
        try store.write { try $0.object(id).setValue("b", for: "name") }
        try context.refresh(document, keepingChanges: true)
        #expect(try document.value("name", as: String.self) == "b")
        try context.save()
        #expect(try stored() == Self.new)
        try expectTidy()
    }

    @Test func aFailedSaveKeepsTheStream() throws {
        try set(Self.new, of: document)
        // A write after the stream was published makes the save fail.
        let nameless = try context.insert("Document")
        for _ in 0..<2 { #expect(throws: StoreError(code: .missingValue)) { try context.save() } }
        #expect(document.changedAttributes == ["data"])
        #expect(try stored() == Self.old)
        #expect(try folder.blobs().count == 1)
        try nameless.setValue("b", for: "name")
        try context.save()
        #expect(try stored() == Self.new)
        try expectTidy()
    }

    @Test(arguments: [(ConflictPolicy.mine, UInt8(2)), (.theirs, 3), (.merge { try $0.takeTheirs("data") }, 3)])
    func conflictsAreResolved(policy: ConflictPolicy, seed: UInt8) throws {
        try set(Self.new, of: document)
        let id = document.id
        try store.write { context in
            let document = try context.object(id)
            try document.setValue(Self.bytes(3), for: "data")
            try document.setValue("theirs", for: "name")
        }
        #expect(throws: StoreError(code: .conflict)) { try context.save() }
        context.onConflict = policy
        try context.save()
        #expect(try stored() == Self.bytes(seed))
        #expect(try document.value("data", as: Data.self) == Self.bytes(seed))
        #expect(try document.value("name", as: String.self) == "theirs")
        try expectTidy()
    }

    @Test func aMergeKnowsTheStream() throws {
        try set(Self.new, of: document)
        let id = document.id
        try store.write { try $0.object(id).setValue(Self.bytes(3), for: "data") }
        context.onConflict = .merge { conflict in
            #expect(conflict.mine == ["data"] && conflict.theirs == ["data"])
            #expect(try conflict.theirs("data", as: Data?.self) == Self.bytes(3))
            throw Refusal()
        }
        #expect(throws: Refusal.self) { try context.save() }
        #expect(try stored() == Self.bytes(3))
        context.rollback()
        try store.removeOrphanedBlobs()
        try expectTidy()
    }

    @Test func anObjectDeletedByAnotherIsRestored() throws {
        try set(Self.new, of: document)
        let id = document.id
        try store.write { try $0.delete($0.object(id)) }
        context.onConflict = .mine
        try context.save()
        #expect(try stored() == Self.new)
        try expectTidy()
    }

    @Test func aDeletedDocumentDiscardsTheStream() throws {
        try set(Self.new, of: document)
        try context.delete(document)
        try context.save()
        #expect(try stored() == nil)
        try expectTidy(blobs: 0)
    }
}
