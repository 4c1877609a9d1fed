internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store export`: a store as JSON and plain files.
struct StoreExportCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Write a store out as JSON lines and plain files.",
            discussion: Help.lines(
                """
                For each entity a file with an object on a line; what has no text, and the bytes of values that \
                cannot be read, lie in files of their own. Sealed values come out in the clear if their key is \
                given. The folder is private, and appears whole or not at all. What could not be read is listed in \
                “failures.jsonl”, and the status is 1, or 77 if only the right keys are missing. \
                “store import --folder” reads an export back.
                """,
                examples: [
                    "store export clinic.sqlite --out clinic",
                    "store export clinic.sqlite --out rescued --undecodable",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp("The folder, which must not be there yet.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Flag(help: "Only the bytes of values that cannot be read.")
    var undecodable = false

    @OptionGroup var keys: KeyOptions

    func run() throws {
        let session = Session.current
        let (store, _) = try file.openForReading(keys, session)
        defer { try? store.close() }
        let contents: ExportContents = undecodable ? .undecodable : .everything
        let watch = session.temporaryFiles
        let report = try store.export(to: URL(filePath: folder), contents: contents, watch: watch)
        let (objects, files) = (report.objectCount.counted("object"), report.fileCount.counted("file"))
        try session.print("exported \(objects) and \(files) to “\(folder)”")
        let count = report.undecodableCount
        guard count > 0 else { return }
        guard undecodable || report.unopenedCount < count else {
            throw CommandError(
                .keyMissing,
                "\(count.counted("sealed value")) did not open: give the key file that sealed them"
            )
        }
        throw CommandError(.faultsFound, "\(count.counted("value")) could not be read; see “failures.jsonl”")
    }
}
