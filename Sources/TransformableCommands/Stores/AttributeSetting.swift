internal import Foundation
internal import TransformableStore

/// A value for an attribute, as an argument gives it: `name=value`, `name=@file`, or `name=@@text`.
struct AttributeSetting: Sendable {
    private let parser: AttributeParser
    // Nil takes the attribute's value away.
    private let source: InputSource?

    var name: String { parser.name }

    var isFromStandardInput: Bool { source == .standardInput }

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
        parser = try AttributeParser(store.storedAttribute(String(argument[..<equals]), of: entity))
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
        parser = try AttributeParser(store.storedAttribute(name, of: entity))
        source = nil
    }

    /// Reads the value.
    ///
    /// - Parameter io: Where standard input is.
    /// - Returns: The value, fit for the attribute.
    /// - Throws: ``CommandError``.
    func value(_ io: CommandIO) throws(CommandError) -> AttributeValue {
        guard let source else { return .none }
        return try parser.value(source.read(io))
    }
}
