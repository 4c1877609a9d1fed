internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// `store insert`: a new object.
struct StoreInsertCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "insert",
            abstract: "Insert an object, and print its number.",
            discussion: Help.lines(
                """
                Each value stands in its human form. “@file” reads it from a file, “@-” from standard input, \
                and “@@” is an @ that begins the value. “name=” is an empty value; an attribute that is left \
                out has its default, or none. A relationship to one takes the other object's number.
                """,
                examples: [
                    "store insert clinic.sqlite Patient name=Ada bed='{{0, 0}, {2, 1}}'",
                    "store insert clinic.sqlite Patient name=Ada portrait=@ada.png",
                    "store insert clinic.sqlite Patient name=@@ada ssn=@ssn.txt",
                    "store insert clinic.sqlite Visit reason=cough patient=1",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Argument(help: "The entity's name.")
    var entity: String

    @Argument(help: "Values, as name=value or name=@file.")
    var values: [String] = []

    @OptionGroup var keys: KeyOptions

    func run() throws {
        let session = Session.current
        let registry = try keys.registry(session)
        guard access(file.store, R_OK) == 0 else { throw CommandError.cannotRead(file.store, errno) }
        let store = try Store(at: file.url, transformers: registry, options: .mustExist)
        let settings = try store.settings(values, of: entity)
        let reader = AttributeReader(registry: registry)
        let number = try store.write { context in
            let object = try context.insert(entity)
            for setting in settings {
                try setting.value(reader, session.io).set(setting.attribute.name, of: object)
            }
            return object.id.number
        }
        try store.close()
        try session.print("\(number)")
    }
}

extension Store {
    /// Reads the arguments of an insertion, none twice.
    fileprivate func settings(_ arguments: [String], of entity: String) throws(CommandError) -> [AttributeSetting] {
        _ = try storedAttributes(of: entity)
        var seen: Set<String> = []
        let settings = try arguments.map { argument throws(CommandError) in
            let setting = try AttributeSetting(argument, of: entity, in: self)
            guard seen.insert(setting.attribute.name).inserted else {
                throw CommandError(.usage, "“\(setting.attribute.name)” is given twice")
            }
            return setting
        }
        guard settings.filter({ $0.source == .standardInput }).count < 2 else {
            throw CommandError(.usage, "standard input is given for two values, and can be read once")
        }
        return settings
    }
}
