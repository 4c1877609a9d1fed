internal import Foundation
internal import TransformableStore

/// A value for an attribute or a relationship, as an argument gives it: `name=value`, `name=@file`, `name=@@text`, and
/// for a relationship to many also `name+=numbers` and `name-=numbers`.
struct AttributeSetting: Sendable {
    private enum Parser: Sendable {
        case attribute(AttributeParser)
        case references(ReferenceForm, ReferenceChange.Operation)
    }

    let name: String
    private let parser: Parser
    // Nil takes the value away.
    private let source: InputSource?

    var isFromStandardInput: Bool { source == .standardInput }

    /// Whether it changes a part of what a relationship leads to.
    var isAddition: Bool {
        guard case .references(_, let operation) = parser else { return false }
        return operation != .replace
    }

    /// Reads an argument.
    ///
    /// - Parameters:
    ///   - argument: The argument; `@@` at the beginning of a value is an `@` that begins no file's name.
    ///   - entity: The entity's name.
    ///   - store: The store.
    /// - Throws: ``CommandError/Code/usage``, or what an attribute is that cannot be written.
    init(_ argument: String, of entity: String, in store: Store) throws {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw CommandError(.usage, "“\(argument.prefix(60))” is not of the form name=value")
        }
        // No name has these signs.
        let operations: [Character: ReferenceChange.Operation] = ["+": .add, "-": .remove]
        let operation = argument[..<equals].last.flatMap { operations[$0] }
        name = String(operation == nil ? argument[..<equals] : argument[..<equals].dropLast())
        parser = try Self.parser(name, operation, of: entity, in: store)
        let value = argument[argument.index(after: equals)...]
        if value.hasPrefix("@@") {
            source = .argument(String(value.dropFirst()))
        } else if value == "@-" {
            source = .standardInput
        } else if value.hasPrefix("@") {
            source = .file(String(value.dropFirst()))
        } else {
            source = .argument(String(value))
        }
    }

    /// Takes the value of an attribute away.
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
            throw CommandError(.usage, "“+=” and “-=” are for relationships to many, and “\(name)” is none; use “=”")
        }
        if let form { return .references(form, operation ?? .replace) }
        return .attribute(try AttributeParser(store.storedProperty(name, of: entity)))
    }

    /// Reads the value.
    ///
    /// - Parameter io: Where standard input is.
    /// - Returns: The value, fit for the attribute.
    /// - Throws: ``CommandError``.
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
