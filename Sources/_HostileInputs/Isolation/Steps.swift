/// Runs work step by step, each noted before it begins and each under a time limit.
///
/// Work is divided into phases, and phases into steps. A run that resumes skips what was done: the
/// phases before the last position, and in that position's phase the steps up to it. What a phase
/// does outside its steps is its preparation, and is done again.
public final class Steps {
    private let logbook: Logbook
    private let limits: IsolationLimits?
    private let done: StepPosition
    private var position = StepPosition(phase: -1, step: -1)

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - logbook: Where steps are noted.
    ///   - limits: What a step may take; nil where nothing ends a step.
    ///   - done: What is skipped; nil begins at the start.
    init(logbook: Logbook, limits: IsolationLimits?, after done: StepPosition? = nil) {
        self.logbook = logbook
        self.limits = limits
        self.done = done ?? StepPosition(phase: -1, step: -1)
    }

    /// Runs a phase, unless it is done.
    ///
    /// - Parameters:
    ///   - note: What it is about.
    ///   - body: Its preparation and its steps.
    public func phase(_ note: @autoclosure () -> String, _ body: () -> Void) {
        position = StepPosition(phase: position.phase + 1, step: -1)
        let diedPreparing = done == position
        guard position.phase >= done.phase, !diedPreparing else { return }
        begin(note(), weight: 1)
        body()
        ProcessorTimer.stop(if: limits)
    }

    /// Runs a step, unless it is done.
    ///
    /// - Parameters:
    ///   - note: What it is about to do.
    ///   - weight: How many times the time limit it may take.
    ///   - body: The work.
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

extension ProcessorTimer {
    fileprivate static func stop(if limits: IsolationLimits?) {
        guard limits != nil else { return }
        start(.zero)
    }
}
