internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store delete`: objects by number or by condition.
struct StoreDeleteCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete",
            abstract: "Delete objects, and say how many these were.",
            discussion: Help.lines(
                """
                All of them are deleted, or none if one is missing or a relationship denies it. What delete rules \
                take along is not counted, but by --dry-run. “--where true” means every object; an entity that others inherit from \
                means theirs, too.
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
    @OptionGroup var change: DryRunOption
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        switch (ids.isEmpty, condition.text) {
        case (true, nil): throw ValidationError("say which objects, by number or with --where")
        case (false, _?): throw ValidationError("numbers and --where cannot both be given")
        default: break
        }
    }

    func run() throws {
        let session = Session.current
        let numbers = Set(ids)
        let count = try file.change(keys, session) { store in
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
        if let count { try session.print("\(count.counted("object")) deleted") }
    }
}
