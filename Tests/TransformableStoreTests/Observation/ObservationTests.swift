import Foundation
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct ObservationTests {
    private func store() throws -> Store {
        try Store.trial(model: RelationshipTests.clinic(), transformers: Transformers().registry())
    }

    @Test func reportsCommittedChanges() async throws {
        let store = try store()
        var changes = try store.changes(of: "Patient").makeAsyncIterator()
        let id = try await store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            _ = try context.insert("Visit")
            return patient.id
        }
        var change = try #require(await changes.next())
        #expect(change.inserted == [id] && change.updated.isEmpty && change.deleted.isEmpty)

        let context = store.makeContext()
        try context.object(id).setValue("Bea", for: "name")
        try context.save()
        change = try #require(await changes.next())
        #expect(change.updated == [id: ["name"]])

        try await store.write { try $0.delete($0.object(id)) }
        change = try #require(await changes.next())
        #expect(change.deleted == [id])
    }

    @Test func combinesTransactionsForASlowReader() async throws {
        let store = try store()
        var changes = try store.changes().makeAsyncIterator()
        var ids: [ObjectID] = []
        for _ in 0..<3 { ids.append(try await store.write { try $0.insert("Visit").id }) }
        let (first, second) = (ids[0], ids[1])
        try await store.write { try $0.object(first).setValue(3, for: "cost") }
        try await store.write { try $0.delete($0.object(second)) }
        let change = try #require(await changes.next())
        #expect(change.inserted == [ids[0], ids[2]])
        #expect(change.updated.isEmpty && change.deleted.isEmpty)
    }

    /// A conflict policy inserts an object again, whose changes since it was deleted are not known.
    @Test func anObjectThatIsInsertedAgainMayHaveChanged() async throws {
        let store = try store()
        let id = try await store.write { try $0.insert("Visit").id }
        let context = store.makeContext(onConflict: .mine)
        try context.object(id).setValue(3, for: "cost")
        var changes = try store.changes(of: "Visit").makeAsyncIterator()
        try await store.write { try $0.delete($0.object(id)) }
        try context.save()
        let change = try #require(await changes.next())
        #expect(change.isIncomplete)
    }

    @Test func reportsIncompleteLists() async throws {
        let store = try store()
        var changes = try store.changes(of: "Visit").makeAsyncIterator()
        var others = try store.changes(of: "Doctor").makeAsyncIterator()
        try await store.write { context in
            for _ in 0..<10_001 { _ = try context.insert("Visit") }
            try context.insert("Doctor").setValue("Dee", for: "name")
        }
        let change = try #require(await changes.next())
        #expect(change.isIncomplete)
        #expect(change.inserted.isEmpty)
        // The entities are counted separately.
        let other = try #require(await others.next())
        #expect(!other.isIncomplete)
        #expect(other.inserted.count == 1)
    }

    @Test func doesNotReportRolledBackChanges() async throws {
        struct Failure: Error {}
        let store = try store()
        var changes = try store.changes().makeAsyncIterator()
        await #expect(throws: Failure.self) {
            try await store.write { context in
                _ = try context.insert("Visit")
                try context.save()
                throw Failure()
            }
        }
        try await store.write { _ = try $0.insert("Doctor").setValue("Dee", for: "name") }
        let change = try #require(await changes.next())
        #expect(change.inserted.map(\.entity) == ["Doctor"])
    }

    @Test func reportsThatPartOfATransactionWasMissed() async throws {
        let store = try store()
        let begun = try await store.write { context in
            _ = try context.insert("Visit")
            #expect(try context.count("Visit") == 1)
            return try context.store.changes(of: "Visit")
        }
        var changes = begun.makeAsyncIterator()
        try await store.write { _ = try $0.insert("Visit") }
        let change = try #require(await changes.next())
        #expect(change.isIncomplete)
    }

    @Test func reportsBothSidesOfAPair() async throws {
        let store = try store()
        let ids = try await store.write { context in
            let patient = try context.insert("Patient")
            let doctor = try context.insert("Doctor")
            for object in [patient, doctor] { try object.setValue("x", for: "name") }
            return [patient.id, doctor.id]
        }
        var changes = try store.changes().makeAsyncIterator()
        try await store.write { try $0.object(ids[0]).add($0.object(ids[1]), to: "doctors") }
        let change = try #require(await changes.next())
        #expect(change.updated == [ids[0]: ["doctors"], ids[1]: ["patients"]])
    }

    @Test func readsAResultAgainWhenObjectsChange() async throws {
        let store = try store()
        var results = store.results(of: "Visit") { try $0.count("Visit") }.makeAsyncIterator()
        #expect(try await results.next() == 0)
        for _ in 0..<2 { try await store.write { _ = try $0.insert("Visit") } }
        #expect(try await results.next() == 2)
        try store.close()
        #expect(try await results.next() == nil)
    }

    @Test func resultsEndIfTheStoreIsClosedAfterAChange() async throws {
        let store = try store()
        var results = store.results(of: "Visit") { try $0.count("Visit") }.makeAsyncIterator()
        #expect(try await results.next() == 0)
        try await store.write { _ = try $0.insert("Visit") }
        try store.close()
        #expect(try await results.next() == nil)
    }

    @Test func resultsOfAnUnknownEntityFail() async throws {
        let results = try store().results(of: "Nobody") { _ in 0 }
        await #expect(throws: StoreError(code: .unknownEntity)) { for try await _ in results {} }
    }

    @Test func endsWhenItsTaskIsCanceled() async throws {
        let changes = try store().changes()
        let task = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    @Test func endsWhenTheStoreIsClosed() async throws {
        let store = try store()
        let changes = try store.changes()
        async let count = changes.reduce(0) { sum, _ in sum + 1 }
        try store.close()
        #expect(await count == 0)
        #expect(throws: StoreError(code: .unknownEntity)) { try store.changes(of: "Nobody") }
    }

    @Test(.timeLimit(.minutes(1))) func endsAtOnceIfTheStoreIsClosed() async throws {
        let store = try store()
        try store.close()
        let changes = try store.changes()
        #expect(await changes.reduce(0) { sum, _ in sum + 1 } == 0)
    }

    @Test(.timeLimit(.minutes(1))) func endsWithTheLastReferenceToTheStore() async throws {
        func changes() throws -> StoreChanges {
            let store = try store()
            let changes = try store.changes()
            try store.write { _ = try $0.insert("Visit") }
            return changes
        }
        #expect(try await changes().reduce(0) { sum, _ in sum + 1 } == 1)
    }

    @Test func reportsAnImport() async throws {
        let folder = try Folder()
        let source = try store()
        try await source.write { _ = try $0.insert("Visit") }
        try source.export(to: folder.file("export"))
        let store = try store()
        var changes = try store.changes().makeAsyncIterator()
        try store.importExport(from: folder.file("export"))
        // Without a report of the import, this one would be the first.
        try await store.write { _ = try $0.insert("Doctor").setValue("x", for: "name") }
        let change = try #require(await changes.next())
        #expect(change.isIncomplete)
    }
}
