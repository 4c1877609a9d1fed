internal import ArgumentParser
internal import TransformableStore

/// `store insert`: inserts an object.
struct StoreInsertCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "insert",
            abstract: "Insert an object, and print its number.",
            discussion: Help.lines(
                SettingArguments.help + " An attribute that you do not set has its default value, if any.",
                examples: [
                    "store insert clinic.sqlite Patient name=Ada bed='{{0, 0}, {2, 1}}'",
                    "store insert clinic.sqlite Patient name=Ada portrait=@ada.png",
                    .withKeys("store insert clinic.sqlite Patient name=@@ada ssn=@ssn.txt --key-file clinic.keys"),
                    "store insert clinic.sqlite Visit reason=cough patient=1",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @OptionGroup var values: SettingArguments
    @OptionGroup var change: ChangeOptions
    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let number = try file.change(keys, session) { store in
            let settings = try values.settings(of: entity, in: store)
            return try change.write(to: store, session, isRepeatable: !settings.readStandardInput) { context in
                let object = try context.insert(entity)
                for setting in settings { try setting.value(session.io).set(setting.name, of: object) }
                return object.id.number
            }
        }
        if let number { try session.print(saved: "\(number)") }
    }
}
