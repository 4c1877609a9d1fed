internal import ArgumentParser
internal import TransformableStore

/// What objects come to, in place of the objects themselves.
struct AggregateOptions: ParsableArguments {
    @Flag(help: "Count the objects.")
    var count = false

    @Option(help: ArgumentHelp("The sum of an attribute; may be given several times.", valueName: "name"))
    var sum: [String] = []

    @Option(help: ArgumentHelp("The smallest value of an attribute.", valueName: "name"))
    var min: [String] = []

    @Option(help: ArgumentHelp("The largest value of an attribute.", valueName: "name"))
    var max: [String] = []

    @Option(help: ArgumentHelp("The average of an attribute.", valueName: "name"))
    var average: [String] = []

    @Option(
        help: ArgumentHelp(
            "A row for each group of objects in which these attributes are the same; counts them if nothing else is asked for.",
            valueName: "names"
        )
    )
    var groupBy: String?

    /// The attributes whose values are the same in a group.
    var groups: [String] { groupBy.map { [String](names: $0) } ?? [] }

    /// What to compute, and what to call it.
    var aggregates: [(label: String, aggregate: Aggregate)] {
        let counts = count || (groupBy != nil && sum.isEmpty && min.isEmpty && max.isEmpty && average.isEmpty)
        return (counts ? [("count", .count)] : [])
            + sum.map { ("sum(\($0))", .sum($0)) }
            + min.map { ("min(\($0))", .min($0)) }
            + max.map { ("max(\($0))", .max($0)) }
            + average.map { ("average(\($0))", .average($0)) }
    }

    /// Whether objects are counted and nothing else.
    var onlyCounts: Bool { groupBy == nil && aggregates.map(\.aggregate) == [.count] }

    func validate() throws {
        if let twice = (groups + aggregates.map(\.label)).firstRepeated {
            throw ValidationError("“\(twice)” is asked for twice")
        }
    }
}
