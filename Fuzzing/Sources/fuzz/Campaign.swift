import Foundation
import Glibc
import _HostileInputs

/// Keeps workers at their subjects, replaces those that die, and keeps what killed them.
struct Campaign {
    private let subjects: [Subject]
    private let findings: Findings
    private let plan: Plan
    private var next = 0
    private var tries = 0
    private var deaths = 0
    private var seed: UInt64

    init(subjects: [Subject], findings: Findings, plan: Plan) {
        self.subjects = subjects
        self.findings = findings
        self.plan = plan
        seed = plan.seed
    }

    mutating func run() {
        let clock = ContinuousClock()
        let start = clock.now
        let end = plan.duration.map { start + $0 }
        var lastReport = start
        var slots: [Slot] = []
        Console.say("fuzzing \(subjects.count) expressions with \(plan.jobs) workers")
        while end.map({ clock.now < $0 }) ?? true || !slots.isEmpty {
            let isOver = end.map { clock.now >= $0 } ?? false
            while slots.count < plan.jobs, !isOver, let slot = startWorker(before: end) {
                slots.append(slot)
            }
            slots = slots.filter { !isFinished($0) }
            usleep(2000)
            if clock.now - lastReport > .seconds(10) {
                lastReport = clock.now
                report(since: start, slots)
            }
        }
        report(since: start, slots)
    }

    private mutating func startWorker(before end: ContinuousClock.Instant?) -> Slot? {
        let subject = subjects[next % subjects.count]
        next += 1
        seed &+= 1
        let left = end.map { $0 - ContinuousClock().now } ?? .seconds(3600)
        let time = min(plan.slice(among: subjects.count), left)
        do {
            return try Slot(subject, findings, plan.limits, time: time, seed: seed)
        } catch {
            Console.say("no worker: \(error)")
            return nil
        }
    }

    /// Looks after a worker; keeps the input that killed it.
    private mutating func isFinished(_ slot: Slot) -> Bool {
        guard let ending = slot.poll() else { return false }
        tries += slot.logbook.ticks
        guard let cause = ending.cause else { return true }
        deaths += 1
        let input = Minimizer(slot.subject, plan.limits).minimized(slot.logbook.note, cause: cause)
        let words = ending.message.split(separator: "\n").first.map(String.init) ?? ""
        Console.say("\(slot.subject.expression): \(cause.name) on \(input.count) bytes \(words)")
        findings.keep(input, of: slot.subject.expression, reason: cause.name, details: words)
        return true
    }

    private func report(since start: ContinuousClock.Instant, _ slots: [Slot]) {
        let time = ContinuousClock().now - start
        let done = tries + slots.map(\.logbook.ticks).reduce(0, +)
        let rate = Int(Double(done) / max(0.001, time / .seconds(1)))
        let seconds = Int(time / .seconds(1))
        Console.say(
            "\(seconds) s: \(done) inputs, \(rate) a second, \(deaths) workers died, \(findings.count) findings"
        )
    }
}

/// The duration and the limits of a run.
struct Plan {
    /// How long the run takes; nil until it is interrupted.
    var duration: Duration?
    /// How many workers run at once.
    var jobs: Int
    /// The seed.
    var seed: UInt64
    /// The time and memory that an input may take.
    var limits: IsolationLimits

    /// How long a worker stays with one subject.
    ///
    /// - Parameter count: How many subjects there are.
    /// - Returns: An equal share of the duration, and ten seconds at most, so that leaks do not add up.
    func slice(among count: Int) -> Duration {
        guard let duration else { return .seconds(10) }
        return min(.seconds(10), max(.milliseconds(200), duration * jobs / count))
    }
}

/// Standard error: the progress of a run.
enum Console {
    static func say(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
