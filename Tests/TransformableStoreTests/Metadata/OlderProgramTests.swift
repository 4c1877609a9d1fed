import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// A program that continues with an older model while another one migrates the file.
@Suite(.eachEngine) struct OlderProgramTests {
    private let folder: Folder
    private let old: Store

    private static func open(_ version: Int, _ url: URL) throws -> Store {
        // From then on, the former “name” is “title”, and “name” is a different attribute.
        let entity =
            version == 1
            ? EntityDescription("Note", attributes: [.string("name"), .int64("count", .default(0))])
            : EntityDescription(
                "Note",
                attributes: [
                    .string("title", .renamed(from: "name", in: 2)), .string("name", .default("another")),
                ]
            )
        let model = try Model(version: version, entities: [entity])
        return try Store.trial(at: url, model: model, transformers: Transformers().registry())
    }

    init() throws {
        folder = try Folder()
        old = try Self.open(1, folder.file())
        try old.write { context in
            for name in ["a", "b"] { try context.insert("Note").setValue(name, for: "name") }
        }
    }

    private func titles() throws -> [String] {
        let store = try Self.open(2, folder.file())
        defer { try? store.close() }
        return try store.read { try $0.fetch("Note").map { try $0.value("title", as: String.self) } }
    }

    /// The errors of everything that the older program does from then on.
    private func expectRefusals() throws {
        #expect(throws: StoreError(code: .storeChanged)) { try old.read { try $0.fetch("Note").count } }
        #expect(throws: StoreError(code: .storeChanged)) { try old.read { try $0.count("Note") } }
        #expect(throws: StoreError(code: .storeChanged)) {
            try old.write { try $0.insert("Note").setValue("late", for: "name") }
        }
        #expect(throws: StoreError(code: .storeChanged)) {
            try old.rehearse { try $0.insert("Note").setValue("late", for: "name") }
        }
        #expect(throws: StoreError(code: .storeChanged)) { try old.makeContext().fetch("Note") }
        #expect(throws: StoreError(code: .storeChanged)) { try old.verify() }
        #expect(throws: StoreError(code: .storeChanged)) { try old.discardSetAside() }
        #expect(throws: StoreError(code: .storeChanged)) { try old.export(to: folder.file("export-\(UUID())")) }
        #expect(throws: StoreError(code: .newerModel)) { try Self.open(1, folder.file()) }
        #expect(try titles() == ["a", "b"])
    }

    private func expectRefusalsOfWhatIsAwaited() async {
        await #expect(throws: StoreError(code: .storeChanged)) { try await old.read { try $0.count("Note") } }
        let error = await #expect(throws: StoreError(code: .storeChanged)) {
            try await old.write { try $0.insert("Note").setValue("late", for: "name") }
        }
        let change = "another program has changed the store since it was opened: it now has version 2 of the model"
        #expect(error?.description == "\(change); open it again")
    }

    @Test func detectsMigrationsByAnotherStore() async throws {
        try Self.open(2, folder.file()).close()
        try expectRefusals()
        await expectRefusalsOfWhatIsAwaited()
    }

    @Test(.sqliteOnly("Another process does not know the server of the tests."))
    func detectsMigrationsByAnotherProcess() async throws {
        await #expect(processExitsWith: .success) { [url = folder.file() as URL] in
            try Self.open(2, url).close()
        }
        try expectRefusals()
        await expectRefusalsOfWhatIsAwaited()
    }

    @Test func keepsPendingChanges() throws {
        let context = old.makeContext()
        let note = try #require(try context.first("Note"))
        try note.setValue("changed", for: "name")
        let new = try context.insert("Note")
        try new.setValue("new", for: "name")
        try Self.open(2, folder.file()).close()
        for _ in 0..<2 {
            #expect(throws: StoreError(code: .storeChanged)) { try context.save() }
            #expect(context.hasChanges)
        }
        #expect(throws: StoreError(code: .storeChanged)) { try context.fetch("Note") }
        #expect(try note.value("name", as: String.self) == "changed")
        #expect(try titles() == ["a", "b"])
    }

    // A read sees the file as it was when the read began, however long it takes.
    @Test(.sqliteOnly("In PostgreSQL, a migration waits for reads.")) func finishesAReadThatHasBegun() async throws {
        let names = try await old.read { [url = folder.file()] context in
            let first = try context.fetch("Note", limit: 1).map { try $0.value("name", as: String.self) }
            try Self.open(2, url).close()
            return try first + context.fetch("Note", offset: 1).map { try $0.value("name", as: String.self) }
        }
        #expect(names == ["a", "b"])
        #expect(throws: StoreError(code: .storeChanged)) { try old.read { try $0.count("Note") } }
    }

    // The newer program waits for the write, and its migration includes what was written.
    @Test func finishesAWriteThatHasBegun() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let url = folder.file()
        let write = Task.detached { [old] in
            try old.write { context in
                try context.insert("Note").setValue("c", for: "name")
                try context.save()
                begin.yield()
                usleep(300_000)
            }
        }
        for await _ in begun { break }
        let store = try Self.open(2, url)
        try await write.value
        #expect(try await store.read { try $0.count("Note", where: Condition("title == \"c\"")) } == 1)
        #expect(throws: StoreError(code: .storeChanged)) {
            try old.write { try $0.insert("Note").setValue("late", for: "name") }
        }
    }

    // Both migrate at the same time: one does it, and the other finds it done.
    @Test func twoNewProgramsMigrateOnce() async throws {
        try old.close()
        let url = folder.file()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try Self.open(2, url).close() } }
            try await group.waitForAll()
        }
        #expect(try titles() == ["a", "b"])
    }
}
