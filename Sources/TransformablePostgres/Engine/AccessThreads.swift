internal import Dispatch
internal import Synchronization
internal import TransformableModel

/// Threads for awaited accesses, each of which belongs to one access at a time.
///
/// An access blocks its thread while it waits for the server. The tasks of a program share a few threads, so an access
/// has a thread of its own, and one that waits for its turn has none.
final class AccessThreads: Sendable {
    private typealias Turn = CheckedContinuation<DispatchQueue, any Error>

    private struct State {
        var free: [DispatchQueue]
        var waiting: [(id: Int, turn: Turn)] = []
        var lastID = 0
    }

    private let state: Mutex<State>

    init(count: Int) {
        // Serial queues do not run on the threads of Swift's tasks, unlike concurrent ones.
        state = Mutex(State(free: (0..<max(1, count)).map { DispatchQueue(label: "TransformablePostgres.\($0)") }))
    }

    /// Runs an access, with the values of the current task.
    ///
    /// - Parameters:
    ///   - options: The options that say how long to wait for a thread, or `nil` to wait for as long as it takes.
    ///   - access: The access, which may block.
    /// - Returns: What the access returns.
    /// - Throws: What the access throws, or `StoreError` with the code `busy` if no thread became free in time.
    func run<Result: Sendable>(
        _ options: PostgresOptions? = nil,
        _ access: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let queue = try await take(options)
        defer { give(queue) }
        return try await Cancellation.run(on: queue, access)
    }

    private func take(_ options: PostgresOptions?) async throws -> DispatchQueue {
        try await withCheckedThrowingContinuation { turn in
            let id: Int? = state.withLock { state in
                if let queue = state.free.popLast() {
                    turn.resume(returning: queue)
                    return nil
                }
                state.lastID += 1
                state.waiting.append((state.lastID, turn))
                return state.lastID
            }
            guard let id, let options else { return }
            DispatchQueue.global()
                .asyncAfter(deadline: .now() + options.waitTimeout.timeInterval) { [weak self] in
                    self?.expire(id, .allConnectionsInUse(options))
                }
        }
    }

    private func give(_ queue: DispatchQueue) {
        let next: Turn? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.free.append(queue)
            return nil
        }
        next?.resume(returning: queue)
    }

    private func expire(_ id: Int, _ error: StoreError) {
        let late = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
        }
        late?.resume(throwing: error)
    }
}
