import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Commits of another connection to the same file, like those of another process.
@Suite struct OtherWriterTests {
    private let folder: Folder
    private let store: Store

    init() throws {
        folder = try Folder()
        store = try Store.people(in: folder)
        try store.write { try $0.insert("Person").setValue("Ada", for: "name") }
    }

    @Test func detectsOtherWriters() async throws {
        var changes = try store.changes(of: "Person").makeAsyncIterator()
        let other = try Store.people(in: folder)
        try await other.write { try $0.insert("Person").setValue("Bea", for: "name") }
        let change = try #require(await changes.next())
        #expect(change.isIncomplete && change.inserted.isEmpty)
        #expect(try await store.read { try $0.count("Person") } == 2)
        try other.close()

        // Its own commits are listed, and are not considered commits of others.
        let id = try await store.write { context in
            let person = try context.insert("Person")
            try person.setValue("Cid", for: "name")
            return person.id
        }
        #expect(try #require(await changes.next()).inserted == [id])

        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write { try $0.execute(sql: "UPDATE Person SET name = 'Dee' WHERE _id = 1") }
        #expect(try #require(await changes.next()).isIncomplete)
    }

    @Test func readOnlyStoresDetectOtherWriters() async throws {
        let model = try Models.person()
        let reader = try Store(
            at: folder.file(),
            model: model,
            transformers: Transformers().registry(),
            options: .readOnly
        )
        var changes = try reader.changes().makeAsyncIterator()
        try await store.write { try $0.insert("Person").setValue("Bea", for: "name") }
        #expect(try #require(await changes.next()).isIncomplete)
    }

    @Test func otherWritersUpdateLists() async throws {
        var lists = try store.sections(of: "Person").makeAsyncIterator()
        #expect(try await lists.next()?.count == 1)
        let other = try Store.people(in: folder)
        try await other.write { try $0.insert("Person").setValue("Bea", for: "name") }
        #expect(try await lists.next()?.count == 2)
    }

    @Test func earlierCommitsAreNotReported() async throws {
        let other = try Store.people(in: folder)
        try await other.write { try $0.insert("Person").setValue("Bea", for: "name") }
        var changes = try store.changes().makeAsyncIterator()
        let id = try await store.write { context in
            let person = try context.insert("Person")
            try person.setValue("Cid", for: "name")
            return person.id
        }
        let change = try #require(await changes.next())
        #expect(change.inserted == [id] && !change.isIncomplete)
    }

    @Test func newObjectsFollowThoseThatAnotherProgramHasAdded() async throws {
        func open() throws -> Store {
            try Store(at: folder.file("ordered"), model: OrderTests.model(), transformers: TransformerRegistry {})
        }
        let (store, other) = (try open(), try open())
        let id = try await store.write { try OrderTests.make("Track", "t", $0).id }
        var changes = try store.changes(of: "Part").makeAsyncIterator()
        let context = store.makeContext()
        let track = try context.object(id)
        try track.add(OrderTests.make("Part", "a", context), to: "parts")
        try await other.write { context in
            let track = try context.object(id)
            for _ in 0..<10 { try track.add(OrderTests.make("Part", "b", context), to: "parts") }
        }
        #expect(try #require(await changes.next()).isIncomplete)
        try track.add(OrderTests.make("Part", "c", context), to: "parts")
        try context.save()
        let last = try await store.read { context in
            try context.object(id).objects("parts").last?.value("name", as: String.self)
        }
        #expect(last == "c")
    }
}
