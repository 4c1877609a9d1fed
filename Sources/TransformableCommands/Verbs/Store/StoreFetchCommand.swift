internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store fetch`: shows the objects that one of the model's fetch requests finds.
struct StoreFetchCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "fetch",
            abstract: "Show the objects that a fetch request of the model finds.",
            discussion: Help.lines(
                """
                A model can contain fetch requests: conditions with parameters, and an order. “store schema” \
                lists them. Give a value for each parameter, without its dollar sign, and write it as in a \
                condition. Text needs no quotes unless it is a number, a date, true, false, or null. \
                For a list, give several values.
                """,
                examples: [
                    "store fetch clinic.sqlite --request patientsOfWard ward=3B age=18",
                    "store fetch clinic.sqlite --request patientsOfWards wards=3B wards=4A --json",
                    "store fetch clinic.sqlite --request everybody --columns _id,name",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Option(help: ArgumentHelp("The name of the fetch request.", valueName: "name"))
    var request: String

    @Argument(help: "The values of the request's parameters, as name=value.")
    var parameters: [String] = []

    @Option(
        help: ArgumentHelp(
            "The columns to show, as in “name, born”; _id is the object's number, and entity is its entity.",
            valueName: "names"
        )
    )
    var columns: String?

    @OptionGroup var tenant: TenantOption
    @OptionGroup var rows: RowOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let (store, registry) = try file.openForReading(keys, session)
        defer { try? store.close() }
        file.noteUncheckedRows(of: store, registry, session)
        let request = try store.model.requiredFetchRequest(request)
        let condition = try request.condition(with: RequestParameters(parameters, of: request).values)
        let names = columns.map { [String](names: $0) }
        var cells = try CellMaker(request.entity, of: store, columns: names, tenant: tenant.tenant, registry)
        try tenant.read(store) { context in
            var writer = RowWriter(columns: cells.header, .objects, of: request.entity, rows.notation, session)
            try context.forEach(
                request.entity,
                where: condition,
                sortedBy: request.order,
                limit: request.limit,
                offset: request.offset
            ) { try writer.append(cells.cells(of: $0)) }
            try writer.finish()
        }
        session.tellOf(cells.failures)
    }
}

/// The values of a fetch request's parameters, as given on the command line.
private struct RequestParameters {
    private(set) var values: [String: (any Sendable)?] = [:]

    /// Reads the values.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, as name=value.
    ///   - request: The request. A parameter that follows `in` takes a list.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if an argument is malformed or given twice.
    init(_ arguments: [String], of request: FetchRequestDescription) throws(CommandError) {
        var lists: [String: [any Sendable]] = [:]
        for argument in arguments {
            guard let sign = argument.firstIndex(of: "=") else {
                throw CommandError(.usage, "“\(argument)” is not a parameter; write name=value")
            }
            let name = String(argument[..<sign])
            let value = Operand.Literal(parameter: String(argument[argument.index(after: sign)...]))
            lists[name, default: []].append(value)
        }
        for (name, list) in lists {
            guard !request.listParameters.contains(name) else {
                values[name] = list
                continue
            }
            guard list.count == 1 else { throw CommandError(.usage, "“\(name)” is given twice, but is not a list") }
            values[name] = list[0]
        }
    }
}
