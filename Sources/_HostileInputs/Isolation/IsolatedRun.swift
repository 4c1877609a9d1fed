internal import Glibc

/// Work that goes on when a step of it kills the process: the step is named, skipped, and the rest done.
public struct IsolatedRun: Sendable {
    /// A step that did not come to its end.
    public struct Casualty: Sendable {
        /// What the step was about to do.
        public let note: String
        /// What ended it.
        public let cause: Cause
        /// The end of what it printed on standard error.
        public let message: String
    }

    /// What ends a step.
    public enum Cause: Sendable, Hashable {
        /// A trap or another fatal signal.
        case signal(Int32)
        /// A call of `exit` or a similar function, with this status, before the work was done.
        case exit(Int32)
        /// It needed more memory than it may have.
        case memory
        /// It used more time on the processor than it may have.
        case processorTime
        /// It waited longer than it may.
        case wallTime
    }

    private let limits: IsolationLimits
    private let maximumCasualties: Int

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - limits: What a step may take.
    ///   - maximumCasualties: After how many dead children the rest is left undone.
    public init(limits: IsolationLimits, maximumCasualties: Int = 8) {
        self.limits = limits
        self.maximumCasualties = maximumCasualties
    }

    /// Runs work in child processes, one after the other, until all of it is done.
    ///
    /// - Parameters:
    ///   - logbook: Where the work keeps its records.
    ///   - work: Phases and steps, the same each time it is called.
    /// - Returns: The steps that did not come to their end.
    /// - Throws: ``IsolationError`` if there can be no child.
    public func run(_ logbook: Logbook, _ work: (Steps) -> Void) throws(IsolationError) -> [Casualty] {
        var casualties: [Casualty] = []
        var done: StepPosition?
        var stalled: StepPosition?
        while casualties.count < maximumCasualties {
            let resumed = done
            let child = try ChildProcess(memory: limits.memory) {
                work(Steps(logbook: logbook, limits: limits, after: resumed))
                logbook.finish()
            }
            let (ending, isStalled) = wait(for: child, logbook)
            guard let cause = Cause(ending, isStalled: isStalled, logbook) else { break }
            // A lock that another thread of the parent held may stall a child once, through no fault of the step.
            let isFirstStall = isStalled && stalled != logbook.position
            stalled = isStalled ? logbook.position : nil
            if isFirstStall { continue }
            done = logbook.position
            let note = String(decoding: logbook.note, as: UTF8.self)
            casualties.append(Casualty(note: note, cause: cause, message: ending.message))
        }
        return casualties
    }

    /// Runs work in this process, where nothing protects it.
    ///
    /// - Parameters:
    ///   - logbook: Where the work keeps its records.
    ///   - work: Phases and steps.
    public static func runUnprotected(_ logbook: Logbook, _ work: (Steps) -> Void) {
        work(Steps(logbook: logbook, limits: nil))
    }

    private func wait(for child: ChildProcess, _ logbook: Logbook) -> (ChildEnding, isStalled: Bool) {
        let clock = ContinuousClock()
        var ticks = -1
        var deadline = clock.now
        var isStalled = false
        var pause: UInt32 = 200
        while true {
            if let ending = child.poll() { return (ending, isStalled) }
            if logbook.ticks != ticks {
                ticks = logbook.ticks
                deadline = clock.now + limits.wallTime
            } else if clock.now > deadline, !isStalled {
                child.kill()
                isStalled = true
            }
            usleep(pause)
            pause = min(pause * 2, 5000)
        }
    }
}

extension IsolatedRun.Cause {
    /// Creates the cause of a child's end; nil if the child finished its work.
    ///
    /// - Parameters:
    ///   - ending: How the child ended.
    ///   - isStalled: Whether it was killed because it waited too long.
    ///   - logbook: Where the child notes that its work is finished.
    public init?(_ ending: ChildEnding, isStalled: Bool, _ logbook: Logbook) {
        let hasNoMemory = ["failed to allocate", "bad_alloc", "Out of memory"].contains(where: ending.message.contains)
        switch ending.signal {
        case _ where isStalled: self = .wallTime
        case nil where logbook.isFinished: return nil
        case nil: self = .exit(ending.exitCode)
        case SIGPROF: self = .processorTime
        case _ where hasNoMemory: self = .memory
        case let signal?: self = .signal(signal)
        }
    }
}
