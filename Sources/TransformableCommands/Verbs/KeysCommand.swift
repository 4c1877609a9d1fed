internal import ArgumentParser

/// `keys`: a table of the verbs for key files.
struct KeysCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "Make key files.",
            discussion: Help.lines(
                "A key file holds named keys. Only its owner may read it; one that others can read is refused.",
                examples: ["keys new clinic.keys --name clinic"]
            ),
            subcommands: [KeysNewCommand.self]
        )
    }
}
