internal import GRDB
internal import Synchronization

/// A read or write that is awaited: it leaves the line as soon as its task is cancelled, and ends at the next statement or
/// row once it runs.
final class AwaitedAccess<Result: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result, any Error>?
        var work: Task<Void, Never>?
        var hasBegun = false
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Runs an access on a task of its own, so that its turn in the line costs nobody anything who no longer waits for it.
    ///
    /// - Parameter body: Awaits its turn, calls the function that it is given, and goes on unless that throws.
    /// - Returns: What the body gives.
    /// - Throws: `CancellationError`, and what the body throws.
    static func run(
        _ body: @escaping @Sendable (_ begin: @Sendable () throws -> Void) async throws -> Result
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
        _ body: @escaping @Sendable (_ begin: @Sendable () throws -> Void) async throws -> Result,
        _ continuation: CheckedContinuation<Result, any Error>
    ) {
        state.withLock { state in
            guard !state.isCancelled else { return continuation.resume(throwing: CancellationError()) }
            state.continuation = continuation
            state.work = Task {
                do {
                    let result = try await Interruption.$isHeeded.withValue(true) {
                        try await body { try self.begin() }
                    }
                    self.finish(.success(result))
                } catch {
                    self.finish(.failure(error))
                }
            }
        }
    }

    /// Takes the turn, unless nobody waits for it any more.
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
