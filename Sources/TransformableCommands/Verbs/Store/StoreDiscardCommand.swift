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
                that must go back. This names them and, with --yes, removes them.
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

    func validate() throws {
        if yes, dryRun { throw ValidationError("--yes and --dry-run cannot be given together") }
    }

    func run() throws {
        let session = Session.current
        guard yes else {
            let store = try Store(openingToRead: file.store, session.keylessRegistry)
            defer { try? store.close() }
            return try tell(store.keptAside(), as: "", session)
        }
        let names = try file.change(session.keylessRegistry) { store in
            let names = try store.keptAside()
            try store.discardKeptAside()
            return names
        }
        try tell(names, as: "removed ", session)
    }

    private func tell(_ names: [String], as prefix: String, _ session: Session) throws {
        guard !names.isEmpty else { return try session.print("nothing is kept aside") }
        try session.print(names.map { prefix + $0 }.joined(separator: "\n"))
    }
}
