internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store sweep`: files beside a store that nothing needs any more.
struct StoreSweepCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sweep",
            abstract: "Remove files of blobs that no object names, and say how many these are.",
            discussion: Help.lines(
                """
                Such files are left by a crash, and by changes that were made while others were reading. A store removes \
                them by itself when it next can; this looks at every file, now. It needs no key, and ends with status 75 \
                if others read or write at the moment.
                """,
                examples: ["store sweep clinic.sqlite --dry-run", "store sweep clinic.sqlite"]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Flag(help: "Count the files, and remove none.")
    var dryRun = false

    func run() throws {
        let session = Session.current
        guard !dryRun else {
            let store = try file.openForReading(session.keylessRegistry, session)
            defer { try? store.close() }
            return try session.print("would remove \(store.countOrphanedBlobs().counted("file"))")
        }
        let count = try file.change(session.keylessRegistry) { try $0.removeOrphanedBlobs() }
        guard let count else {
            throw CommandError(.busy, "somebody reads or writes “\(file.store)” now; try again when they are done")
        }
        try session.print("removed \(count.counted("file"))")
    }
}
