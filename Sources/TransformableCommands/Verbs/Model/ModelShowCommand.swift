internal import ArgumentParser
internal import TransformableCoreData

/// `model show`: lists the entities of a model.
struct ModelShowCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Show the entities of a model and their properties.",
            discussion: Help.lines(
                """
                Shows the model before any conversion. Parts that were not recognized are reported on standard \
                error.
                """,
                examples: [
                    "model show Clinic.xcdatamodeld --model-version 'Clinic 3'",
                    "model show Clinic.sqlite --json",
                ]
            )
        )
    }

    @Argument(help: "The model.", completion: .file())
    var model: String

    @OptionGroup var version: ModelVersionOption
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        let source = try ModelSource.reading(model, version: version.modelVersion)
        if listing.json {
            try session.print(json: ModelReport(source))
        } else {
            for note in source.notes { session.tell("note: \(note)") }
            try session.print(source.outline.text)
        }
    }
}

/// The version of a model that has several.
struct ModelVersionOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The version of the model, if it is not the current one.", valueName: "name")
    )
    var modelVersion: String?
}
