internal import ArgumentParser
internal import TransformableStore

/// `store set`: sets values of one object.
struct StoreSetCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set",
            abstract: "Set values of one object.",
            discussion: Help.lines(
                SettingArguments.help,
                examples: [
                    "store set clinic.sqlite Patient 1 name=Ada",
                    "store set clinic.sqlite Patient 1 portrait=@ada.jpg --null bed",
                    "store set clinic.sqlite Visit 7 patient=1",
                    "store set clinic.sqlite Patient 1 visits=7,9 doctors+=2 doctors-=3",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @Argument(help: "The object's number.")
    var id: Int64

    @OptionGroup var values: SettingArguments
    @OptionGroup var damaged: DamagedOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        try values.requireSome()
    }

    func run() throws {
        let session = Session.current
        try file.change(keys, session) { store in
            let settings = try values.settings(of: entity, in: store)
            _ = try change.write(to: store, session, isRepeatable: !settings.readStandardInput) { context in
                let object = try context.object(ObjectID(entity: entity, number: id))
                for setting in settings {
                    let value = try setting.value(session.io)
                    try value.set(setting.name, of: object, replacesDamaged: damaged.isReplaced)
                }
            }
        }
    }
}
