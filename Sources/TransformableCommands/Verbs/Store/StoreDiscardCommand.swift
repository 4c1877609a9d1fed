internal import ArgumentParser
internal import TransformableStore

/// `store discard`: permanently removes what migrations have dropped.
struct StoreDiscardCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "discard",
            abstract: "Permanently remove values that migrations have dropped.",
            discussion: Help.lines(
                """
                When a newer model lacks an attribute or an entity, the migration keeps the values in the \
                file, in case you need to go back. This command lists them and, with --yes, removes them. \
                Removing them from a sealed store requires its key.
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
            let store = try file.openForReading(session.keylessRegistry, session)
            defer { try? store.close() }
            try tell(store.keptAside(), as: "", session)
            return tellOfUnfinished(try store.unfinishedReencodings(), session)
        }
        let (names, unfinished) = try file.change(keys, session) { store in
            let names = try store.keptAside()
            try store.discardKeptAside()
            return (names, try store.unfinishedReencodings())
        }
        try tell(names, as: "removed ", session)
        tellOfUnfinished(unfinished, session)
    }

    /// Prints the unfinished re-encodings, which remove their own leftovers.
    private func tellOfUnfinished(_ unfinished: [UnfinishedReencoding], _ session: Session) {
        for reencoding in unfinished { session.tell("note: \(reencoding.description.onOneLine)") }
    }

    private func tell(_ names: [String], as prefix: String, _ session: Session) throws {
        guard !names.isEmpty else { return try session.print("there is nothing to remove") }
        try session.print(names.map { prefix + $0 }.joined(separator: "\n"))
    }
}
