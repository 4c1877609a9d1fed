import Dispatch
import Foundation
import Testing
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// Awaited reads and writes, which wait on threads of their own.
@Suite(.needsPostgres) struct AccessThreadTests {
    private static let accesses = 20

    /// Begins accesses of which most wait, and returns whether another task runs meanwhile.
    ///
    /// Swift's tasks get one more thread per second if theirs are blocked, so it would take at least ten seconds.
    private static func runsATask(beside engine: PostgresEngine, _ areWrites: Bool) -> Bool {
        let hasBegun = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        let task = DispatchSemaphore(value: 0)
        defer { for _ in 0..<accesses { end.signal() } }
        let access = { @Sendable (_: any EngineConnection) in
            hasBegun.signal()
            end.wait()
        }
        for _ in 0..<accesses {
            Task {
                guard areWrites else { return try await engine.read(for: .tables, access) }
                try await engine.write(for: .tables, access)
            }
        }
        hasBegun.wait()
        Task.detached { task.signal() }
        return task.wait(timeout: .now() + 5) == .success
    }

    // In a process of its own, no other test occupies the threads.
    @Test(arguments: [false, true]) func accessesThatWaitLeaveTheThreadsOfOtherTasks(areWrites: Bool) async throws {
        let place = try EngineStore()
        await #expect(processExitsWith: .success) {
            [
                address = place.address.description as String, schema = place.schema as String,
                areWrites = areWrites as Bool
            ] in
            let place = try EngineStore(at: PostgresAddress(address), schema: schema)
            #expect(Self.runsATask(beside: place.engine(), areWrites))
        }
    }

    @Test(.timeLimit(.minutes(1))) func awaitedReadsFailIfNoConnectionBecomesFree() async throws {
        let place = try EngineStore()
        var options = PostgresOptions()
        options.maximumConnections = 1
        options.waitTimeout = .milliseconds(50)
        let engine = place.engine(options)
        let (hasBegun, end) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let first = Task {
            try await engine.read(for: .tables) { _ in
                hasBegun.continuation.finish()
                end.wait()
            }
        }
        for await _ in hasBegun.stream {}
        let error = await #expect(throws: StoreError.self) { try await engine.read(for: .tables) { _ in } }
        #expect(error?.code == .busy)
        #expect(error?.message == "the only connection is in use; try again, or allow more connections")
        end.signal()
        try await first.value
        try await engine.read(for: .tables) { _ in }
    }
}
