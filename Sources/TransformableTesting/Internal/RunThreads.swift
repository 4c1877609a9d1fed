internal import Foundation

/// Runs a function on several threads at the same time, and waits for all of them.
///
/// The threads are created for this purpose, because dispatch queues do not work in a forked child process. The
/// function receives the number of its thread, starting at 0.
func runThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let team = ThreadTeam(count: count, body: body)
    for number in 0..<count {
        Thread.detachNewThread { team.run(number) }
    }
    team.wait()
}

/// A group of threads that start together once all of them are ready.
private final class ThreadTeam: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> Void
    private let state = NSCondition()
    // Access only while `state` is locked.
    private nonisolated(unsafe) var arrived = 0
    // Access only while `state` is locked.
    private nonisolated(unsafe) var finished = 0

    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
        self.count = count
        self.body = body
    }

    func run(_ number: Int) {
        state.withLock {
            arrived += 1
            state.broadcast()
            while arrived < count { state.wait() }
        }
        body(number)
        state.withLock {
            finished += 1
            state.broadcast()
        }
    }

    func wait() {
        state.withLock {
            while finished < count { state.wait() }
        }
    }
}
