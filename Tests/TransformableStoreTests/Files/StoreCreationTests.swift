import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Stores that appear only when they are complete.
@Suite struct StoreCreationTests {
    private struct Ended: Error {}

    private static let large = Data(repeating: 7, count: 100_000)
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func create<Result>(filling fill: (Store) throws -> Result) throws -> Result {
        try Store.create(
            at: folder.file(),
            model: Models.documents(),
            transformers: Transformers().registry(),
            watch: nil,
            filling: fill
        )
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func aStoreAppearsWhenItIsComplete() throws {
        let before = try create { store in
            try store.addDocument("a", data: Self.large)
            return try names()
        }
        #expect(before.count == 1 && before[0].hasPrefix(".transformable-"))
        #expect(try names() == ["test.sqlite", "test.sqlite-blobs"])
        let store = try Store.documents(in: folder, options: .mustExist)
        #expect(try store.read { try $0.count("Document") } == 1)
        #expect(try store.verify().isSound)
    }

    @Test func nothingRemainsIfFillingFails() throws {
        #expect(throws: Ended.self) {
            try create { store in
                try store.addDocument("a", data: Self.large)
                throw Ended()
            }
        }
        #expect(try names() == [])
    }

    /// SQLite writes its log back when the last connection closes, so here the objects are only in the log.
    @Test func aStoreWithALogInUseDoesNotAppear() throws {
        var other: DatabaseQueue?
        let error = #expect(throws: StoreError.self) {
            try create { store in
                try store.addDocument("a")
                let connection = try DatabaseQueue(path: #require(store.url).path)
                _ = try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Document") }
                other = connection
            }
        }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("close other connections") == true)
        #expect(try names() == [])
        try other?.close()
    }

    @Test(arguments: ["", "-blobs", "-wal", "-shm", "-journal"])
    func existingFilesAreNotReplaced(suffix: String) throws {
        let other = URL(filePath: folder.file().path + suffix)
        try Data("precious".utf8).write(to: other)
        let error = #expect(throws: StoreError.self) { try create { _ in } }
        #expect(error?.code == .fileExists)
        #expect(try names() == [other.lastPathComponent])
        #expect(try Data(contentsOf: other) == Data("precious".utf8))
    }

    @Test(arguments: [true, false]) func aStoreThatAppearsInTheMeantimeIsNotReplaced(isFilled: Bool) throws {
        let error = #expect(throws: (any Error).self) {
            try create { store in
                try store.addDocument("a", data: Self.large)
                let other = try Store.documents(in: folder, options: .create)
                try other.addDocument("b", data: Self.large)
                try other.close()
                guard isFilled else { throw Ended() }
            }
        }
        #expect(isFilled ? (error as? StoreError)?.code == .fileExists : error is Ended)
        #expect(try names() == ["test.sqlite", "test.sqlite-blobs"])
        let other = try Store.documents(in: folder, options: .mustExist)
        #expect(try other.read { try $0.first("Document")?.value("name", as: String.self) } == "b")
        #expect(try other.verify().isSound)
    }
}
