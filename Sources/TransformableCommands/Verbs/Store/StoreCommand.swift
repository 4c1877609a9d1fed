internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store`: groups the commands for stores.
struct StoreCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "store",
            abstract: "Create, change, and read stores.",
            discussion: Help.lines(
                """
                A store is an SQLite file with typed attributes. An attribute can name a transformer that encodes its \
                values. If the program supports PostgreSQL, a store can also be in a schema of a database. Give its \
                address in place of the file, such as “postgres:service=clinic”, without a password, and the schema \
                with --schema. The connection may go through PgBouncer, in its session or transaction mode.
                """,
                examples: [
                    "store create clinic.sqlite --model clinic.json",
                    "store insert clinic.sqlite Patient name=Ada portrait=@ada.png",
                    "store show clinic.sqlite Patient --where 'name == \"Ada\"'",
                    "store get clinic.sqlite Patient 1 portrait --out ada.png",
                    .withKeys("store reseal clinic.sqlite --key-file clinic.keys"),
                ]
            ),
            subcommands: [
                StoreCreateCommand<Keys>.self,
                StoreInsertCommand<Keys>.self,
                StoreImportCommand<Keys>.self,
                StoreAdoptCommand<Keys>.self,
                StoreSetCommand<Keys>.self,
                StoreUpdateCommand<Keys>.self,
                StoreDeleteCommand<Keys>.self,
                StoreShowCommand<Keys>.self,
                StoreFetchCommand<Keys>.self,
                StoreGetCommand<Keys>.self,
                StoreSchemaCommand.self,
                StoreMigrateCommand<Keys>.self,
                StoreResealCommand<Keys>.self,
                StoreVerifyCommand<Keys>.self,
                StoreCopyCommand.self,
                StoreExportCommand<Keys>.self,
                StoreDiscardCommand<Keys>.self,
                StoreSweepCommand<Keys>.self,
                StoreSealCommand<Keys>.self,
            ]
        )
    }
}

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
                key only if rows of the store are authenticated, and exits with status 75 if nothing can be \
                removed because the store is in use. Run it again once these reads and writes have ended. It \
                does not matter whether others have begun.
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
            let remedy = "try again once the current reads and writes have ended, even if others have begun"
            throw CommandError(.busy, "“\(file.store)” is in use; \(remedy)")
        }
        try session.print("removed \(count.counted("file"))")
    }
}

/// `store discard`: permanently removes what migrations have dropped.
struct StoreDiscardCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "discard",
            abstract: "Permanently remove values that migrations have dropped.",
            discussion: Help.lines(
                """
                When a newer model lacks an attribute or an entity, the migration keeps the values in the \
                file, in columns and tables whose names begin with “_dropped”. No command and no later model \
                brings them back: copy or export a store before you migrate it. This command lists the names \
                and, with --yes, removes the values. Removing them from a sealed store requires its key.
                """,
                examples: [
                    "store discard clinic.sqlite",
                    .withKeys("store discard clinic.sqlite --yes --key-file clinic.keys"),
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Flag(help: "Remove the values. Without this option, they are only listed.")
    var yes = false

    @Flag(help: "Only list the values, as without --yes.")
    var dryRun = false

    @OptionGroup var keys: Keys

    func validate() throws {
        if yes, dryRun { throw ValidationError("--yes and --dry-run cannot be combined") }
    }

    func run() throws {
        let session = Session.current
        guard yes else {
            let (store, _) = try file.openForReading(keys, session)
            defer { try? store.close() }
            try tell(store.namesSetAside(), as: "", session)
            return tellOfUnfinished(try store.unfinishedReencodings(), session)
        }
        let (names, unfinished) = try file.change(keys, session) { store in
            let names = try store.namesSetAside()
            try store.discardSetAside()
            return (names, try store.unfinishedReencodings())
        }
        try tell(names, as: "removed ", session)
        tellOfUnfinished(unfinished, session)
    }

    /// Prints the unfinished re-encodings, which remove their own leftovers.
    private func tellOfUnfinished(_ unfinished: [UnfinishedReencoding], _ session: Session) {
        for reencoding in unfinished { session.tell("note: \(reencoding)") }
    }

    private func tell(_ names: [String], as prefix: String, _ session: Session) throws {
        guard !names.isEmpty else { return try session.print("there is nothing to remove") }
        try session.print(names.map { (prefix + $0).onOneLine }.joined(separator: "\n"))
    }
}
