import Foundation

/// The time that a contender's rounds took.
struct Measurement: Codable {
    /// The contender's name.
    let contender: String
    /// The median of the rounds: nanoseconds to do the work once.
    let nanoseconds: Double
    /// Half of the rounds lie within this distance of the median, as a fraction of the median.
    let spread: Double

    init(_ contender: String, rounds: [Double]) {
        self.contender = contender
        nanoseconds = rounds.median
        spread = rounds.map { abs($0 - rounds.median) }.median / rounds.median
    }
}

/// A scenario's figures.
struct Outcome: Codable {
    let area: String
    let scenario: String
    let rounds: Int
    /// What was counted.
    let clock: Clock
    /// Ours first.
    let measurements: [Measurement]

    /// Our time divided by the peer's: below 1, we are faster.
    func ratio(to peer: Measurement) -> Double {
        measurements[0].nanoseconds / peer.nanoseconds
    }
}

/// Runs a scenario: all contenders in each round, in rotating order, so that anything that slows the machine affects
/// all of them.
struct Runner {
    let rounds: Int
    /// The least time that a contender works in one round, so that the clock's own time does not count.
    let roundTime: Duration
    /// What is counted.
    let clock: Clock

    func run(_ scenario: Scenario, of area: String) throws -> Outcome {
        let contenders = try scenario.prepare().filter { clock == .wall || !$0.isElsewhere }
        let rounds = min(rounds, scenario.maximumRounds ?? rounds)
        let repetitions = try contenders.map(repetitions)
        var times = contenders.map { _ in [Double]() }
        for round in 0..<rounds {
            for turn in contenders.indices {
                let index = (turn + round) % contenders.count
                times[index].append(try time(contenders[index], repetitions: repetitions[index]))
            }
        }
        return Outcome(
            area: area,
            scenario: scenario.name,
            rounds: rounds,
            clock: clock,
            measurements: zip(contenders, times)
                .map { contender, times in
                    Measurement(contender.name, rounds: times.map { $0 / Double(contender.count) })
                }
        )
    }

    /// Warms up a contender, and determines how many times it runs in each round.
    private func repetitions(_ contender: Contender) throws -> Int {
        let first = try time(contender, repetitions: 1)
        var repetitions = 1
        guard first < roundTime.nanoseconds else { return repetitions }
        while try time(contender, repetitions: repetitions) * Double(repetitions) < roundTime.nanoseconds {
            repetitions *= 2
        }
        return repetitions
    }

    /// Nanoseconds to do the work once.
    private func time(_ contender: Contender, repetitions: Int) throws -> Double {
        let start = clock.now()
        for _ in 0..<repetitions {
            try contender.work()
        }
        return (clock.now() - start) / Double(repetitions)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double { self / .nanoseconds(1) }
}

extension [Double] {
    fileprivate var median: Double {
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// What is counted.
enum Clock: String, Codable {
    /// Wall-clock time.
    case wall = "wall time"
    /// Time that processors spend on this process: the fairer figure on a busy machine.
    case processor = "processor time"

    /// Nanoseconds since an arbitrary point in time.
    func now() -> Double {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
