internal import ArgumentParser

/// `model`: groups the commands for models.
struct ModelCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "model",
            abstract: "Generate code from models.",
            discussion: Help.lines(
                "A model lists the entities of a store. It is a JSON file, or comes from Core Data.",
                examples: [
                    "model generate Clinic.xcdatamodeld --out Sources/App/Model",
                    "model swift-importer clinic.json --out ClinicImporter.swift",
                ]
            ),
            subcommands: [ModelGenerateCommand.self, ModelSwiftImporterCommand.self]
        )
    }
}
