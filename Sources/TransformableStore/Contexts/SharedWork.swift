internal import Dispatch
internal import Synchronization

/// Work that the first available thread does: either a worker, or the thread that needs the result if it would
/// otherwise have to wait.
///
/// `@unchecked` because only the thread that has claimed the work uses `body` and sets `outcome`. The thread that needs
/// the result takes it after the first one has signaled.
final class SharedWork<Outcome>: @unchecked Sendable {
    private var body: (() -> Outcome)?
    private var outcome: Outcome?
    private let isClaimed = Atomic(false)
    private let hasOutcome = Atomic(false)
    private let isDone = DispatchSemaphore(value: 0)

    /// Has another thread do the work.
    ///
    /// - Parameter body: The work. It must not use anything that changes meanwhile.
    init(_ body: @escaping () -> Outcome) {
        self.body = body
        DispatchQueue.global().async { self.perform() }
    }

    /// Whether the work has been done.
    var isFinished: Bool { hasOutcome.load(ordering: .relaxed) }

    /// Returns the result once the work has been done, or `nil` if it was abandoned.
    ///
    /// Call this only once.
    func result() -> Outcome? {
        perform()
        isDone.wait()
        // A queue that has no free thread yet keeps the work itself.
        defer { outcome = nil }
        return outcome
    }

    /// Abandons work whose result is not needed.
    ///
    /// Afterward, no thread does it.
    func abandon() {
        guard !isClaimed.exchange(true, ordering: .acquiringAndReleasing) else {
            _ = result()
            return
        }
        body = nil
        isDone.signal()
    }

    /// Does the work, unless another thread has done so or is doing so.
    func perform() {
        guard !isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        outcome = body?()
        // What it was done with is not needed anymore.
        body = nil
        hasOutcome.store(true, ordering: .relaxed)
        isDone.signal()
    }
}
