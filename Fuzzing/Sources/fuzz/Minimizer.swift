import _HostileInputs

/// Takes away parts of an input as long as what is left kills a process in the same way.
struct Minimizer {
    private static let attempts = 300
    private let subject: Subject
    private let limits: IsolationLimits

    init(_ subject: Subject, _ limits: IsolationLimits) {
        self.subject = subject
        self.limits = limits
    }

    /// Returns a shorter input that causes the same crash, or the input itself.
    func minimized(_ input: [UInt8], cause: IsolatedRun.Cause) -> [UInt8] {
        // Inputs that take a second or more to crash are not shortened.
        switch cause {
        case .signal, .exit: break
        case .memory, .processorTime, .wallTime: return input
        }
        var best = input
        var left = Self.attempts
        var part = best.count / 2
        while part > 0, left > 0 {
            var start = 0
            while start < best.count, left > 0 {
                left -= 1
                var shorter = best
                shorter.removeSubrange(start..<min(best.count, start + part))
                if end(of: shorter) == cause {
                    best = shorter
                } else {
                    start += part
                }
            }
            part /= 2
        }
        return best
    }

    private func end(of input: [UInt8]) -> IsolatedRun.Cause? {
        guard let logbook = try? Logbook(noteCapacity: input.count, recordCapacity: 0) else { return nil }
        let run = IsolatedRun(limits: limits, maximumCasualties: 1)
        let casualties = try? run.run(logbook) { steps in
            steps.phase("minimizing") { _ = try? subject.attempt(input) }
        }
        return casualties?.first?.cause
    }
}
