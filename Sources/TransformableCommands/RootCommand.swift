internal import ArgumentParser

/// The root command.
struct RootCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Session.current.programName,
            abstract: "Convert values to stored bytes and back with named transformers.",
            discussion: Help.lines(
                """
                An expression is a sequence of transformers separated by “|”: rect, 'jpeg(quality: 85)', \
                'text | sealed'.

                Exit status: 0 success; 1 a check found problems; 64 usage error or unknown name; 65 invalid \
                data; 66 file, entity, or object not found; 70 internal error; 73 cannot create the output; \
                74 input or output error; 75 busy; 77 key missing, refused, or wrong; 78 store and model or \
                transformer do not match, or the store is not authenticated; 129, 130, 143 interrupted; 141 the \
                reader of the output has closed it.

                “help conditions” explains how to write --where, and “help models” how to write a store's \
                model.
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
                ExplainCommand<Keys>.self,
                EncodeCommand<Keys>.self,
                DecodeCommand<Keys>.self,
                RoundtripCommand<Keys>.self,
                InspectCommand.self,
            ] + Keys.commands + [ModelCommand.self, StoreCommand<Keys>.self, ManualCommand.self]
        )
    }
}
