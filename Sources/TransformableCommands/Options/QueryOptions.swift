internal import ArgumentParser
internal import TransformableStore

/// The objects that a command works on.
struct ConditionOption: ParsableArguments {
    // A condition can begin with a negative number.
    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only the objects that match this condition: 'age > 3 and name startsWith \"A\"'. See “help conditions”.",
            valueName: "condition"
        )
    )
    var text: String?

    /// Passes the condition to a closure.
    ///
    /// A condition that exceeds a limit is a usage error, wherever it is detected.
    ///
    /// - Parameter body: A closure that uses the condition, which matches every object if none was given.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` or ``CommandError`` if the condition is invalid, and any error thrown by `body`.
    func use<Result>(_ body: (Condition) throws -> Result) throws -> Result {
        do {
            return try body(text.map { text throws(StoreError) in try Condition(text) } ?? .all)
        } catch let error as StoreError where error.code == .limitExceeded {
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
    }
}

extension SortKey {
    /// Parses sort keys such as “admitted desc, name”.
    ///
    /// - Parameter text: Names separated by commas, each optionally followed by `asc` or `desc`.
    /// - Returns: The sort keys, the most significant one first.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the text is malformed.
    static func list(_ text: String) throws(CommandError) -> [Self] {
        try text.split(separator: ",", omittingEmptySubsequences: false)
            .map { part throws(CommandError) in
                let words = part.split(separator: " ")
                switch (words.count, words.last?.lowercased()) {
                case (1, _), (2, "asc"): return .ascending(String(words[0]))
                case (2, "desc"): return .descending(String(words[0]))
                default:
                    throw CommandError(
                        .usage,
                        "“\(part)” is not a valid sort key; write a name, optionally followed by “asc” or “desc”"
                    )
                }
            }
    }
}

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
        var result: [(label: String, aggregate: Aggregate)] = counts ? [("count", .count)] : []
        result += sum.map { ("sum(\($0))", .sum($0)) }
        result += min.map { ("min(\($0))", .min($0)) }
        result += max.map { ("max(\($0))", .max($0)) }
        result += average.map { ("average(\($0))", .average($0)) }
        return result
    }

    /// Whether the number of objects is all that is asked for.
    var onlyCounts: Bool { groupBy == nil && aggregates.map(\.aggregate) == [.count] }

    func validate() throws {
        if let twice = (groups + aggregates.map(\.label)).firstRepeated {
            throw ValidationError("“\(twice)” is given twice")
        }
    }
}

/// The rows of aggregates over objects.
struct AggregateListing {
    let header: [String]
    let rows: [[Cell]]

    /// Computes the rows.
    ///
    /// - Parameters:
    ///   - options: The aggregates to compute.
    ///   - entity: The entity's name.
    ///   - condition: A condition that selects the objects.
    ///   - context: A context of the store.
    /// - Throws: `StoreError` if the aggregates cannot be computed.
    init(_ options: AggregateOptions, of entity: String, where condition: Condition, in context: StoreContext) throws {
        let (groups, aggregates) = (options.groups, options.aggregates)
        header = groups + aggregates.map(\.label)
        rows = try context.aggregate(entity, aggregates.map(\.aggregate), where: condition, groupedBy: groups)
            .map { row in
                let values = try groups.map { try row.anyValue($0) } + aggregates.map { try row.anyValue($0.aggregate) }
                return values.map { $0.map(Cell.init(plain:)) ?? .null }
            }
    }
}
