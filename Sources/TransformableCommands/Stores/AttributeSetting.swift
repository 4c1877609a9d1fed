internal import Foundation
internal import Transformable
internal import TransformableStore

/// A value for an attribute, as an argument gives it: `name=value`, `name=@file`, or `name=@@text`.
struct AttributeSetting {
    let attribute: AttributeDescription
    let source: InputSource

    /// Reads an argument.
    ///
    /// - Parameters:
    ///   - argument: The argument; `@@` at the beginning of a value is an `@` that begins no file's name.
    ///   - entity: The entity's name.
    ///   - store: The store.
    /// - Throws: ``CommandError/Code/usage`` or ``CommandError/Code/noInput``.
    init(_ argument: String, of entity: String, in store: Store) throws(CommandError) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw CommandError(.usage, "“\(argument.prefix(60))” is not of the form name=value")
        }
        attribute = try store.storedAttribute(String(argument[..<equals]), of: entity)
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

    /// Reads the value.
    ///
    /// - Parameters:
    ///   - reader: Knows the human forms.
    ///   - io: Where standard input is.
    /// - Returns: The value, fit for the attribute.
    /// - Throws: ``CommandError``, or `TransformerError` if it is not of the attribute's form.
    func value(_ reader: AttributeReader, _ io: CommandIO) throws -> AttributeValue {
        let bytes = try source.read(io)
        guard let form = try reader.form(of: attribute) else {
            if attribute.type == .data { return .any(bytes) }
            return .text(try plainText(bytes))
        }
        do {
            return .any(try form.parse(bytes))
        } catch {
            guard let line = bytes.withoutLineEnd, let value = try? form.parse(line) else {
                throw refused(error, isConfidential: reader.isConfidential(attribute))
            }
            return .any(value)
        }
    }

    private func plainText(_ bytes: Data) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.badInput, "the value of “\(attribute.name)” is not UTF-8")
        }
        return text
    }

    private func refused(_ error: any Error, isConfidential: Bool) -> CommandError {
        let reason = isConfidential ? "" : ": \(ErrorLine.sentence(for: error))"
        return CommandError(.badInput, "“\(attribute.name)”: the value is not of the form that is expected\(reason)")
    }
}

/// A value on its way into a store.
enum AttributeValue {
    /// A value of the attribute's own type.
    case any(Any)
    /// A text that the store reads as the attribute's kind.
    case text(String)

    func set(_ name: String, of object: ManagedObject) throws {
        switch self {
        case .any(let value): try object.setValue(any: value, for: name)
        case .text(let text): try object.setValue(text: text, for: name)
        }
    }
}
