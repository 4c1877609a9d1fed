/// The options from the command line.
struct Options {
    private(set) var filters: [String] = []
    private(set) var rounds = 9
    private(set) var roundTime = Duration.milliseconds(50)
    private(set) var clock = Clock.wall
    private(set) var isJSON = false
    private(set) var isList = false
    /// The one footprint that this process is there to measure.
    private(set) var footprint: String?

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--processor-time": clock = .processor
            case "--json": isJSON = true
            case "--list": isList = true
            case "--footprint": footprint = arguments.next()
            case "--rounds": rounds = try Self.number(after: argument, arguments.next())
            case "--round-time": roundTime = .milliseconds(try Self.number(after: argument, arguments.next()))
            case _ where argument.hasPrefix("-"): throw UsageError(description: "there is no option “\(argument)”")
            default: filters.append(argument.lowercased())
            }
        }
    }

    func admits(_ name: String) -> Bool {
        filters.isEmpty || filters.contains { name.lowercased().contains($0) }
    }

    private static func number(after option: String, _ text: String?) throws(UsageError) -> Int {
        guard let number = text.flatMap(Int.init), number > 0 else {
            throw UsageError(description: "“\(option)” is followed by a number above 0")
        }
        return number
    }
}

/// An error in the command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String
}
