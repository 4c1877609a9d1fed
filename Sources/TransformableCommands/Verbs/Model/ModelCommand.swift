internal import ArgumentParser

/// `model`: groups the commands for models.
struct ModelCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "model",
            abstract: "Show, convert, and compare models, and generate code from them.",
            discussion: Help.lines(
                """
                A model lists the entities of a store. It can be a JSON file, the model in a store, or a model of \
                Core Data: an .xcdatamodeld, .xcdatamodel, .momd, or .mom, or a Core Data or SwiftData store, \
                which contains a copy of its model.
                """,
                examples: [
                    "model show Clinic.xcdatamodeld",
                    "model convert Clinic.xcdatamodeld --out clinic.json",
                    "model diff Clinic.xcdatamodeld Clinic.sqlite",
                    "model generate Clinic.xcdatamodeld --out Sources/App/Model",
                ]
            ),
            subcommands: [
                ModelShowCommand.self,
                ModelConvertCommand.self,
                ModelDiffCommand.self,
                ModelGenerateCommand.self,
            ]
        )
    }
}
