import Foundation
import Glibc
import _HostileInputs

/// Mutates and decodes, in a process of its own, until its time is over or an input kills it.
struct Worker {
    static let maximumInput = 1 << 20
    private static let poolLimit = 1000

    let subject: Subject
    let logbook: Logbook
    let findings: Findings
    let time: Duration
    let limit: Duration
    private var bytes: ByteMutator
    private var text: TextMutator
    private var generator: SeededGenerator
    private var pool: [[UInt8]]
    private var outcomes: Set<String> = []

    init(_ subject: Subject, _ logbook: Logbook, _ findings: Findings, time: Duration, limit: Duration, seed: UInt64) {
        self.subject = subject
        self.logbook = logbook
        self.findings = findings
        self.time = time
        self.limit = limit
        bytes = ByteMutator(seed: seed, maximumCount: Self.maximumInput)
        text = TextMutator(seed: seed)
        generator = SeededGenerator(seed: seed)
        pool = subject.seeds
    }

    mutating func run() {
        let parent = getppid()
        let clock = ContinuousClock()
        let end = clock.now + time
        while clock.now < end, getppid() == parent {
            for _ in 0..<16 {
                attempt(nextInput())
            }
        }
    }

    private mutating func attempt(_ input: [UInt8]) {
        logbook.begin(input, within: limit)
        do {
            let outcome = try subject.attempt(input)
            learn(outcome, from: input)
        } catch let contradiction as Subject.Contradiction {
            findings.keep(input, of: subject.expression, reason: "contradiction", details: contradiction.reason)
        } catch {
            findings.keep(input, of: subject.expression, reason: "untyped-error", details: "\(error)")
        }
    }

    /// Inputs with a new outcome are mutated further: they reached a different part of the decoder.
    private mutating func learn(_ outcome: Subject.Outcome, from input: [UInt8]) {
        switch outcome {
        case .value:
            guard generator.next().isMultiple(of: 64) else { return }
        case .refusal(let sentence):
            // Numbers in a sentence, such as offsets, do not make an outcome new.
            guard outcomes.insert(sentence.filter { !$0.isNumber }).inserted else { return }
        }
        guard input.count <= 1 << 16 else { return }
        if pool.count < Self.poolLimit {
            pool.append(input)
        } else {
            pool[subject.seeds.count + Int(generator.next() % UInt64(pool.count - subject.seeds.count))] = input
        }
    }

    private mutating func nextInput() -> [UInt8] {
        let base = pick()
        if generator.next().isMultiple(of: 2), let readable = String(validating: base, as: UTF8.self) {
            let other = String(validating: pick(), as: UTF8.self)
            return Array(text.mutated(readable, with: other).utf8.prefix(Self.maximumInput))
        }
        return bytes.mutated(base, with: pick())
    }

    private mutating func pick() -> [UInt8] {
        pool[Int(generator.next() % UInt64(pool.count))]
    }
}
