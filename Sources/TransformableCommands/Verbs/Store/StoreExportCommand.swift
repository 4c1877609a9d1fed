internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// `store export`: writes a store as JSON Lines and plain files.
struct StoreExportCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Export a store as JSON Lines and plain files.",
            discussion: Help.lines(
                """
                The export contains a file for each entity, with one object per line. Values without a text \
                form, and the bytes of values that cannot be read, are written to separate files. Sealed \
                values are exported unencrypted if their key is given. The folder is readable only by its \
                owner, and is written atomically. Values that cannot be read are listed in “failures.jsonl”; \
                the exit status is then 1, or 77 if only keys are missing and --undecodable is not given. \
                Read an export back with “store import --folder”.
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
        help: ArgumentHelp("The folder to create, which must not exist yet.", valueName: "folder"),
        completion: .directory
    )
    var folder: String

    @Flag(help: "Export only the bytes of values that cannot be read.")
    var undecodable = false

    @OptionGroup var keys: Keys

    func validate() throws {
        if folder.isEmpty { throw ValidationError("--out requires the name of a folder") }
    }

    func run() throws {
        let session = Session.current
        try file.requireOutside(folder)
        let (store, _) = try file.openForReading(keys, session)
        defer { try? store.close() }
        let contents: ExportContents = undecodable ? .undecodable : .everything
        let watch = session.temporaryFiles
        let report = try store.export(to: URL(filePath: folder), contents: contents, watch: watch)
        let files = report.fileCount.counted("file")
        let what = undecodable ? files : "\(report.objectCount.counted("object")) and \(files)"
        try session.print("exported \(what) to “\(folder)”")
        let count = report.undecodableCount
        guard count > 0 else { return }
        guard undecodable || report.unopenedCount < count else {
            throw CommandError(
                .keyMissing,
                "\(count.counted("sealed value")) could not be opened; specify the key file that they were sealed with"
            )
        }
        throw CommandError(.faultsFound, "\(count.counted("value")) could not be read; see “\(report.failuresFile)”")
    }
}
