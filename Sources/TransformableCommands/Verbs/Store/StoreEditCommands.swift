internal import ArgumentParser
internal import Transformable
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
        let number = try file.change(keys, session, isRehearsal: change.dryRun) { store in
            let settings = try values.settings(of: entity, in: store)
            let parsed = try settings.values(session.io)
            return try change.write(to: store, session) { context in
                let object = try context.insert(entity)
                for (name, value) in parsed { try value.set(name, of: object) }
                return object.id.number
            }
        }
        if let number { try session.print(saved: "\(number)") }
    }
}

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
        try file.change(keys, session, isRehearsal: change.dryRun) { store in
            let settings = try values.settings(of: entity, in: store)
            let parsed = try settings.values(session.io)
            _ = try change.write(to: store, session) { context in
                let object = try context.object(ObjectID(entity: entity, number: id))
                for (name, value) in parsed {
                    try value.set(name, of: object, replacesDamaged: damaged.isReplaced)
                }
            }
        }
    }
}

/// `store update`: sets values of all objects that match a condition.
struct StoreUpdateCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "update",
            abstract: "Set values of all objects that match a condition, and print the number of objects.",
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
        let count = try file.change(keys, session, isRehearsal: change.dryRun) { store in
            let settings = try values.settings(of: entity, in: store)
            let parsed = try settings.values(session.io)
            return try condition.use { condition in
                try change.write(to: store, session) { context in
                    var progress = Progress(session, besideResult: true)
                    defer { progress.end() }
                    return try context.update(entity, where: condition, progress: { progress.show($0) }) { object in
                        for (name, value) in parsed {
                            try value.set(name, of: object, replacesDamaged: damaged.isReplaced)
                        }
                    }
                }
            }
        }
        if let count { try session.print(saved: "\(count.counted("object")) updated") }
    }
}

/// `store delete`: deletes objects by number or by condition.
struct StoreDeleteCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete",
            abstract: "Delete objects, and print how many were deleted.",
            discussion: Help.lines(
                """
                No object is deleted if any of them is missing, or if a relationship denies its deletion. \
                Objects that are deleted by the delete rules of relationships are not counted, except with \
                --dry-run. “--where true” matches every object. If other entities inherit from the entity, \
                their objects are included.
                """,
                examples: [
                    "store delete clinic.sqlite Patient 1 2",
                    "store delete clinic.sqlite Visit --where 'date < 2001-01-01'",
                    "store delete clinic.sqlite Patient 1 --dry-run",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @Argument(help: "Objects' numbers.")
    var ids: [Int64] = []

    @OptionGroup var condition: ConditionOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        switch (ids.isEmpty, condition.text) {
        case (true, nil): throw ValidationError("specify the objects by number or with --where")
        case (false, _?): throw ValidationError("numbers and --where cannot be combined")
        default: break
        }
    }

    func run() throws {
        let session = Session.current
        let numbers = Set(ids)
        let count = try file.change(keys, session, isRehearsal: change.dryRun) { store in
            _ = try store.storedAttributes(of: entity)
            return try condition.use { condition in
                try change.write(to: store, session) { context in
                    guard !numbers.isEmpty else { return try context.delete(entity, where: condition) }
                    for number in numbers.sorted() {
                        try context.delete(context.object(ObjectID(entity: entity, number: number)))
                    }
                    return numbers.count
                }
            }
        }
        if let count { try session.print(saved: "\(count.counted("object")) deleted") }
    }
}
