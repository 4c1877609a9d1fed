internal import ArgumentParser
internal import TransformableStore

/// The values to set.
struct SettingArguments: ParsableArguments {
    /// The part of a command's help that describes values.
    static let help = """
        Write each value in its human-readable form. “@file” reads the value from a file, “@-” from standard \
        input, and “@@” stands for an @ at the beginning of the value. Text keeps the line break at the end \
        of a file. Pass secrets with “@file” or “@-”, because other users can see arguments. “name=” sets an \
        empty value, and --null NAME removes the value. A relationship takes the numbers of objects: “tags=1,2” replaces its objects (in this order \
        if the relationship is ordered), “tags+=3” adds objects, “tags-=2” removes objects, and “tags=” \
        removes all of them. If the objects can belong to several entities, put the entity's name before \
        each number: “pets=Dog/1,Cat/1”.
        """

    @Argument(
        help: "Values, as name=value or name=@file; for to-many relationships also name+=numbers and name-=numbers."
    )
    var values: [String] = []

    @Option(
        name: .customLong("null"),
        help: ArgumentHelp("Remove the value of this attribute; can be repeated.", valueName: "name")
    )
    var emptied: [String] = []

    /// Parses the arguments.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - store: The store.
    /// - Returns: The settings, whose values are not read yet.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if an argument is malformed or given twice,
    ///   or if an attribute cannot be set.
    func settings(of entity: String, in store: Store) throws -> [AttributeSetting] {
        _ = try store.storedAttributes(of: entity)
        let settings =
            try values.map { try AttributeSetting($0, of: entity, in: store) }
            + emptied.map { try AttributeSetting(emptying: $0, of: entity, in: store) }
        var seen: [String: Bool] = [:]
        // Several additions and removals can be combined, but not with a setting that replaces everything.
        let twice = settings.first { setting in
            seen.updateValue(setting.isAddition, forKey: setting.name).map { !$0 || !setting.isAddition } ?? false
        }
        if let twice {
            throw CommandError(.usage, "“\(twice.name)” is given twice")
        }
        guard settings.count(where: \.isFromStandardInput) < 2 else {
            throw CommandError(.usage, "standard input can be read only once, but two values are read from it")
        }
        return settings
    }

    func requireSome() throws {
        if values.isEmpty, emptied.isEmpty { throw ValidationError("give a value as name=value, or --null NAME") }
    }
}
