internal import Foundation

/// Runs the same function on several threads at once and waits for all of them.
///
/// The threads are made for this, since a forked child has no dispatch queues to take them from. The
/// function is given the number of its thread, from 0.
func runThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let team = ThreadTeam(count: count, body: body)
    for number in 0..<count {
        Thread.detachNewThread { team.run(number) }
    }
    team.wait()
}

/// Threads that begin together, once the last of them is there.
private final class ThreadTeam: Sendable {
    private let count: Int
    private let body: @Sendable (Int) -> Void
    private let state = NSCondition()
    // Used only while `state` is locked.
    private nonisolated(unsafe) var arrived = 0
    // Used only while `state` is locked.
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
