internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// `store create`: a new store of a model.
struct StoreCreateCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "create",
            abstract: "Make a store of a model.",
            discussion: Help.lines(
                """
                The model is JSON: entities with attributes, each with a type or a transformer. The file must \
                not be there yet. “help models” shows the format.
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
            "How many different values attributes will have: blind indexes that together identify them are refused.",
            valueName: "number"
        )
    )
    var values: Int?

    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if let values, values < 0 { throw ValidationError("--values is a number from 0") }
    }

    func run() throws {
        let session = Session.current
        let source: InputSource = model == "-" ? .standardInput : .file(model)
        let model = try Model(json: source.read(session.io))
        let registry = try keys.registry(session)
        if let values { try Store.check(model, registry, distinctValues: values) }
        try session.temporaryFiles.whileMaking(file.store, suffixes: ["", "-wal", "-shm", "-journal"]) {
            do {
                try Store(at: file.url, model: model, transformers: registry, options: .create).close()
            } catch let error as StoreError where error.code == .unresolvedTransformer {
                // There is no file yet that could disagree: the model asks for what is not there.
                throw CommandError(.usage, ErrorLine.sentence(for: error))
            }
        }
        let entities = model.entities.map(\.name).joined(separator: ", ")
        try session.print("made “\(file.store)” with \(entities.isEmpty ? "no entities" : entities)")
    }
}
