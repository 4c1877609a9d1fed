internal import ArgumentParser
internal import TransformableStore

/// `store create`: creates an empty store for a model.
struct StoreCreateCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "create",
            abstract: "Create a store for a model.",
            discussion: Help.lines(
                """
                The model is a JSON file that lists entities and their attributes, each with a type or a \
                transformer. The store's file must not exist yet. “help models” describes the format.
                """,
                examples: [
                    "store create clinic.sqlite --model clinic.json",
                    "store create clinic.sqlite --model clinic.json --values 100000",
                ]
            )
        )
    }

    @OptionGroup var file: StorePath

    @Option(
        help: ArgumentHelp("The model's file; “-” is standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var model: String

    @Option(
        help: ArgumentHelp(
            "The expected number of distinct values. Blind indexes that together identify values are refused.",
            valueName: "number"
        )
    )
    var values: Int?

    @OptionGroup var distribution: DistributionOption
    @OptionGroup var keys: Keys

    func validate() throws {
        if let values, values < 0 { throw ValidationError("--values must not be negative") }
    }

    func run() throws {
        let session = Session.current
        let source: InputSource = model == "-" ? .standardInput : .file(model)
        let model = try source.readModel(session.io)
        try model.requireNamesOfFetchRequests()
        let registry = try keys.registry(session)
        if let values { try Store.validate(model, transformers: registry, distinctValues: values) }
        do {
            let address = try file.address
            try distribution.check(for: address)
            try address.create(
                model,
                registry,
                isDistributed: distribution.distribute,
                watch: session.temporaryFiles
            )
        } catch let error as StoreError where error.code == .unresolvedTransformer {
            // There is no file yet that the model could differ from.
            throw CommandError(.usage, ErrorLine.sentence(for: error))
        }
        let entities = model.entities.map(\.name).joined(separator: ", ")
        try session.print("created “\(file.store)” with \(entities.isEmpty ? "no entities" : entities)")
    }
}
