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
            return try parser.value(source.read(io))
        case .references(let form, let operation):
            return try form.value(source?.read(io) ?? Data(), operation)
        }
    }
}

extension [AttributeSetting] {
    /// Whether one of the values comes from standard input, which can be read only once.
    var readStandardInput: Bool { contains(where: \.isFromStandardInput) }
}
