internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store show`: the objects of a store, or what is in it.
struct StoreShowCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Show the objects of a store, decoded.",
            discussion: Help.lines(
                """
                Without an entity, what the store holds; an entity that others inherit from shows theirs, too, with \
                the attributes that all have. A relationship shows the numbers of the objects that it leads to. \
                Bytes that are no text are summarised. What is sealed \
                with a key that is not given, what a transformer that is not here wrote, and what is damaged \
                shows as such and stays as it is. With --count, --sum, --min, --max, --average or --group-by, \
                what the objects come to.
                """,
                examples: [
                    "store show clinic.sqlite",
                    "store show clinic.sqlite Patient",
                    "store show clinic.sqlite Patient --where 'name startsWith \"A\"'",
                    "store show clinic.sqlite Patient --sort 'born desc, name' --limit 9",
                    "store show clinic.sqlite Patient --columns _id,name --limit 20 --offset 40",
                    "store show clinic.sqlite Patient --count --where 'ward == 3'",
                    "store show clinic.sqlite Visit --group-by patient --count --sum cost",
                    "store show clinic.sqlite Patient --key-file clinic.keys --json",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String?

    @OptionGroup var condition: ConditionOption

    @Option(help: ArgumentHelp("Attributes to sort by, as in “admitted desc, name”.", valueName: "names"))
    var sort: String?

    @Option(help: ArgumentHelp("At most this many objects.", valueName: "number"))
    var limit: Int?

    @Option(help: ArgumentHelp("Leave out so many objects at the beginning.", valueName: "number"))
    var offset: Int?

    @Option(
        help: ArgumentHelp(
            "The columns to show, as in “name, born”; _id is the object's number, entity its entity.",
            valueName: "names"
        )
    )
    var columns: String?

    @OptionGroup var aggregates: AggregateOptions
    @OptionGroup var rows: RowOptions
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is a number from 0") }
        if let offset, offset < 0 { throw ValidationError("--offset is a number from 0") }
        let choosesRows = sort != nil || limit != nil || offset != nil || columns != nil
        let computes = !aggregates.aggregates.isEmpty
        if entity == nil, condition.text != nil || choosesRows || computes || rows.csv {
            throw ValidationError("only --json and the keys can be given without an entity")
        }
        if computes, choosesRows {
            let message = "--count, --sum, --min, --max, --average and --group-by show no objects"
            throw ValidationError("\(message), so leave out --sort, --limit, --offset and --columns")
        }
    }

    func run() throws {
        let session = Session.current
        let (store, registry) = try file.openForReading(keys, session)
        defer { try? store.close() }
        guard let entity else {
            let report = try InspectionReport(StoreSummary(of: store), count: store.fileSize)
            return try rows.json ? session.print(json: report) : session.print(report.text)
        }
        let showsObjects = aggregates.aggregates.isEmpty
        try showsObjects ? show(entity, of: store, registry, session) : compute(entity, of: store, session)
    }

    private func show(_ entity: String, of store: Store, _ registry: TransformerRegistry, _ session: Session) throws {
        let order = try sort.map { try SortKey.list($0) } ?? []
        var cells = try CellMaker(entity, of: store, columns: columns.map { [String](names: $0) }, registry)
        try condition.use { condition in
            try store.read { context in
                var writer = RowWriter(columns: cells.header, .objects, of: entity, rows.notation, session)
                try context.forEach(entity, where: condition, sortedBy: order, limit: limit, offset: offset ?? 0) {
                    try writer.append(cells.cells(of: $0))
                }
                try writer.finish()
            }
        }
        session.tellOf(cells.failures)
    }

    private func compute(_ entity: String, of store: Store, _ session: Session) throws {
        _ = try store.storedAttributes(of: entity)
        let listing = try condition.use { condition in
            try store.read { try AggregateListing(aggregates, of: entity, where: condition, in: $0) }
        }
        if aggregates.onlyCounts, rows.notation == .table { return try session.print(listing.rows[0][0].tableText) }
        var writer = RowWriter(columns: listing.header, .groups, of: entity, rows.notation, session)
        for row in listing.rows { try writer.append(row) }
        try writer.finish()
    }
}

extension Session {
    /// Says how many cells could not be read, and what helps.
    fileprivate func tellOf(_ failures: [CellFailure: Int]) {
        guard !failures.isEmpty else { return }
        let counts = failures.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        let ways = [
            failures.keys.contains(where: \.keepsBytes) ? "“store get --raw” gives their bytes" : nil,
            failures.keys.allSatisfy(\.keepsBytes)
                ? nil : "“store verify” names the files, which a backup may have whole",
        ]
        tell("note: values that could not be read: \(counts); \(ways.compactMap(\.self).joined(separator: "; "))")
    }
}
