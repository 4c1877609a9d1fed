internal import ArgumentParser
internal import TransformableStore

/// The values that attributes are given.
struct SettingArguments: ParsableArguments {
    /// What a value may be, for the help of a verb.
    static let help = """
        Each value stands in its human form. “@file” reads it from a file, “@-” from standard input, and “@@” is an \
        @ that begins the value. Give secrets by “@file” or “@-”, since other users can see arguments. “name=” is an \
        empty value, and --null NAME none. A relationship takes the numbers of other objects: “tags=1,2” leads to these \
        and no others, in this order if it has one, “tags+=3” adds some, “tags-=2” removes some, and “tags=” leads \
        nowhere. Where objects of several entities can be meant, each number has its entity's name before it: \
        “pets=Dog/1,Cat/1”.
        """

    @Argument(
        help: "Values, as name=value or name=@file; of relationships to many also name+=numbers and name-=numbers."
    )
    var values: [String] = []

    @Option(name: .customLong("null"), help: ArgumentHelp("Takes the value of this attribute away.", valueName: "name"))
    var emptied: [String] = []

    /// Reads the arguments, none twice.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - store: The store.
    /// - Returns: The settings, whose values are not read yet.
    /// - Throws: ``CommandError/Code/usage``, or what an attribute is that cannot be written.
    func settings(of entity: String, in store: Store) throws -> [AttributeSetting] {
        _ = try store.storedAttributes(of: entity)
        let settings =
            try values.map { try AttributeSetting($0, of: entity, in: store) }
            + emptied.map { try AttributeSetting(emptying: $0, of: entity, in: store) }
        var seen: [String: Bool] = [:]
        // Several changes of what a relationship leads to go together, but not with one that replaces it all.
        let twice = settings.first { setting in
            seen.updateValue(setting.isAddition, forKey: setting.name).map { !$0 || !setting.isAddition } ?? false
        }
        if let twice {
            throw CommandError(.usage, "“\(twice.name)” is given twice")
        }
        guard settings.count(where: \.isFromStandardInput) < 2 else {
            throw CommandError(.usage, "standard input is given for two values, and can be read once")
        }
        return settings
    }

    func requireSome() throws {
        if values.isEmpty, emptied.isEmpty { throw ValidationError("give a value as name=value, or --null NAME") }
    }
}
