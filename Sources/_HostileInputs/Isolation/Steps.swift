internal import Glibc

/// Runs work step by step, and records each step before it begins.
///
/// Each step has a time limit.
///
/// Work is divided into phases, and phases into steps. A run that is resumed skips what was done: the phases before the
/// last position, and the steps of its phase up to that position. The preparation of a phase, which is everything
/// outside its steps, is repeated.
public final class Steps {
    private let logbook: Logbook
    private let limits: IsolationLimits?
    private let done: StepPosition
    private var position = StepPosition(phase: -1, step: -1)

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - logbook: The logbook in which steps are recorded.
    ///   - limits: The limits of a step, or nil if there are none.
    ///   - done: The position up to which steps are skipped, or nil to start at the beginning.
    init(logbook: Logbook, limits: IsolationLimits?, after done: StepPosition? = nil) {
        self.logbook = logbook
        self.limits = limits
        self.done = done ?? StepPosition(phase: -1, step: -1)
    }

    /// Runs a phase, unless it has already been completed.
    ///
    /// - Parameters:
    ///   - note: A description of the phase.
    ///   - body: A closure that prepares the phase and runs its steps.
    public func phase(_ note: @autoclosure () -> String, _ body: () -> Void) {
        position = StepPosition(phase: position.phase + 1, step: -1)
        let diedPreparing = done == position
        guard position.phase >= done.phase, !diedPreparing else { return }
        begin(note(), weight: 1)
        body()
        ProcessorTimer.stop(if: limits)
    }

    /// Runs a step, unless it has already been completed.
    ///
    /// - Parameters:
    ///   - note: A description of the step.
    ///   - weight: The factor by which the time limit is multiplied.
    ///   - body: A closure that does the work.
    public func step(_ note: @autoclosure () -> String, weight: Int = 1, _ body: () -> Void) {
        position.step += 1
        guard position > done else { return }
        begin(note(), weight: weight)
        body()
    }

    private func begin(_ note: String, weight: Int) {
        logbook.begin(note.utf8, at: position)
        if let limits {
            ProcessorTimer.start(limits.processorTime * weight)
        }
    }
}

@available(*, unavailable)
extension Steps: Sendable {}

/// A timer that ends this process with `SIGPROF` after an amount of processor time.
enum ProcessorTimer {
    /// Restarts the timer, or stops it if the time is zero.
    static func start(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        let microseconds = attoseconds / 1_000_000_000_000
        var timer = itimerval(
            it_interval: timeval(),
            it_value: timeval(tv_sec: Int(seconds), tv_usec: Int(microseconds))
        )
        _ = unsafe setitimer(__itimer_which_t(UInt32(ITIMER_PROF.rawValue)), &timer, nil)
    }

    /// Stops the timer if there are limits, without which it was not started.
    fileprivate static func stop(if limits: IsolationLimits?) {
        guard limits != nil else { return }
        start(.zero)
    }
}
