internal import ArgumentParser

/// The program itself: a table of its verbs.
struct RootCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Session.current.programName,
            abstract: "Named transformers between values and the bytes that are stored.",
            discussion: Help.lines(
                """
                An expression names transformers, joined by “|”: rect, 'jpeg(quality: 85)', 'text | sealed'.
                """,
                examples: [
                    "list",
                    "encode rect '{{1, 2}, {3, 4}}'",
                    "inspect photo.jpg",
                ]
            ),
            subcommands: [
                ListCommand.self,
                ExplainCommand.self,
                EncodeCommand.self,
                DecodeCommand.self,
                RoundtripCommand.self,
                InspectCommand.self,
                KeysCommand.self,
                StoreCommand.self,
            ]
        )
    }
}
