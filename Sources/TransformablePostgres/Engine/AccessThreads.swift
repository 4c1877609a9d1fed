internal import Dispatch
internal import Synchronization
internal import TransformableModel

/// Threads for awaited accesses, each of which belongs to one access at a time.
///
/// An access blocks its thread while it waits for the server. The tasks of a program share a few threads, so an access
/// has a thread of its own, and one that waits for its turn has none.
final class AccessThreads: Sendable {
    private typealias Turn = CheckedContinuation<DispatchQueue, any Error>

    private struct Waiter {
        let turn: Turn
        /// When the waiting ends, and the error to throw then.
        let limit: (deadline: DispatchTime, error: StoreError)?
    }

    private struct State {
        var free: [DispatchQueue]
        // In the order of their deadlines.
        var waiting: [Waiter] = []
        // Whether the first one that waits is going to be told when its time is over.
        var isTimed = false
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
            let limit = options.map { options in
                let deadline = DispatchTime.now() + options.waitTimeout.timeInterval
                return (deadline: deadline, error: StoreError.allConnectionsInUse(options))
            }
            let isFirst = state.withLock { state in
                if let queue = state.free.popLast() {
                    turn.resume(returning: queue)
                    return false
                }
                state.waiting.append(Waiter(turn: turn, limit: limit))
                defer { state.isTimed = true }
                return !state.isTimed
            }
            if isFirst, let limit { endWaiting(at: limit.deadline) }
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

    /// Ends the waiting of those whose time is over by then, and continues with the next ones.
    private func endWaiting(at deadline: DispatchTime) {
        DispatchQueue.global()
            .asyncAfter(deadline: deadline) { [weak self] in
                guard let self else { return }
                let (late, next) = state.withLock { state in
                    let late = state.waiting.prefix { $0.limit.map { $0.deadline <= .now() } ?? false }
                    state.waiting.removeFirst(late.count)
                    state.isTimed = !state.waiting.isEmpty
                    return (late, state.waiting.first?.limit?.deadline)
                }
                for waiter in late {
                    if let limit = waiter.limit { waiter.turn.resume(throwing: limit.error) }
                }
                if let next { endWaiting(at: next) }
            }
    }
}
