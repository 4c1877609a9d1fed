internal import ArgumentParser

/// `keys`: a table of the verbs for key files.
struct KeysCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "Make and change key files.",
            discussion: Help.lines(
                """
                A key file holds named keys. Only its owner may read it; a file that others can read is refused. Any \
                number of programs may change a key file at the same time.
                """,
                examples: [
                    "keys new clinic.keys --name clinic",
                    "keys rotate clinic.keys",
                    "keys list clinic.keys --store clinic.sqlite",
                    "keys retire clinic.keys 54b1c80e7d3f2a96 --store clinic.sqlite",
                ]
            ),
            subcommands: [
                KeysNewCommand.self, KeysListCommand.self, KeysAddCommand.self, KeysImportCommand.self,
                KeysPublicCommand.self, KeysPassphraseCommand.self, KeysRotateCommand.self, KeysRetireCommand.self,
            ]
        )
    }
}
