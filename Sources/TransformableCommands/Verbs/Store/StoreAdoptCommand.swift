internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableCoreData
internal import TransformableStore

/// `store adopt`: creates a store with the objects of a Core Data or SwiftData store.
struct StoreAdoptCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "adopt",
            abstract: "Create a store with the objects of a Core Data or SwiftData store.",
            discussion: Help.lines(
                """
                Objects keep their numbers, relationships, and order. The stored bytes of transformable \
                attributes are copied unchanged; values in external files are copied, too. The Core Data store is \
                not changed, and its write-ahead log is read, too: keep it next to the store.

                The model comes from the store itself. Stores of iOS 8 and earlier do not contain it: give \
                the app's model with --model. To adapt the new store's model, write it with “model convert”, \
                edit it, and give it with --as.

                Whatever does not follow the model is reported. Values that have the wrong type, or break a \
                rule of their attribute, are kept as they are stored. References to objects that do not exist \
                are left out. A required property becomes optional if an object has no value for it, and an \
                attribute is no longer unique if a value occurs several times. The new store appears as a \
                whole or not at all.

                If the program supports PostgreSQL, the new store can be in a database. It is then created in a \
                temporary file first, in the folder that the environment variable TMPDIR names. A database holds no \
                values of the wrong type: if there are any, adopt the store into a file.
                """,
                examples: [
                    "store adopt Journal.sqlite --out journal.sqlite",
                    "store adopt Journal.sqlite --dry-run",
                    "store adopt Journal.sqlite --out postgres:service=journal --schema journal",
                    "store adopt Old.sqlite --model App.xcdatamodeld --model-version 'App 3' --out app.sqlite --verify",
                ]
            )
        )
    }

    @Argument(help: "The Core Data or SwiftData store.", completion: .file())
    var source: String

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(
            "The new store's file, which must not exist yet, or the address of a database.",
            valueName: "file"
        ),
        completion: .file()
    )
    var target: String?

    @Option(help: StoreAddress.schemaHelp)
    var schema: String?

    @OptionGroup var model: AdoptedModelOptions

    @Option(
        name: .customLong("only"),
        help: ArgumentHelp(
            "Adopt only this entity and those that inherit from it. Can be given several times.",
            valueName: "entity"
        )
    )
    var entities: [String] = []

    @Option(
        help: "What to do about references to objects that do not exist: keep-null (leave them out) or fail.",
        transform: { text in
            guard let choice = CoreDataStore.AdoptionOptions.Dangling(rawValue: text) else {
                throw ValidationError("“\(text)” is neither keep-null nor fail")
            }
            return choice
        }
    )
    var dangling = CoreDataStore.AdoptionOptions.Dangling.keepNull

    @Flag(help: "Accept a store whose tables or version hashes do not match the model, and list what does not.")
    var force = false

    @Flag(help: "Decode every value of the new store, and report those that cannot be decoded.")
    var verify = false

    @Flag(help: "Read everything and report, without creating a store.")
    var dryRun = false

    @Flag(help: "Report as JSON.")
    var json = false

    @OptionGroup var keys: Keys

    func validate() throws {
        if source.isEmpty { throw ValidationError("the name of the store is empty") }
        if target?.isEmpty == true { throw ValidationError("--out requires the name of a file") }
        if target == nil, !dryRun { throw ValidationError("give the new store's file with --out, or use --dry-run") }
        if target == nil, schema != nil { throw ValidationError("--schema requires the address of a database") }
        if dryRun, verify { throw ValidationError("--verify requires a new store, so not --dry-run") }
    }

    func run() throws {
        let session = Session.current
        let registry = try keys.registry(session)
        let options = CoreDataStore.Options(acceptsDifferences: force)
        let address = try target.map { text throws(CommandError) in try StoreAddress(text, schema: schema) }
        let store = try model.open(URL(filePath: source), options)
        let (target, notes) = try model.model(for: store, session)
        let report = try adopt(store, as: target, into: address, registry, session)
        let output = AdoptionOutput(report, notes: store.notes + notes, of: store)
        try json
            ? session.print(json: output)
            : session.print(output.text(isRehearsal: dryRun, target: address.map { "\($0)" }))
        guard let found = report.verification, !found.isSound else { return }
        for fault in found.faults { session.tell("\(fault)") }
        throw CommandError(.faultsFound, "the new store has \(found.faultCount.counted("fault"))")
    }

    private func adopt(
        _ store: CoreDataStore,
        as model: Model,
        into address: StoreAddress?,
        _ registry: TransformerRegistry,
        _ session: Session
    ) throws -> AdoptionReport {
        guard !dryRun, case .server(let servers, let address, let schema)? = address else {
            return try adopt(store, as: model, into: target ?? source, registry, session)
        }
        return try ServerCopy(session: session, isDistributed: false)
            .create(in: servers, address, schema, registry) { path in
                try adopt(store, as: model, into: path, registry, session)
            }
    }

    private func adopt(
        _ store: CoreDataStore,
        as model: Model,
        into path: String,
        _ registry: TransformerRegistry,
        _ session: Session
    ) throws -> AdoptionReport {
        var progress = Progress(session, besideResult: true)
        defer { progress.end() }
        return try store.adopt(
            as: model,
            into: URL(filePath: path),
            transformers: registry,
            options: CoreDataStore.AdoptionOptions(
                dangling: dangling,
                entities: entities,
                rehearsing: dryRun,
                verifying: verify
            ),
            watch: session.temporaryFiles,
            progress: { progress.show($0) }
        )
    }
}
