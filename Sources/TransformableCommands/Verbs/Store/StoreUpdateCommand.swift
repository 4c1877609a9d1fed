internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store update`: some values of all objects that a condition holds for.
struct StoreUpdateCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "update",
            abstract: "Set values of all objects that a condition holds for, and say how many these are.",
            discussion: Help.lines(
                """
                All of them are changed, or none if a value does not fit one. “--where true” means every object; an \
                entity that others inherit from means theirs, too. \(SettingArguments.help)
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
    @OptionGroup var change: DryRunOption
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if condition.text == nil { throw ValidationError("say which objects with --where; “--where true” means all") }
        try values.requireSome()
    }

    func run() throws {
        let session = Session.current
        let count = try file.change(keys, session) { store in
            let settings = try values.settings(of: entity, in: store)
            return try condition.use { condition in
                try change.write(to: store, session) { context in
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
        if let count { try session.print("\(count.counted("object")) updated") }
    }
}
