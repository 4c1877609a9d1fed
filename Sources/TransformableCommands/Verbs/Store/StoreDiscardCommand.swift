internal import ArgumentParser
internal import TransformableStore

/// `store discard`: what migrations have dropped, removed for good.
struct StoreDiscardCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "discard",
            abstract: "Remove for good what migrations have dropped and the file still has.",
            discussion: Help.lines(
                """
                A migration keeps the values of attributes and entities that a newer model lacks, for the program \
                that must go back. This names them and, with --yes, removes them, which needs the key of a sealed store.
                """,
                examples: ["store discard clinic.sqlite", "store discard clinic.sqlite --yes"]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Flag(help: "Remove it; without this it is only named.")
    var yes = false

    @Flag(help: "Only name it, as without --yes.")
    var dryRun = false

    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if yes, dryRun { throw ValidationError("--yes and --dry-run cannot be given together") }
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

    /// What a re-encoding has left is its own to remove.
    private func tellOfUnfinished(_ unfinished: [UnfinishedReencoding], _ session: Session) {
        for reencoding in unfinished { session.tell("note: \(reencoding.description.onOneLine)") }
    }

    private func tell(_ names: [String], as prefix: String, _ session: Session) throws {
        guard !names.isEmpty else { return try session.print("nothing is kept aside") }
        try session.print(names.map { prefix + $0 }.joined(separator: "\n"))
    }
}
