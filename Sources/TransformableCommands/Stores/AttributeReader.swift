internal import Foundation
internal import Transformable
internal import TransformableStore

/// Reads values of a store's attributes as a person gives them, and writes them as a person sees them.
struct AttributeReader {
    let registry: TransformerRegistry

    /// How a person gives and sees the values of a transformed attribute.
    ///
    /// - Parameter attribute: The attribute.
    /// - Returns: The form; nil for a plain attribute.
    /// - Throws: `TransformerError`, or ``CommandError/Code/usage`` where there is no such form.
    func form(of attribute: AttributeDescription) throws -> AnyHumanForm? {
        guard let expression = attribute.expression else { return nil }
        let resolved = try registry.resolve(expression)
        guard let form = resolved.form else {
            throw CommandError(
                .usage,
                "“\(attribute.name)” has values of type \(resolved.valueType), without human form"
            )
        }
        return form
    }

    /// Whether nothing of the attribute's value may show in errors.
    func isConfidential(_ attribute: AttributeDescription) -> Bool {
        guard let expression = attribute.expression else { return false }
        return (try? registry.resolve(expression).traits.contains(.confidential)) ?? true
    }

    /// The value of an attribute in its human form.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - object: The object.
    ///   - format: The extension of the file that it goes to.
    /// - Returns: The value.
    /// - Throws: `StoreError` if it cannot be decoded; ``CommandError/Code/noInput`` if there is none.
    func content(
        of attribute: AttributeDescription,
        in object: ManagedObject,
        format: String?
    ) throws -> Content {
        guard let value = try object.anyValue(attribute.name) else {
            throw CommandError(.noInput, "\(object.id) has no value for “\(attribute.name)”")
        }
        guard let form = try form(of: attribute) else { return Content(plain: value) }
        let isItself = value is String || value is Data
        let bytes = try form.print(value, format)
        return Content(bytes: bytes, isLine: form.isText && !isItself && bytes.last != UInt8(ascii: "\n"))
    }
}

extension AttributeDescription {
    /// The expression of a transformed attribute; nil for a plain one.
    var expression: String? {
        type == .transformed ? transformer ?? "keyed-archive" : nil
    }
}

extension Content {
    /// A plain value: bytes and text as they are, anything else as a line of text.
    init(plain value: Any) {
        switch value {
        case let bytes as Data: self.init(bytes: bytes, isLine: false)
        case let text as String: self.init(bytes: Data(text.utf8), isLine: false)
        default: self.init(bytes: Data(Cell(plain: value).tableText.utf8), isLine: true)
        }
    }
}
