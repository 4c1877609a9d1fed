import Dispatch
import Foundation
import GRDB
import Glibc
import Synchronization
import Testing
import Transformable
import TransformableSQLite

// The file of an external value is internal.
@testable import TransformableStore

/// Files that others create at a path in the meantime, or have left there, are neither removed nor replaced.
@Suite struct FileRaceTests {
    private static let large = Data(repeating: 7, count: 100_000)
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    /// Runs a closure just before a result gets its name.
    private final class LateComer: WorkingFolderWatch {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func insert(_ path: String, _ make: () -> Bool) -> Bool { make() }
        func forget(_ path: String) {}

        func withoutInterruption<Result>(_ move: () throws -> Result) rethrows -> Result {
            body()
            return try move()
        }
    }

    // One program creates the file, and the other one may be the first to write to it.
    @Test func aProgramThatCannotUseANewFileLeavesIt() throws {
        for round in 0..<60 {
            let url = folder.file("\(round).sqlite")
            let made = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                let name = ["First", "Second"][index]
                guard let model = try? Model(entities: [EntityDescription(name, attributes: [.string("x")])]),
                    let store = try? Store(at: url, model: model, transformers: TransformerRegistry {})
                else { return }
                try? store.write { try $0.insert(name).setValue("a", for: "x") }
                made.withLock { $0.append(name) }
                try? store.close()
            }
            let names = made.withLock(\.self)
            #expect(names.count == 1, "round \(round): \(names)")
            let store = try Store(at: url, transformers: TransformerRegistry {}, options: .mustExist)
            #expect(try store.read { try $0.count(names.first ?? "") } == 1, "round \(round)")
        }
    }

    /// Keys that are missing when they are needed.
    private struct MissingKeys: TransformerPlugin, StoreSealer {
        let name = "missing-keys"
        let registrations: [Registration] = []
        let whenNeeded: @Sendable () -> Void

        var sealer: (any StoreSealer)? { self }
        var hasKeys: Bool { true }
        var canSeal: Bool { true }

        private func fail() -> TransformerError {
            whenNeeded()
            return TransformerError(TransformerError.Code(rawValue: "missing-key"), "there is no key")
        }

        func sealingKey(succeeding former: String?) throws -> String { throw fail() }
        func tag(of message: Data, for store: UUID, under key: String) throws -> Data { throw fail() }
        func isTag(_ tag: Data, of message: Data, for store: UUID, under key: String) throws -> Bool { throw fail() }
        func rowSealer(for store: UUID, entity: UInt32, under key: String) throws -> any RowSealer { throw fail() }
    }

    /// Its log would be gone along with everything that it writes from then on.
    @Test func aFileThatAnotherProgramUsesIsKeptIfCreatingItFails() throws {
        let url = folder.file()
        let others = Mutex<DatabaseQueue?>(nil)
        let plugin = MissingKeys {
            others.withLock { other in
                guard other == nil else { return }
                other = try? DatabaseQueue(path: url.path)
                // It has the log open from now on.
                _ = try? other?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            }
        }
        let model = try Model(entities: [EntityDescription("Note", attributes: [.string("text")])])
        #expect(throws: (any Error).self) {
            try Store(at: url, model: model, transformers: TransformerRegistry { plugin })
        }
        let last = others.withLock(\.self)
        let other = try #require(last)
        try other.write { try $0.execute(sql: "CREATE TABLE own AS SELECT 7 AS x") }
        #expect(try shell(url) { try Int.fetchOne($0, sql: "SELECT x FROM own") } == 7)
        try other.close()
    }

    @Test(arguments: [false, true]) func mapsTheFileThatItHasOpenedWhateverTakesItsName(isLink: Bool) throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Self.large)
        let other = folder.file("other")
        try Data("another file".utf8).write(to: other)
        try store.read { context in
            let document = try context.object(id)
            let file = try #require(try document.openBlob(document.entity.attribute("data")))
            try FileManager.default.removeItem(atPath: file.path)
            if isLink {
                try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: other.path)
            }
            #expect(try file.mapped() == Self.large)
        }
    }

    @Test func aCopyDoesNotReplaceAStoreThatAppears() throws {
        let store = try Store.documents(in: folder)
        try store.addDocument("a", data: Self.large)
        let target = folder.file("copy.sqlite")
        let watch = LateComer { try? Data("another store".utf8).write(to: target) }
        #expect(throws: StoreError(code: .fileExists)) { try store.copy(to: target, watch: watch) }
        #expect(try Data(contentsOf: target) == Data("another store".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names.filter { $0.contains("copy") || $0.hasPrefix(".") } == ["copy.sqlite"])
    }

    @Test func anExportDoesNotReplaceAFolderThatAppears() throws {
        let store = try Store.documents(in: folder)
        let target = folder.url.appending(path: "export")
        let watch = LateComer {
            try? FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
            try? Data("x".utf8).write(to: target.appending(path: "x"))
        }
        let error = #expect(throws: StoreError.self) {
            try store.export(to: target, contents: .everything, watch: watch)
        }
        #expect(error?.code == .fileExists)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["x"])
    }

    @Test func aNewStoreDoesNotTakeOverTheValuesOfAnother() throws {
        try Store.documents(in: folder).addDocument("a", data: Self.large)
        let unfinished = folder.blobFolder.appending(path: "unfinished/\(UUID().uuidString)")
        try Data().write(to: unfinished)
        let file = folder.file()
        try FileManager.default.moveItem(at: file, to: folder.file("aside.sqlite"))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
        let error = #expect(throws: StoreError(code: .fileExists)) { try Store.documents(in: folder) }
        #expect(error?.message.contains("“\(folder.blobFolder.path)”") == true)
        #expect(try folder.blobs().count == 1)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.moveItem(at: folder.file("aside.sqlite"), to: file)
        #expect(try Store.documents(in: folder).verify().isSound)
    }

    // The leftovers of a copy that was killed between moving the values and the file, before a store is created there.
    @Test func cleaningUpAfterACopyLeavesTheValuesOfAStore() throws {
        let store = try Store.documents(in: folder)
        try store.addDocument("a", data: Self.large)
        var status = stat()
        let code = stat(folder.blobFolder.path, &status)
        try #require(code == 0)
        let abandoned = folder.url.appending(path: ".transformable-0123456789abcdef.tmp")
        try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: false)
        try Data().write(to: abandoned.appending(path: "result"))
        let note = abandoned.appending(path: "published-\(status.st_ino)").path
        try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: "test.sqlite-blobs")
        #expect(try store.copy(to: folder.file("copy.sqlite")) == [])
        #expect(!FileManager.default.fileExists(atPath: abandoned.path))
        #expect(try folder.blobs().count == 1)
        #expect(try store.verify().isSound)
    }

    // The model that the store was opened with has no external values.
    @Test func copyingAMigratedFileIsRejected() throws {
        let registry = try Transformers().registry()
        let first = try Models.documents(threshold: nil)
        let store = try Store(at: folder.file(), model: first, transformers: registry)
        let newer = try Store(at: folder.file(), model: Models.documents(version: 2), transformers: registry)
        try newer.addDocument("a", data: Self.large)
        #expect(throws: StoreError(code: .storeChanged)) { try store.copy(to: folder.file("copy.sqlite")) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy.sqlite").path))
        #expect(try newer.copy(to: folder.file("copy.sqlite")) == [])
    }
}
