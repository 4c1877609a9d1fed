internal import ArgumentParser
internal import Foundation
internal import TransformableCoreData

/// `model swift-importer`: prints Swift code that loads an export into Core Data.
struct ModelSwiftImporterCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "swift-importer",
            abstract: "Print Swift code that loads an exported store into Core Data.",
            discussion: Help.lines(
                """
                The code is for an app on an Apple platform whose Core Data model has the same entities. It reads \
                the folder that “store export” writes, and inserts the objects into an NSManagedObjectContext with \
                public API. It has not been run with Core Data yet: try it with a new store first.
                """,
                examples: [
                    "model swift-importer clinic.json > ClinicImporter.swift",
                    "model swift-importer Clinic.xcdatamodeld --out ClinicImporter.swift",
                ]
            )
        )
    }

    @OptionGroup var source: ModelSourceArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = Session.current
        let document = try source.document()
        let code = ImporterCode(for: document.model, named: document.name)
        for note in document.notes { session.tell("note: \(note)") }
        try session.write(Content(bytes: Data(code.text.utf8), isLine: false), to: output)
    }
}
