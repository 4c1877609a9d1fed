import Dispatch
import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

@Suite struct EntityResultsTests {
    @Test func readsAgainWhenObjectsChange() async throws {
        let store = try Fixtures.store()
        var results = store.results(of: Ward.self) { try $0.count(Ward.self) }.makeAsyncIterator()
        #expect(try await results.next() == 0)
        // Two commits are combined into one result for a slow reader.
        try await store.write { _ = $0.insert(Ward()) }
        try await store.write { _ = $0.insert(Ward()) }
        #expect(try await results.next() == 2)
        // Changes of other classes cause no result.
        try await store.write { _ = $0.insert(Patient(name: "Ada")) }
        _ = try await store.write { try $0.delete(Ward.self, where: .all) }
        #expect(try await results.next() == 0)
    }

    @Test func endsWithItsTask() async throws {
        let store = try Fixtures.store()
        let task = Task {
            var count = 0
            for try await _ in store.results(of: Ward.self, { try $0.count(Ward.self) }) { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value <= 1)
    }

    @Test func endsIfItsTaskIsCanceledWhileItReads() async throws {
        let store = try Fixtures.store()
        let (reads, reading) = AsyncStream.makeStream(of: Void.self)
        let canceled = DispatchSemaphore(value: 0)
        let task = Task {
            let results = store.results(of: Ward.self) { context in
                reading.yield()
                canceled.wait()
                return try context.count(Ward.self)
            }
            var count = 0
            for try await _ in results { count += 1 }
            return count
        }
        _ = await reads.contains { _ in true }
        task.cancel()
        canceled.signal()
        #expect(try await task.value == 0)
    }

    @Test(.timeLimit(.minutes(1))) func endsAfterAnError() async throws {
        struct Failure: Error {}
        let store = try Fixtures.store()
        var results = store.results(of: Ward.self) { _ -> Int in throw Failure() }.makeAsyncIterator()
        do {
            _ = try await results.next()
            Issue.record("the error was not thrown")
        } catch is Failure {
            #expect(try await results.next() == nil)
        }
    }
}
