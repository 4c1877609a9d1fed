import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct StoreCopyingTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func aCopyIsComplete() throws {
        let store = try Store.documents(in: folder)
        let ids = try (0..<3).map { try store.addDocument("\($0)", data: Data.large + [UInt8($0)], sealed: Data.large) }
        let url = folder.file("copy.sqlite")
        #expect(try store.copy(to: url).isEmpty)
        _ = try store.write { try $0.delete("Document", where: .all) }
        try store.close()
        let copy = try Store(at: url, transformers: Transformers().registry(), options: .mustExist)
        #expect(copy.uuid == store.uuid)
        try copy.read { context in
            for (number, id) in ids.enumerated() {
                let document = try context.object(id)
                let data = try document.value("data", as: Data.self)
                let sealed = try document.value("sealed", as: Data.self)
                #expect(data == Data.large + [UInt8(number)])
                #expect(sealed == Data.large)
            }
        }
        #expect(try copy.verify().isSound)
        try copy.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["copy.sqlite", "copy.sqlite-blobs", "test.sqlite", "test.sqlite-blobs"])
    }

    @Test(arguments: [0o600, 0o640, 0o644])
    func aCopyHasThePermissionsOfTheFile(mode: Int) throws {
        let note = EntityDescription("Note", attributes: [.string("text")])
        let url = folder.file()
        let store = try Store(at: url, model: Model(entities: [note]), transformers: Transformers().registry())
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        let copy = folder.file("copy.sqlite")
        #expect(try store.copy(to: copy) == [])
        #expect(try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int == mode)
    }

    @Test func aCopyDuringWritesIsASnapshot() async throws {
        let store = try Store.documents(in: folder)
        let url = folder.file("copy.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<40 {
                    let bytes = Data.large + [UInt8(round)]
                    try await store.write { context in
                        try context.delete("Document", where: .all)
                        for _ in 0..<3 {
                            let document = try context.insert("Document")
                            try document.setValue("\(round)", for: "name")
                            try document.setValue(bytes, for: "data")
                        }
                    }
                }
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(30))
                #expect(try store.copy(to: url).isEmpty)
            }
            try await group.waitForAll()
        }
        let copy = try Store(at: url, transformers: Transformers().registry(), options: .mustExist)
        let found = try copy.verify()
        #expect(found.isSound)
        #expect(found.objectCount == 3 || found.objectCount == 0)
        let names = try await copy.read { try $0.fetch("Document").map { try $0.value("name", as: String.self) } }
        #expect(Set(names).count <= 1)
        #expect(try store.removeOrphanedBlobs() == 0)
        #expect(try folder.blobs().count == 3)
    }

    @Test func aCopyReplacesNothing() throws {
        let store = try Store.documents(in: folder)
        let url = folder.file("copy.sqlite")
        try Data([1]).write(to: url)
        #expect(throws: StoreError(code: .fileExists)) { try store.copy(to: url) }
        #expect(try Data(contentsOf: url) == Data([1]))
    }

    /// SQLite would replay the log of an earlier file into the copy.
    @Test(arguments: ["-wal", "-shm", "-journal"])
    func aCopyIsNotCreatedNextToAnExistingLog(suffix: String) throws {
        let store = try Store.documents(in: folder)
        let url = folder.file("copy.sqlite")
        try Data([1]).write(to: folder.file("copy.sqlite\(suffix)"))
        #expect(throws: StoreError(code: .fileExists)) { try store.copy(to: url) }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func aCopyReportsMissingBlobs() throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Data.large)
        try FileManager.default.removeItem(at: folder.blob(try #require(try folder.blobs().first)))
        let faults = try store.copy(to: folder.file("copy.sqlite"))
        #expect(faults.map(\.code) == [.missingBlob])
        #expect(faults.first?.object == id)
        #expect(faults.first?.attribute == "data")
    }

    // The file takes little space on the disk, and so must its copy.
    @Test func aCopyEndsWhateverTheLengthOfAFile() throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Data.large)
        let name = try #require(try folder.blobs().first)
        #expect(truncate(folder.blob(name).path, 1 << 40) == 0)
        let faults = try store.copy(to: folder.file("copy.sqlite"))
        #expect(faults.map(\.code) == [.damagedBlob])
        #expect(faults.first?.object == id)
        let copy = folder.file("copy.sqlite-blobs").appending(path: name)
        var status = stat()
        let code = stat(copy.path, &status)
        #expect(code == 0)
        #expect(status.st_size == 1 << 40)
        #expect(status.st_blocks * 512 < 1 << 22)
        let start = try FileHandle(forReadingFrom: copy).read(upToCount: Data.large.count)
        #expect(start == Data.large)
    }

    @Test(arguments: [("uuid", 0), ("checksum", 1)])
    func aCopyReportsDamagedRecordsOfBlobs(column: String, count: Int) throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Data.large)
        try shell(folder.file()) { try $0.execute(sql: "UPDATE _transformable_blob SET \"\(column)\" = 'x'") }
        let faults = try store.copy(to: folder.file("copy.sqlite"))
        #expect(faults.map(\.code) == [.damagedBlob])
        #expect(faults.first?.object == id)
        #expect(faults.first?.attribute == "data")
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file("copy.sqlite-blobs").path)
        #expect((names ?? []).filter { UUID(uuidString: $0) != nil }.count == count)
    }
}
