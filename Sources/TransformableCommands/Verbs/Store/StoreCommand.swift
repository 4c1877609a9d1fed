internal import ArgumentParser

/// `store`: groups the commands for stores.
struct StoreCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "store",
            abstract: "Create, change, and read stores.",
            discussion: Help.lines(
                "A store is an SQLite file with typed attributes. An attribute can name a transformer that encodes its values.",
                examples: [
                    "store create clinic.sqlite --model clinic.json",
                    "store insert clinic.sqlite Patient name=Ada portrait=@ada.png",
                    "store show clinic.sqlite Patient --where 'name == \"Ada\"'",
                    "store get clinic.sqlite Patient 1 portrait --out ada.png",
                    "store reseal clinic.sqlite --key-file clinic.keys",
                ]
            ),
            subcommands: [
                StoreCreateCommand.self,
                StoreInsertCommand.self,
                StoreImportCommand.self,
                StoreSetCommand.self,
                StoreUpdateCommand.self,
                StoreDeleteCommand.self,
                StoreShowCommand.self,
                StoreGetCommand.self,
                StoreSchemaCommand.self,
                StoreMigrateCommand.self,
                StoreResealCommand.self,
                StoreVerifyCommand.self,
                StoreCopyCommand.self,
                StoreExportCommand.self,
                StoreDiscardCommand.self,
                StoreSweepCommand.self,
                StoreSealCommand.self,
            ]
        )
    }
}
