internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store show`: shows the objects of a store, or a summary of its contents.
struct StoreShowCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Show the objects of a store, decoded.",
            discussion: Help.lines(
                """
                Without an entity, shows a summary of the store. If other entities inherit from the entity, \
                their objects are included, with the attributes that all of them share. A relationship is \
                shown as the numbers of its objects. Bytes without a text form are summarized. Values that \
                are damaged, that are sealed with a key that is not given, or that were written by an \
                unknown transformer are marked as such. With --tenant all, the first column is _tenant, the \
                tenant that the object belongs to. With --count, --sum, --min, --max, --average, or \
                --group-by, shows aggregates in place of the objects.
                """,
                examples: [
                    "store show clinic.sqlite",
                    "store show clinic.sqlite Patient",
                    "store show clinic.sqlite Patient --where 'name startsWith \"A\"'",
                    "store show clinic.sqlite Patient --sort 'born desc, name' --limit 9",
                    "store show clinic.sqlite Patient --columns _id,name --limit 20 --offset 40",
                    "store show clinic.sqlite Patient --count --where 'ward == 3'",
                    "store show clinic.sqlite Visit --group-by patient --count --sum cost",
                    .withKeys("store show clinic.sqlite Patient --key-file clinic.keys --json"),
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String?

    @OptionGroup var condition: ConditionOption

    @Option(help: ArgumentHelp("The attributes to sort by, as in “admitted desc, name”.", valueName: "names"))
    var sort: String?

    @Option(help: ArgumentHelp("The maximum number of objects to show.", valueName: "number"))
    var limit: Int?

    @Option(help: ArgumentHelp("The number of objects to skip at the beginning.", valueName: "number"))
    var offset: Int?

    @Option(
        help: ArgumentHelp(
            "The columns to show, as in “name, born”; _id is the number, entity the entity, and _tenant the tenant.",
            valueName: "names"
        )
    )
    var columns: String?

    @OptionGroup var aggregates: AggregateOptions
    @OptionGroup var tenant: TenantOption
    @OptionGroup var rows: RowOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        if let offset, offset < 0 { throw ValidationError("--offset must not be negative") }
        let choosesRows = sort != nil || limit != nil || offset != nil || columns != nil
        let computes = !aggregates.aggregates.isEmpty
        if entity == nil, condition.text != nil || choosesRows || computes || rows.csv || tenant.tenant != nil {
            throw ValidationError("without an entity, only --json and the options for keys are allowed")
        }
        if computes, choosesRows {
            let message = "--count, --sum, --min, --max, --average, and --group-by show aggregates"
            throw ValidationError("\(message), so they cannot be combined with --sort, --limit, --offset, or --columns")
        }
    }

    func run() throws {
        let session = Session.current
        let (store, registry) = try file.openForReading(keys, session)
        defer { try? store.close() }
        file.noteUncheckedRows(of: store, registry, session)
        guard let entity else {
            let report = try InspectionReport(StoreSummary(of: store), count: store.fileSize)
            return try rows.json ? session.print(json: report) : session.print(report.text)
        }
        let showsObjects = aggregates.aggregates.isEmpty
        try showsObjects ? show(entity, of: store, registry, session) : compute(entity, of: store, session)
    }

    private func show(_ entity: String, of store: Store, _ registry: TransformerRegistry, _ session: Session) throws {
        let order = try sort.map { try SortKey.list($0) } ?? []
        let names = columns.map { [String](names: $0) }
        var cells = try CellMaker(entity, of: store, columns: names, tenant: tenant.tenant, registry)
        try condition.use { condition in
            try tenant.read(store) { context in
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
            try tenant.read(store) { try AggregateListing(aggregates, of: entity, where: condition, in: $0) }
        }
        if aggregates.onlyCounts, rows.notation == .table { return try session.print(listing.rows[0][0].tableText) }
        var writer = RowWriter(columns: listing.header, .groups, of: entity, rows.notation, session)
        for row in listing.rows { try writer.append(row) }
        try writer.finish()
    }
}

extension Session {
    /// Prints how many cells could not be read, and what to do about them.
    func tellOf(_ failures: [CellFailure: Int]) {
        guard !failures.isEmpty else { return }
        let counts = failures.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        let ways = [
            failures.keys.contains(where: \.keepsBytes) ? "“store get --raw” shows their stored bytes" : nil,
            failures.keys.allSatisfy(\.keepsBytes)
                ? nil : "“store verify” lists the files, which you may be able to restore from a backup",
        ]
        tell("note: values that could not be read: \(counts); \(ways.compactMap(\.self).joined(separator: "; "))")
    }
}

/// The contents of a store, without its values.
struct StoreSummary {
    let inspection: Inspection
    let entities: [EntityReport]

    /// Counts the objects of each entity, and lists the attributes and relationships.
    ///
    /// - Parameter store: The store, open for reading.
    /// - Throws: `StoreError` if the store cannot be read.
    init(of store: Store) throws {
        let entities = store.model.entities.filter { !$0.isAbstract }
        func count(_ context: StoreContext) throws -> [Int] {
            try entities.map { try context.count($0.name) }
        }
        let counts = try store.model.hasTenants ? store.readAcrossTenants(count) : store.read(count)
        self.entities = zip(entities, counts).map { EntityReport($0, count: $1, of: store.model) }
        inspection = Inspection(
            "Transformable store",
            facts: [
                Inspection.Fact("store", store.uuid.uuidString),
                Inspection.Fact("model version", "\(store.model.version)"),
            ] + zip(entities, counts).map { Inspection.Fact($0.name, $1.counted("object")) },
            details: entities.map { Self.paragraph($0, store.model) }.joined(separator: "\n\n")
        )
    }

    private static func paragraph(_ entity: EntityDescription, _ model: Model) -> String {
        var table = TextTable(header: [entity.name, "", ""])
        for attribute in model.attributes(of: entity.name) where !attribute.isTransient {
            let notes =
                [
                    attribute.isOptional ? "optional" : nil,
                    attribute.isUnique ? "unique" : attribute.isIndexed ? "indexed" : nil,
                ]
                .compactMap { $0 } + attribute.projections.map { "\($0.name): \($0.transformer)" }
            table.append([
                "  \(attribute.name)", attribute.expression ?? attribute.type.rawValue, notes.joined(separator: ", "),
            ])
        }
        let relationships = model.relationships(of: entity.name).map { "  \($0.line)" }
        return (table.lines + relationships).joined(separator: "\n")
    }
}

extension Store {
    /// The size of the store's file, in bytes, or nil if it is not in a file.
    fileprivate var fileSize: Int? {
        guard let url else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return attributes?[.size] as? Int ?? 0
    }
}
