internal import ArgumentParser
internal import TransformableStore

/// The values that attributes are given.
struct SettingArguments: ParsableArguments {
    /// What a value may be, for the help of a verb.
    static let help = """
        Each value stands in its human form. “@file” reads it from a file, “@-” from standard input, and “@@” is an \
        @ that begins the value. “name=” is an empty value, and --null NAME none. A relationship to one takes the \
        other object's number.
        """

    @Argument(help: "Values, as name=value or name=@file.")
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
        var seen: Set<String> = []
        if let twice = settings.first(where: { !seen.insert($0.name).inserted }) {
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
