internal import Synchronization

/// An awaited read or write.
///
/// It leaves the queue as soon as its task is canceled, and once it runs, it ends at the next statement or row.
final class AwaitedAccess<Result: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result, any Error>?
        var work: Task<Void, Never>?
        var hasBegun = false
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Runs an access in a task of its own, so that a canceled access does not delay those behind it in the queue.
    ///
    /// - Parameter body: Waits for its turn, calls the function that it receives, and continues unless that function
    ///   throws an error.
    /// - Returns: The result of the body.
    /// - Throws: `CancellationError`, and errors thrown by the body.
    static func run(
        _ body: @escaping @Sendable (_ begin: @escaping @Sendable () throws -> Void) async throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let access = AwaitedAccess()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { access.start(body, $0) }
        } onCancel: {
            access.cancel()
        }
    }

    private func start(
        _ body: @escaping @Sendable (_ begin: @escaping @Sendable () throws -> Void) async throws -> Result,
        _ continuation: CheckedContinuation<Result, any Error>
    ) {
        state.withLock { state in
            guard !state.isCancelled else { return continuation.resume(throwing: CancellationError()) }
            state.continuation = continuation
            state.work = Task {
                let span = AccessSpan()
                let result: Swift.Result<Result, any Error>
                do {
                    let value = try await Interruption.$access.withValue(span) {
                        try await body { try self.begin() }
                    }
                    result = .success(value)
                } catch {
                    result = .failure(error)
                }
                span.end()
                self.finish(result)
            }
        }
    }

    /// Takes the turn, unless no one is waiting for it anymore.
    private func begin() throws {
        try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            state.hasBegun = true
        }
    }

    private func finish(_ result: Swift.Result<Result, any Error>) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    private func cancel() {
        let (work, continuation) = state.withLock { state in
            state.isCancelled = true
            guard !state.hasBegun else { return (state.work, nil as CheckedContinuation<Result, any Error>?) }
            defer { state.continuation = nil }
            return (state.work, state.continuation)
        }
        work?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}

/// A read or write, as known to the tasks that are started in it.
///
/// They inherit it along with the other values of their task, and can outlast it.
package final class AccessSpan: Sendable {
    private let hasEnded = Atomic(false)

    /// Whether the read or write is still in progress.
    package var isOpen: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() {
        hasEnded.store(true, ordering: .releasing)
    }
}

/// Whether statements end when the task that runs them is canceled.
///
/// This is the case in awaited reads and writes. Anything else, such as cleaning up in a canceled task, runs to its
/// end.
package enum Interruption {
    /// The awaited read or write that ends when its task is canceled, or `nil` if there is none.
    @TaskLocal package static var access: AccessSpan?
    /// Whether not to wait for another connection's lock.
    @TaskLocal package static var isImpatient = false

    /// Whether the current work ends when its task is canceled.
    package static var isHeeded: Bool { access?.isOpen == true }

    /// Whether the current work must end.
    package static var isRequested: Bool { isHeeded && Task.isCancelled }

    /// Runs statements that clean up, even if the task is canceled.
    package static func ignored<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $access.withValue(nil, operation: body)
    }
}
