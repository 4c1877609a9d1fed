internal import Glibc

/// Work that continues if one of its steps kills the process: that step is recorded and skipped.
public struct IsolatedRun: Sendable {
    /// A step that did not finish.
    public struct Casualty: Sendable {
        /// A description of the step.
        public let note: String
        /// The reason why it did not finish.
        public let cause: Cause
        /// The end of its output to standard error.
        public let message: String
    }

    /// A reason why a step did not finish.
    public enum Cause: Sendable, Hashable {
        /// A trap or another fatal signal.
        case signal(Int32)
        /// A call of `exit` or a similar function, with this status, before the work was done.
        case exit(Int32)
        /// The step exceeded the memory limit.
        case memory
        /// The step exceeded the limit on processor time.
        case processorTime
        /// The step exceeded the limit on elapsed time.
        case wallTime
    }

    private let limits: IsolationLimits
    private let maximumCasualties: Int

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - limits: The limits of a step.
    ///   - maximumCasualties: The number of crashes after which the remaining steps are skipped.
    public init(limits: IsolationLimits, maximumCasualties: Int = 8) {
        self.limits = limits
        self.maximumCasualties = maximumCasualties
    }

    /// Runs work in child processes, one at a time, until all of it is done.
    ///
    /// - Parameters:
    ///   - logbook: The logbook for the records of the work.
    ///   - work: A closure that runs phases and steps, the same ones each time it is called.
    /// - Returns: The steps that did not finish.
    /// - Throws: ``IsolationError`` if a child process cannot be created.
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
            // A lock that another thread of the parent had can stall a child once, which is not the step's fault.
            let isFirstStall = isStalled && stalled != logbook.position
            stalled = isStalled ? logbook.position : nil
            if isFirstStall { continue }
            done = logbook.position
            let note = String(decoding: logbook.note, as: UTF8.self)
            casualties.append(Casualty(note: note, cause: cause, message: ending.message))
        }
        return casualties
    }

    /// Runs work in this process, without isolation.
    ///
    /// - Parameters:
    ///   - logbook: The logbook for the records of the work.
    ///   - work: A closure that runs phases and steps.
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
    /// Creates the reason why a child ended, or returns nil if it finished its work.
    ///
    /// - Parameters:
    ///   - ending: How the child ended.
    ///   - isStalled: Whether it was killed because it exceeded the limit on elapsed time.
    ///   - logbook: The logbook in which the child records that its work is finished.
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

/// The limits of a step in a child process, which is killed if it exceeds them.
public struct IsolationLimits: Sendable {
    /// The number of bytes that can be allocated in addition to the memory at the time of the fork.
    public var memory: Int
    /// The processor time.
    public var processorTime: Duration
    /// The elapsed time, for steps that would wait forever.
    public var wallTime: Duration

    /// Creates limits.
    public init(memory: Int, processorTime: Duration, wallTime: Duration) {
        self.memory = memory
        self.processorTime = processorTime
        self.wallTime = wallTime
    }
}

/// An error thrown if the system does not allow what running in a child process requires.
public struct IsolationError: Error, Sendable, CustomStringConvertible {
    /// A one-sentence description of what failed.
    public let description: String

    init(_ message: String, errno code: Int32) {
        description = unsafe "\(message): \(String(cString: strerror(code)))"
    }
}
