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
                the attributes that all have. Bytes that are no text are summarised. What is sealed \
                with a key that is not given, what a transformer that is not here wrote, and what is damaged \
                shows as such and stays as it is.
                """,
                examples: [
                    "store show clinic.sqlite",
                    "store show clinic.sqlite Patient",
                    "store show clinic.sqlite Patient --where 'name startsWith \"A\"'",
                    "store show clinic.sqlite Patient --sort 'born desc, name' --limit 9",
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

    @OptionGroup var rows: RowOptions
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is a number from 0") }
        if entity == nil, condition.text != nil || sort != nil || limit != nil || rows.csv {
            throw ValidationError("--where, --sort, --limit and --csv need an entity")
        }
    }

    func run() throws {
        let session = Session.current
        let (store, registry) = try file.openForReading(keys, session)
        defer { try? store.close() }
        if let entity {
            try show(entity, of: store, registry, session)
        } else {
            let report = try InspectionReport(StoreSummary(of: store).inspection, count: store.fileSize)
            try rows.json ? session.print(json: report) : session.print(report.text)
        }
    }

    private func show(_ entity: String, of store: Store, _ registry: TransformerRegistry, _ session: Session) throws {
        let order = try sort.map { try SortKey.list($0) } ?? []
        let attributes = try store.storedAttributes(of: entity)
        let failures = try condition.use { condition in
            try store.read { context in
                var cells = CellMaker(attributes, registry, showsEntity: store.hasChildren(entity))
                var writer = RowWriter(columns: cells.header, rows.notation, session)
                try context.forEach(entity, where: condition, sortedBy: order, limit: limit) { object in
                    try writer.append(cells.cells(of: object))
                }
                try writer.finish()
                return cells.failures
            }
        }
        session.tellOf(failures)
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
