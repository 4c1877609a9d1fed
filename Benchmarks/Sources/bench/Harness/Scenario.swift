/// One comparison: the same work done by us and by others.
struct Scenario {
    /// What is done, and on what: “write 1,000 rects”.
    let name: String
    /// The most rounds that are run, whatever is asked for; nil for no such limit.
    let maximumRounds: Int?
    /// Makes the input, checks that the contenders agree on the result, and gives them, ours first.
    let prepare: () throws -> [Contender]

    /// Makes a scenario.
    ///
    /// - Parameters:
    ///   - name: What is done, and on what.
    ///   - maximumRounds: The most rounds that are run, for work that takes seconds.
    ///   - prepare: Makes the input, and gives the contenders, ours first.
    init(_ name: String, maximumRounds: Int? = nil, prepare: @escaping () throws -> [Contender]) {
        self.name = name
        self.maximumRounds = maximumRounds
        self.prepare = prepare
    }
}

/// One way of doing a scenario's work.
struct Contender {
    /// Whose way it is: “Foundation”.
    let name: String
    /// Whether another process does the work, whose processor time is not this one's.
    let isElsewhere: Bool
    /// How many things the work is done on; the figures are for one of them.
    let count: Int
    /// Does the whole work once.
    let work: () throws -> Void

    /// Makes a contender.
    ///
    /// - Parameters:
    ///   - name: Whose way it is.
    ///   - isElsewhere: Whether another process does the work.
    ///   - count: How many things the work is done on; the figures are for one of them.
    ///   - work: Does the whole work once; its result goes to ``consume(_:)``, so that none of it is left out.
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
    /// What is measured of memory, after the scenarios.
    var footprints: [Footprint] = []
}

/// Takes a result without looking, in a way that the optimizer cannot see.
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
