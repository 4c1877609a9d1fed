internal import ArgumentParser
internal import Transformable
internal import TransformableStore

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
        if let count { try session.print(saved: "\(count.counted("object")) deleted") }
    }
}
