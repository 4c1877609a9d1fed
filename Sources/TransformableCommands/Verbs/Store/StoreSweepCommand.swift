internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store sweep`: removes external files that no object refers to.
struct StoreSweepCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sweep",
            abstract: "Remove external blobs that no object refers to, and print how many were removed.",
            discussion: Help.lines(
                """
                Such files are left behind by crashes, and by changes made while others were reading. A \
                store removes them by itself when it can; this command checks every file now. It needs a \
                key only if rows of the store are authenticated, and exits with status 75 if the store is in \
                use.
                """,
                examples: ["store sweep clinic.sqlite --dry-run", "store sweep clinic.sqlite"]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Flag(help: "Count the files without removing them.")
    var dryRun = false

    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        guard !dryRun else {
            let (store, _) = try file.openForReading(keys, session)
            defer { try? store.close() }
            return try session.print("would remove \(store.countOrphanedBlobs().counted("file"))")
        }
        let count = try file.change(keys, session) { try $0.removeOrphanedBlobs() }
        guard let count else {
            throw CommandError(.busy, "“\(file.store)” is in use; try again when no other program reads or writes it")
        }
        try session.print("removed \(count.counted("file"))")
    }
}
