internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store migrate`: migrates a store to a newer model, after printing the outcome for each column.
struct StoreMigrateCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: "Migrate a store to a newer version of its model, and show what happens to each column.",
            discussion: Help.lines(
                """
                The version of the new model must be higher than the version of the model in the store, unless \
                only transformers, rules, defaults, or fetch requests differ. The plan is printed first: it shows \
                what is kept, renamed, added, re-encoded, recomputed, set aside, or dropped, and what is refused \
                and why. Rules, defaults, and fetch requests are not in the plan, but are recorded, too. If \
                anything is refused, nothing is changed and the exit status is 78. With --dry-run, nothing is \
                changed in any case. Values that are set aside stay in the store until you remove them with \
                “store discard”. If values are sealed that were not sealed before, their old bytes remain in unused \
                parts of a file until you run “store reseal --scrub”. Keys are required for values that are \
                re-encoded, for sealed defaults of new attributes, for blind indexes, for row tags, and for a sealed \
                store.
                """,
                examples: [
                    "store schema clinic.sqlite --json > clinic-2.json",
                    "store migrate clinic.sqlite --model clinic-2.json --dry-run",
                    .withKeys("store migrate clinic.sqlite --model clinic-2.json --key-file clinic.keys"),
                ]
            )
        )
    }

    @OptionGroup var file: StorePath

    @Option(
        help: ArgumentHelp("The new model's file; “-” is standard input.", valueName: "file"),
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

    @Flag(help: "Print the plan without changing anything.")
    var dryRun = false

    @Flag(help: ModelTrust.acceptanceHelp)
    var acceptModel = false

    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        if let values, values < 0 { throw ValidationError("--values must not be negative") }
    }

    func run() throws {
        let session = Session.current
        let address = try file.address
        try address.requireReadable()
        try session.requireOutput(apartFrom: address.files)
        let source: InputSource = model == "-" ? .standardInput : .file(model)
        let model = try source.readModel(session.io)
        try model.requireNamesOfFetchRequests()
        let registry = try keys.registry(session)
        if let values { try Store.validate(model, transformers: registry, distinctValues: values) }
        var options = Store.Options(opening: .mustExist, unresolved: .keepBytes, changedTransformers: .reencode)
        options.acceptsUnauthenticatedModel = acceptModel
        let plan = try address.plan(model, registry, options)
        try listing.json ? session.print(json: PlanReport(plan)) : session.print(plan.description)
        if let refusal = plan.refusals.first {
            let count = plan.refusals.count
            let more = count > 1 ? "; \((count - 1).counted("more change")) \(count == 2 ? "is" : "are") refused" : ""
            throw CommandError(.modelRefused, "nothing was changed: \(refusal)\(more)")
        }
        guard !dryRun else { return }
        guard !plan.changesNothing else { return try record(model, address, registry, options) }
        try address.open(model: model, registry, options).close()
        let (old, new) = (plan.oldVersion, plan.newVersion)
        let versions = old == new ? "within version \(new)" : "from version \(old) to \(new)"
        session.tell("migrated “\(file.store)” \(versions)")
    }

    /// Records what no table depends on, such as fetch requests and defaults, unless the store already has it.
    private func record(
        _ model: Model,
        _ address: StoreAddress,
        _ registry: TransformerRegistry,
        _ options: Store.Options
    ) throws {
        var reading = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        reading.acceptsUnauthenticatedModel = acceptModel
        reading.isBrief = true
        let known = try address.open(registry, reading)
        let isRecorded = Result { try known.model.json == model.statingStages(by: registry).json }
        try known.close()
        guard try !isRecorded.get() else { return }
        let store = try address.open(model: model, registry, options)
        defer { try? store.close() }
        // Without its key, a sealed store keeps the model that it has.
        guard try store.isAuthenticated || store.sealKey() == nil else { throw StoreError.sealedAgainstChanges }
    }
}

/// The JSON form of a plan.
private struct PlanReport: Encodable {
    struct Change: Encodable {
        let subject: String
        let entity: String?
        let name: String?
        let outcome: String
        var from: String?
        var to: String?
        var reason: String?
        let notes: [String]

        init(_ change: MigrationPlan.Change) {
            subject = change.subject.rawValue
            entity = change.subject == .model ? nil : change.entity
            name = change.name
            notes = change.notes
            switch change.outcome {
            case .kept: outcome = "kept"
            case .renamed(let name): (outcome, from) = ("renamed", name)
            case .added: outcome = "added"
            case .reencoded(let old, let new): (outcome, from, to) = ("reencoded", old, new)
            case .recomputed: outcome = "recomputed"
            case .setAside: outcome = "kept-aside"
            case .dropped: outcome = "dropped"
            case .refused(let why): (outcome, reason) = ("refused", why)
            }
        }
    }

    let oldVersion: Int
    let newVersion: Int
    let isRefused: Bool
    let changes: [Change]

    init(_ plan: MigrationPlan) {
        oldVersion = plan.oldVersion
        newVersion = plan.newVersion
        isRefused = !plan.refusals.isEmpty
        changes = plan.changes.map(Change.init)
    }
}
