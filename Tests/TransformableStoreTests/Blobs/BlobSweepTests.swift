import Foundation
import Testing
import Transformable
import TransformableSQLite

@testable import TransformableStore  // The folder's locks are internal.

/// Sweeps while there is always someone who reads or writes.
@Suite struct BlobSweepTests {
    private let folder: Folder
    private let store: Store
    private let blobs: BlobFolder

    init() throws {
        folder = try Folder()
        store = try Store.documents(in: folder)
        try store.addDocument("kept", data: Data.large)
        blobs = try #require(store.schema.blobs?.folder)
    }

    private func add(_ name: String) throws -> (id: ObjectID, file: String) {
        let before = try Set(folder.blobs())
        let id = try store.addDocument(name, data: Data.large)
        return (id, try #require(Set(folder.blobs()).subtracting(before).first))
    }

    private func delete(_ id: ObjectID) throws { try store.write { try $0.delete($0.object(id)) } }

    private var unfinished: [String] {
        get throws { try folder.unfinished().filter { UUID(uuidString: $0) != nil } }
    }

    @Test func aFileIsKeptForThoseWhoCanSeeItOnly() throws {
        let (first, second) = (try add("first"), try add("second"))
        var holds = [try blobs.hold()]
        try delete(first.id)
        holds.append(try blobs.hold())
        try delete(second.id)
        #expect(try Set(folder.blobs()).isSuperset(of: [first.file, second.file]))
        #expect(try store.removeOrphanedBlobs() == nil)
        holds.removeFirst()
        #expect(try store.removeOrphanedBlobs() == 1)
        #expect(try !folder.blobs().contains(first.file))
        #expect(try folder.blobs().contains(second.file))
        holds.append(try blobs.hold())
        holds.removeFirst()
        #expect(try store.removeOrphanedBlobs() == 1)
        #expect(try folder.blobs().count == 1)
        withExtendedLifetime(holds) {}
    }

    // Neither the model nor a table mentions external values any more.
    @Test func filesOfDiscardedValuesAreRemovedAfterACrash() throws {
        let name = try #require(try folder.blobs().first)
        try store.close()
        let model = try Model(version: 2, entities: [EntityDescription("Document", attributes: [.string("name")])])
        let registry = try Transformers().registry()
        try Store(at: folder.file(), model: model, transformers: registry).close()
        let migrated = try Store(at: folder.file(), transformers: registry, options: .mustExist)
        let copy = folder.file("copy")
        try FileManager.default.copyItem(at: folder.blob(name), to: copy)
        try migrated.discardSetAside()
        _ = try migrated.removeOrphanedBlobs()
        try migrated.close()
        #expect(try folder.blobs().isEmpty)
        // As if the process had been killed before it removed the file.
        try FileManager.default.moveItem(at: copy, to: folder.blob(name))
        let reader = try Store(at: folder.file(), transformers: registry, options: .readOnly)
        #expect(try reader.verify().orphanedBlobCount == 1)
        try reader.close()
        let next = try Store(at: folder.file(), transformers: registry, options: .mustExist)
        #expect(try next.removeOrphanedBlobs() == 1)
        #expect(try folder.blobs().isEmpty)
    }

    // Another process knows only what is in the files.
    @Test func anotherProcessContinues() throws {
        let document = try add("a")
        var holds = [try blobs.hold()]
        try delete(document.id)
        holds.append(try blobs.hold())
        holds.removeFirst()
        try Store.documents(in: folder).close()
        #expect(try !folder.blobs().contains(document.file))
        #expect(try store.removeOrphanedBlobs() == 0)
        withExtendedLifetime(holds) {}
    }

    // Whoever has a lock when a file becomes garbage may need it, whichever lock it is.
    @Test func aHolderWithTheOtherLockIsWaitedFor() throws {
        let (first, second) = (try add("first"), try add("second"))
        var holds = [try blobs.hold()]
        try delete(first.id)
        holds.append(try blobs.hold())
        holds.removeFirst()
        #expect(try store.removeOrphanedBlobs() == 1)
        try delete(second.id)
        #expect(try store.removeOrphanedBlobs() == nil)
        #expect(try folder.blobs().contains(second.file))
        holds.removeAll()
        #expect(try store.removeOrphanedBlobs() == 1)
    }

    @Test func aFileInProgressIsKept() throws {
        let document = try add("a")
        var pending = [try PendingBlob(in: blobs)]
        try delete(document.id)
        #expect(try store.removeOrphanedBlobs() == nil)
        let hold = try blobs.hold()
        #expect(try store.removeOrphanedBlobs() == nil)
        #expect(try unfinished.count == 1)
        pending.removeAll()
        #expect(try store.removeOrphanedBlobs() == 1)
        withExtendedLifetime(hold) {}
    }

    // Another process can store the first external value while a read is about to begin.
    @Test func aFolderThatAppearsBeforeTheSnapshotIsHeld() throws {
        let empty = try Folder()
        let (reader, writer) = (try Store.documents(in: empty), try Store.documents(in: empty))
        let folder = try #require(reader.schema.blobs?.folder)
        var ids: [ObjectID] = []
        try BlobFolder.holding(folder) { hold in
            ids.append(try writer.addDocument("a", data: Data.large))
            try reader.engine.read { connection in
                try hold?.confirm(on: connection)
                for id in ids { try writer.write { try $0.delete($0.object(id)) } }
                #expect(try writer.removeOrphanedBlobs() == nil)
                #expect(try empty.blobs().count == 2)
            }
        }
        #expect(ids.count == 2)
        #expect(try writer.removeOrphanedBlobs() == 2)
    }
}
