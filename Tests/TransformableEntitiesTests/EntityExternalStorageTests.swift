import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity
final class Scan {
    var title = ""
    @Attribute(.externalStorage(over: 100)) var picture: Data?
    @Attribute(transformer: "reversed", .externalStorage(over: 100)) var text = Data()
}

@Suite struct EntityExternalStorageTests {
    let url = URL.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    let long = Data(repeating: 1, count: 5_000) + Data([2])

    private func store() throws -> Store {
        try Store(at: url, for: Scan.self, transformers: Fixtures.registry())
    }

    /// The contents of the files next to the database.
    private func files() throws -> Set<Data> {
        let folder = URL(filePath: url.path + "-blobs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { UUID(uuidString: $0) != nil }
        return Set(try names.map { try Data(contentsOf: folder.appending(path: $0)) })
    }

    @Test func keepsLargeValuesInFiles() throws {
        let store = try store()
        try store.write { context in
            let scan = context.insert(Scan())
            scan.picture = long
            scan.text = long
            context.insert(Scan()).picture = Data([9])
        }
        #expect(try files() == [long, Data(long.reversed())])
        try store.read { context in
            let scans = try context.fetch(Scan.self)
            #expect(scans.map(\.picture) == [long, Data([9])])
            #expect(scans.map(\.text) == [long, Data()])
            #expect(try context.count(Scan.self, where: #Predicate { $0.picture != nil }) == 2)
        }
    }

    @Test func removesTheFilesOfDeletedValues() throws {
        let store = try store()
        let id = try store.write { context in
            let scan = context.insert(Scan())
            scan.picture = long
            scan.text = long
            return scan.persistentID
        }
        try store.write { try $0.object(id).picture = nil }
        try store.removeOrphanedBlobs()
        #expect(try files() == [Data(long.reversed())])
        try store.write { try $0.delete($0.object(id)) }
        try store.removeOrphanedBlobs()
        #expect(try files() == [])
    }

    @Test func readsInPieces() async throws {
        let store = try store()
        let id = try await store.write { context in
            let scan = context.insert(Scan())
            scan.picture = long
            return scan.persistentID
        }
        var bytes = Data()
        for try await piece in store.bytes("picture", of: id.objectID) { bytes += piece }
        #expect(bytes == long)
    }

    @Test func doesNotTouchTheFileIfItIsNotRead() throws {
        let store = try store()
        let id = try store.write { context in
            let scan = context.insert(Scan())
            scan.picture = long
            return scan.persistentID
        }
        try FileManager.default.removeItem(atPath: url.path + "-blobs")
        try store.write { try $0.object(id).title = "new" }
        let error = #expect(throws: StoreError.self) { try store.read { try $0.object(id).$picture.value() } }
        #expect(error?.attribute == "picture")
    }
}
