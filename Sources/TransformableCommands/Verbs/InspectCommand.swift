internal import ArgumentParser
internal import Transformable

/// `inspect`: identifies bytes, without any key.
struct InspectCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "inspect",
            abstract: "Identify the contents of a file. No key is needed.",
            discussion: Help.lines(
                """
                Recognizes images, archives, sealed values, key files, stores, Core Data stores and models, and \
                other formats of the plugins.
                """,
                examples: ["inspect photo.jpg", "inspect ssn.bin", "inspect clinic.sqlite --json"]
            )
        )
    }

    @Argument(help: "The file; “-” is standard input.", completion: .file())
    var file: String

    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        try session.requireOutput(apartFrom: [file])
        let report = try report(session)
        if listing.json {
            try session.print(json: report)
        } else {
            try session.print(report.text)
        }
    }

    private func report(_ session: Session) throws -> InspectionReport {
        let registry = try session.keylessRegistry
        guard file != "-" else {
            return try InspectionReport(of: .standardInput, session.io, by: registry.inspectors)
        }
        if let report = try CoreDataModelFile.inspect(file) { return report }
        return try SQLiteFile.inspect(file, registry)
            ?? InspectionReport(of: .file(file), session.io, by: registry.inspectors)
    }
}
