internal import ArgumentParser
internal import Transformable

/// `inspect`: what bytes are, without any key.
struct InspectCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "inspect",
            abstract: "Say what a file holds; needs no key.",
            discussion: Help.lines(
                "Recognises images, archives, sealed values, stores, and whatever else the plugins know.",
                examples: ["inspect photo.jpg", "inspect ssn.bin", "inspect clinic.sqlite --json"]
            )
        )
    }

    @Argument(help: "The file; “-” is standard input.", completion: .file())
    var file: String

    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        let source: InputSource = file == "-" ? .standardInput : .file(file)
        let report = try InspectionReport(of: source.read(session.io), by: session.keylessRegistry.inspectors)
        if listing.json {
            try session.print(json: report)
        } else {
            try session.print(report.text)
        }
    }
}
