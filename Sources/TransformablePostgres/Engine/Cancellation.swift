internal import Dispatch
internal import Synchronization
internal import TransformableModel

/// Ends the statement of an awaited access when its task is canceled.
final class Cancellation: Sendable {
    /// The cancellation of the access that the current task runs, if it is awaited.
    @TaskLocal static var current: Cancellation?

    // By connection, because a block may use a second store.
    private let cancelers = Mutex<[ObjectIdentifier: PostgresCanceler]>([:])

    /// Runs a blocking closure on a serial queue, with the values of the current task.
    static func run<Result: Sendable>(
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        let lane = Lane(queue)
        return try await $current.withValue(cancellation) {
            try await withTaskCancellationHandler {
                try await lane.run(body)
            } onCancel: {
                // libpq waits for the server without a limit, which whoever cancels the task should not have to.
                DispatchQueue(label: "TransformablePostgres.cancel").async { cancellation.cancel() }
            }
        }
    }

    /// Cancels the statements of a connection from now on.
    func attach(_ connection: PostgresConnection) {
        let canceler = connection.canceler()
        cancelers.withLock { $0[ObjectIdentifier(connection)] = canceler }
    }

    /// Lets the next statements of a connection run to their end.
    func detach(_ connection: PostgresConnection) {
        cancelers.withLock { $0[ObjectIdentifier(connection)] = nil }
    }

    private func cancel() {
        // A connection belongs to the access until it is detached, so nobody else's statement is canceled.
        cancelers.withLock { cancelers in
            for canceler in cancelers.values { try? canceler.cancel() }
        }
    }
}

/// Runs blocking code on a serial queue.
private actor Lane {
    private let executor: QueueExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ queue: DispatchQueue) {
        executor = QueueExecutor(queue)
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
        try body()
    }
}

private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
