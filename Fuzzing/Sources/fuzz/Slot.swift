import _HostileInputs

/// One worker process at one subject.
final class Slot {
    let subject: Subject
    let logbook: Logbook
    private let child: ChildProcess
    private let limits: IsolationLimits
    private let clock = ContinuousClock()
    private var ticks = -1
    private var deadline: ContinuousClock.Instant
    private var isStalled = false

    init(_ subject: Subject, _ findings: Findings, _ limits: IsolationLimits, time: Duration, seed: UInt64)
        throws(IsolationError)
    {
        let logbook = try Logbook(noteCapacity: Worker.maximumInput, recordCapacity: 0)
        child = try ChildProcess(memory: limits.memory) {
            var worker = Worker(subject, logbook, findings, time: time, limit: limits.processorTime, seed: seed)
            worker.run()
            logbook.finish()
        }
        self.subject = subject
        self.logbook = logbook
        self.limits = limits
        deadline = clock.now + limits.wallTime
    }

    /// How the worker ended, with the cause if it was killed; nil while it runs.
    func poll() -> (cause: IsolatedRun.Cause?, message: String)? {
        if let ending = child.poll() {
            let cause = IsolatedRun.Cause(ending, isStalled: isStalled, logbook)
            return (cause: cause, message: ending.message)
        }
        if logbook.ticks != ticks {
            ticks = logbook.ticks
            deadline = clock.now + limits.wallTime
        } else if clock.now > deadline, !isStalled {
            child.kill()
            isStalled = true
        }
        return nil
    }
}

extension IsolatedRun.Cause {
    /// A word for file names.
    var name: String {
        switch self {
        case .signal(let signal): "signal-\(signal)"
        case .exit(let status): "exit-\(status)"
        case .memory: "memory"
        case .processorTime: "slow"
        case .wallTime: "hang"
        }
    }
}
