import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// Objects that are inserted after their task was cancelled, which the insertion itself cannot say.
@Suite struct EntityCancellationTests {
    private func store() throws -> Store {
        try .inMemory(for: Patient.self, Visit.self, Ward.self, transformers: Fixtures.registry())
    }

    private static func cancel() {
        withUnsafeCurrentTask { $0?.cancel() }
    }

    /// What a write throws whose task cancels itself within it.
    private func outcome(_ body: @escaping @Sendable (StoreContext) throws -> Void) async throws {
        let store = try store()
        let write = Task { try await store.write(body) }
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(try await store.read { try $0.count(Visit.self) } == 0)
    }

    @Test func theEndOfTheWriteSaysSo() async throws {
        try await outcome { context in
            context.insert(Visit())
            Self.cancel()
            context.insert(Visit())
        }
    }

    @Test func aSaveSaysSo() async throws {
        try await outcome { context in
            Self.cancel()
            context.insert(Visit())
            do {
                try context.save()
                Issue.record("the save has not thrown")
            } catch {
                #expect(error is CancellationError)
                throw error
            }
        }
    }

    @Test func theEndOfTheWriteSaysSoOfObjectsThatAreAppended() async throws {
        try await outcome { context in
            let patient = context.insert(Patient(name: "Ada"))
            Self.cancel()
            patient.visits.append(Visit())
            patient.name = "Bea"
        }
    }

    // The cancellation counts, not what was refused before it.
    @Test func aRefusalBeforeItDoesNotHideIt() async throws {
        try await outcome { context in
            let visit = context.insert(Visit())
            try context.delete(visit)
            visit.reason = "late"
            Self.cancel()
            context.insert(Visit())
        }
    }
}
