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

                Exit status: 0 done; 1 checked and found faults; 64 usage, unknown name; 65 bad data; 66 no such \
                file, entity or object; 70 a fault of the program; 73 cannot create; 74 input or output failed; 75 \
                busy; 77 key missing, refused or wrong; 78 store and model or transformer disagree; 130 interrupted.

                “help conditions” shows how --where is written, and “help models” how a store's model is.
                """,
                examples: [
                    "list",
                    "encode rect '{{1, 2}, {3, 4}}'",
                    "inspect photo.jpg",
                ]
            ),
            version: TransformableCommand.version,
            subcommands: [
                ListCommand.self,
                ExplainCommand.self,
                EncodeCommand.self,
                DecodeCommand.self,
                RoundtripCommand.self,
                InspectCommand.self,
                KeysCommand.self,
                StoreCommand.self,
                ManualCommand.self,
            ]
        )
    }
}
