internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store update`: sets values of all objects that match a condition.
struct StoreUpdateCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "update",
            abstract: "Set values of all objects that match a condition, and print how many there are.",
            discussion: Help.lines(
                """
                Either all of these objects are changed or, if a value is not valid for one of them, none. \
                “--where true” matches every object. If other entities inherit from the entity, their \
                objects are included. \(SettingArguments.help)
                """,
                examples: [
                    "store update clinic.sqlite Patient --where 'ward == 3' ward=4",
                    "store update clinic.sqlite Visit --where 'patient._id == 1' --null reason",
                    "store update clinic.sqlite Patient --where active ward=4 --dry-run",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @OptionGroup var values: SettingArguments
    @OptionGroup var damaged: DamagedOption
    @OptionGroup var condition: ConditionOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        if condition.text == nil {
            throw ValidationError("specify the objects with --where; “--where true” matches all of them")
        }
        try values.requireSome()
    }

    func run() throws {
        let session = Session.current
        let count = try file.change(keys, session) { store in
            let settings = try values.settings(of: entity, in: store)
            return try condition.use { condition in
                try change.write(to: store, session, isRepeatable: !settings.readStandardInput) { context in
                    let set = try settings.map { (name: $0.name, value: try $0.value(session.io)) }
                    var progress = Progress(session, besideResult: true)
                    defer { progress.end() }
                    return try context.update(entity, where: condition, progress: { progress.show($0) }) { object in
                        for (name, value) in set {
                            try value.set(name, of: object, replacesDamaged: damaged.isReplaced)
                        }
                    }
                }
            }
        }
        if let count { try session.print(saved: "\(count.counted("object")) updated") }
    }
}
