internal import ArgumentParser
internal import Transformable
internal import TransformableCoreData
internal import TransformableModel

/// `model diff`: compares two models.
struct ModelDiffCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "diff",
            abstract: "List the differences between two models of any kind.",
            discussion: Help.lines(
                """
                Exits with status 1 if there are differences. Facts that compiled models lack, such as the names \
                of classes, are compared only if neither model is compiled. If only one of the models is a Core \
                Data model, it is converted first.
                """,
                examples: [
                    "model diff 'Clinic.xcdatamodeld/Clinic 2.xcdatamodel' Clinic.xcdatamodeld",
                    "model diff Clinic.xcdatamodeld Clinic.sqlite",
                    "model diff clinic.json Clinic.xcdatamodeld --json",
                ]
            )
        )
    }

    @Argument(help: "The older model.", completion: .file())
    var old: String

    @Argument(help: "The newer model.", completion: .file())
    var new: String

    @Option(
        help: ArgumentHelp("The JSON file that maps a converted model's transformers and types.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var map: String?

    @OptionGroup var version: ModelVersionOption
    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        let map = try ModelMap.reading(map)
        // The version is that of the newer model. An older version is a folder of its own.
        let newer = try reading(new, version: version.modelVersion)
        let older = try reading(old)
        let differences = try newer.differences(from: older, map: map)
        for note in [older, newer].compactMap(\.trustNote) { session.tell("note: \(note)") }
        if listing.json {
            try session.print(json: DifferenceReport(differences))
        } else if !differences.isEmpty {
            try session.print(differences.map(\.description.onOneLine).joined(separator: "\n"))
        }
        guard differences.isEmpty else {
            throw CommandError(.faultsFound, "the models have \(differences.count.counted("difference"))")
        }
    }

    /// Reads one of the two models, which errors name.
    private func reading(_ path: String, version: String? = nil) throws -> ModelSource {
        do {
            return try ModelSource.reading(path, version: version)
        } catch var error as StoreError where !error.message.contains(path) {
            error.message = "“\(path)”: \(error.message)"
            throw error
        }
    }
}
