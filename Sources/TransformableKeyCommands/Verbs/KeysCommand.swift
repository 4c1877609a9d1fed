internal import ArgumentParser
internal import TransformableCommands

/// `keys`: groups the commands for key files.
struct KeysCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "Create and change key files.",
            discussion: Help.lines(
                """
                A key file contains named keys. It must be readable only by its owner; a file that others \
                can read is refused. Several programs can change a key file at the same time.
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
