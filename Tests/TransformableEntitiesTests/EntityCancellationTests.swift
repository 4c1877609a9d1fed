import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// Objects that are inserted after their task was canceled, which the insertion itself cannot report.
@Suite struct EntityCancellationTests {
    private func store() throws -> Store {
        try .inMemory(for: Patient.self, Visit.self, Ward.self, transformers: Fixtures.registry())
    }

    private static func cancel() {
        withUnsafeCurrentTask { $0?.cancel() }
    }

    /// Returns the error of a write whose task cancels itself.
    private func outcome(_ body: @escaping @Sendable (StoreContext) throws -> Void) async throws {
        let store = try store()
        let write = Task { try await store.write(body) }
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(try await store.read { try $0.count(Visit.self) } == 0)
    }

    @Test func theEndOfTheWriteThrows() async throws {
        try await outcome { context in
            context.insert(Visit())
            Self.cancel()
            context.insert(Visit())
        }
    }

    @Test func aSaveThrows() async throws {
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

    @Test func theEndOfTheWriteThrowsForAppendedObjects() async throws {
        try await outcome { context in
            let patient = context.insert(Patient(name: "Ada"))
            Self.cancel()
            patient.visits.append(Visit())
            patient.name = "Bea"
        }
    }

    // The cancellation takes precedence over an earlier error.
    @Test func anEarlierErrorDoesNotHideIt() async throws {
        try await outcome { context in
            let visit = context.insert(Visit())
            try context.delete(visit)
            visit.reason = "late"
            Self.cancel()
            context.insert(Visit())
        }
    }
}
