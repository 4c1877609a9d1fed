internal import ArgumentParser
internal import Foundation
internal import TransformableStore

/// A value for an attribute or a relationship, parsed from an argument: `name=value`, `name=@file`, `name=@@text`, and
/// for to-many relationships also `name+=numbers` and `name-=numbers`.
struct AttributeSetting: Sendable {
    private enum Parser: Sendable {
        case attribute(AttributeParser)
        case references(ReferenceForm, ReferenceChange.Operation)
    }

    let name: String
    private let parser: Parser
    // Nil removes the value.
    private let source: InputSource?

    var isFromStandardInput: Bool { source == .standardInput }

    /// Whether the setting adds or removes objects of a relationship.
    var isAddition: Bool {
        guard case .references(_, let operation) = parser else { return false }
        return operation != .replace
    }

    /// Parses an argument.
    ///
    /// - Parameters:
    ///   - argument: The argument. `@@` at the beginning of a value stands for an `@` that does not introduce a file
    ///     name.
    ///   - entity: The entity's name.
    ///   - store: The store.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the argument is malformed or the
    ///   attribute cannot be set.
    init(_ argument: String, of entity: String, in store: Store) throws {
        // A combining mark after “=” or “@” belongs to the value, so characters are not the right unit.
        let scalars = argument.unicodeScalars
        guard let equals = scalars.firstIndex(of: "="), equals != scalars.startIndex else {
            throw CommandError(.usage, "“\(argument.prefix(60))” is not in the form name=value")
        }
        // Names cannot contain these characters.
        let operations: [UnicodeScalar: ReferenceChange.Operation] = ["+": .add, "-": .remove]
        let operation = scalars[..<equals].last.flatMap { operations[$0] }
        name = String(operation == nil ? scalars[..<equals] : scalars[..<equals].dropLast())
        parser = try Self.parser(name, operation, of: entity, in: store)
        source = Self.source(scalars[equals...].dropFirst())
    }

    private static func source(_ value: Substring.UnicodeScalarView) -> InputSource {
        guard value.first == "@" else { return .argument(String(value)) }
        let rest = value.dropFirst()
        if rest.first == "@" { return .argument(String(rest)) }
        return rest.elementsEqual(["-"]) ? .standardInput : .file(String(rest))
    }

    /// Creates a setting that removes the value of an attribute.
    init(emptying name: String, of entity: String, in store: Store) throws {
        self.name = name
        parser = try Self.parser(name, nil, of: entity, in: store)
        source = nil
    }

    private static func parser(
        _ name: String,
        _ operation: ReferenceChange.Operation?,
        of entity: String,
        in store: Store
    ) throws -> Parser {
        let attributes = try store.storedAttributes(of: entity)
        let form = store.referenceForms(of: entity, beside: attributes).first { $0.name == name }
        guard operation == nil || form?.relationship.isToMany == true else {
            throw CommandError(
                .usage,
                "“\(name)” is not a to-many relationship, so it cannot be changed with “+=” or “-=”; use “=”"
            )
        }
        if let form { return .references(form, operation ?? .replace) }
        return .attribute(try AttributeParser(store.storedProperty(name, of: entity)))
    }

    /// Reads the value.
    ///
    /// - Parameter io: The descriptors to use.
    /// - Returns: A value for the attribute.
    /// - Throws: ``CommandError`` if the value cannot be read or is invalid.
    func value(_ io: CommandIO) throws(CommandError) -> AttributeValue {
        switch parser {
        case .attribute(let parser):
            guard let source else { return .none }
            do {
                return try parser.value(source.read(io))
            } catch {
                guard source.isNameOfFile else { throw error }
                throw CommandError(error.code, "\(error.message); to read it from a file, write “\(name)=@file”")
            }
        case .references(let form, let operation):
            return try form.value(source?.read(io) ?? Data(), operation)
        }
    }
}

extension [AttributeSetting] {
    /// Reads the values.
    ///
    /// Do this before a transaction begins. Standard input may take any time to end, and until then nobody else could
    /// write.
    ///
    /// - Parameter io: The descriptors to use.
    /// - Returns: The values, each with the name of its attribute or relationship.
    /// - Throws: ``CommandError`` if a value cannot be read or is invalid.
    func values(_ io: CommandIO) throws(CommandError) -> [(name: String, value: AttributeValue)] {
        try map { setting throws(CommandError) in (name: setting.name, value: try setting.value(io)) }
    }
}

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
