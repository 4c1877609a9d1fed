/// One comparison: the same work done by us and by others.
struct Scenario {
    /// What is done, and on what: “write 1,000 rects”.
    let name: String
    /// The maximum number of rounds, regardless of `--rounds`, or nil for no limit.
    let maximumRounds: Int?
    /// Makes the input, checks that the contenders agree on the result, and returns them, ours first.
    let prepare: () throws -> [Contender]

    /// Makes a scenario.
    ///
    /// - Parameters:
    ///   - name: What is done, and on what.
    ///   - maximumRounds: The maximum number of rounds, for work that takes seconds.
    ///   - prepare: Makes the input, and returns the contenders, ours first.
    init(_ name: String, maximumRounds: Int? = nil, prepare: @escaping () throws -> [Contender]) {
        self.name = name
        self.maximumRounds = maximumRounds
        self.prepare = prepare
    }
}

/// One way of doing a scenario's work.
struct Contender {
    /// The contender's name, such as “Foundation”.
    let name: String
    /// Whether another process does the work, whose processor time is not this one's.
    let isElsewhere: Bool
    /// The number of items that the work processes, for figures per item.
    let count: Int
    /// Does the whole work once.
    let work: () throws -> Void

    /// Makes a contender.
    ///
    /// - Parameters:
    ///   - name: The contender's name.
    ///   - isElsewhere: Whether another process does the work.
    ///   - count: The number of items that the work processes.
    ///   - work: Does the whole work once; its result goes to ``consume(_:)``, so that the optimizer keeps it.
    init(_ name: String, isElsewhere: Bool = false, count: Int = 1, _ work: @escaping () throws -> Void) {
        self.name = name
        self.isElsewhere = isElsewhere
        self.count = count
        self.work = work
    }
}

/// The scenarios of one area.
struct Area {
    /// The area's name, as filters and tables have it.
    let name: String
    /// The scenarios, in the order they run.
    let scenarios: [Scenario]
    /// The memory measurements, which follow the scenarios.
    var footprints: [Footprint] = []
}

/// Discards a result in a way that the optimizer cannot see through.
@inline(never)
@_optimize(none)
func consume<Result>(_ result: Result) {}

/// Two contenders that do different work, which makes their figures worthless.
struct Disagreement: Error, CustomStringConvertible {
    let description: String

    /// Stops the benchmark unless the contenders' results are the same.
    static func unless(_ isSame: Bool, _ what: String) throws {
        guard isSame else { throw Disagreement(description: "the contenders disagree: \(what)") }
    }
}
