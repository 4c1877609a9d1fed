internal import ArgumentParser

/// `store`: groups the commands for stores.
struct StoreCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "store",
            abstract: "Create, change, and read stores.",
            discussion: Help.lines(
                """
                A store is an SQLite file with typed attributes. An attribute can name a transformer that encodes its \
                values. If the program supports PostgreSQL, a store can also be in a schema of a database. Give its \
                address in place of the file, such as “postgres:service=clinic”, without a password, and the schema \
                with --schema.
                """,
                examples: [
                    "store create clinic.sqlite --model clinic.json",
                    "store insert clinic.sqlite Patient name=Ada portrait=@ada.png",
                    "store show clinic.sqlite Patient --where 'name == \"Ada\"'",
                    "store get clinic.sqlite Patient 1 portrait --out ada.png",
                    .withKeys("store reseal clinic.sqlite --key-file clinic.keys"),
                ]
            ),
            subcommands: [
                StoreCreateCommand<Keys>.self,
                StoreInsertCommand<Keys>.self,
                StoreImportCommand<Keys>.self,
                StoreAdoptCommand<Keys>.self,
                StoreSetCommand<Keys>.self,
                StoreUpdateCommand<Keys>.self,
                StoreDeleteCommand<Keys>.self,
                StoreShowCommand<Keys>.self,
                StoreFetchCommand<Keys>.self,
                StoreGetCommand<Keys>.self,
                StoreSchemaCommand.self,
                StoreMigrateCommand<Keys>.self,
                StoreResealCommand<Keys>.self,
                StoreVerifyCommand<Keys>.self,
                StoreCopyCommand.self,
                StoreExportCommand<Keys>.self,
                StoreDiscardCommand<Keys>.self,
                StoreSweepCommand<Keys>.self,
                StoreSealCommand<Keys>.self,
            ]
        )
    }
}
