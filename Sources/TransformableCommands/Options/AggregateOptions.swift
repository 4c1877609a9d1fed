internal import ArgumentParser
internal import TransformableStore

/// Options that show aggregates over objects instead of the objects.
struct AggregateOptions: ParsableArguments {
    @Flag(help: "Count the objects.")
    var count = false

    @Option(help: ArgumentHelp("Show the sum of an attribute; can be repeated.", valueName: "name"))
    var sum: [String] = []

    @Option(help: ArgumentHelp("Show the smallest value of an attribute; can be repeated.", valueName: "name"))
    var min: [String] = []

    @Option(help: ArgumentHelp("Show the largest value of an attribute; can be repeated.", valueName: "name"))
    var max: [String] = []

    @Option(help: ArgumentHelp("Show the average of an attribute; can be repeated.", valueName: "name"))
    var average: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show a row for each group of objects with equal values of these attributes; counts them by default.",
            valueName: "names"
        )
    )
    var groupBy: String?

    /// The attributes to group by.
    var groups: [String] { groupBy.map { [String](names: $0) } ?? [] }

    /// The aggregates to compute, with their labels.
    var aggregates: [(label: String, aggregate: Aggregate)] {
        let counts = count || (groupBy != nil && sum.isEmpty && min.isEmpty && max.isEmpty && average.isEmpty)
        return (counts ? [("count", .count)] : [])
            + sum.map { ("sum(\($0))", .sum($0)) }
            + min.map { ("min(\($0))", .min($0)) }
            + max.map { ("max(\($0))", .max($0)) }
            + average.map { ("average(\($0))", .average($0)) }
    }

    /// Whether the number of objects is all that is asked for.
    var onlyCounts: Bool { groupBy == nil && aggregates.map(\.aggregate) == [.count] }

    func validate() throws {
        if let twice = (groups + aggregates.map(\.label)).firstRepeated {
            throw ValidationError("“\(twice)” is given twice")
        }
    }
}
