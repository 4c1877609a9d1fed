internal import Foundation
public import Transformable

/// An array as the text of a JSON array, each element by a transformer of its own.
///
/// Elements encode to text, to `Int64`, to `Double` or to `Data`, which becomes base 64. A failure names
/// the element's index.
public struct ListTransformer<Base: OneWayTransformer>: OneWayTransformer {
    private let base: ArrayTransformer<Base>
    /// How a person gives and sees an element.
    var elementForm: AnyHumanForm?

    /// Makes a transformer of arrays.
    ///
    /// - Parameter base: The elements' transformer, which must not depend on their place: they may be reordered.
    /// - Throws: `TransformerError` with `TransformerError.Code.contextualElement` or
    ///   `TransformerError.Code.stagesDoNotFit`.
    public init(of base: Base) throws(TransformerError) {
        guard !base.traits.contains(.contextual) else {
            let reason = "a list's elements can change places, so a stage that binds to its place"
            throw TransformerError(.contextualElement, "\(reason) stands behind the list, not in it")
        }
        guard ListElement.serves(Base.Encoded.self) else {
            let expected = "an element of a list is String, Int64, Double or Data"
            throw TransformerError(.stagesDoNotFit, "\(expected), not \(Base.Encoded.self)")
        }
        self.base = base.ofArray
    }

    /// What holds of the elements.
    public var traits: TransformerTraits { base.traits.then(.deterministic) }

    /// The elements' JSON.
    public func encode(_ value: [Base.Value], in context: TransformContext) throws -> String {
        var writer = JSONWriter()
        try writer.write(.array(base.encode(value, in: context).map(ListElement.json)))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension ListTransformer: Transformer where Base: Transformer {
    /// The JSON's elements.
    public func decode(_ encoded: String, in context: TransformContext) throws -> [Base.Value] {
        var reader = JSONReader(Array(encoded.utf8))
        guard case .array(let elements) = try reader.readDocument() else {
            throw TransformerError.invalidData("a list is a JSON array", offset: 0)
        }
        return try base.decode(elements.map { try ListElement.value(of: $0) }, in: context)
    }
}

extension ListTransformer: HumanFormProviding {
    /// A JSON array whose elements stand in their own human form.
    public var humanForm: AnyHumanForm? {
        ListForm(of: elementForm, Base.Value.self)?.form
    }
}

/// The types that an element's encoded form can have, as JSON.
private enum ListElement {
    static func serves(_ type: Any.Type) -> Bool {
        [String.self, Int64.self, Double.self, Data.self].contains { $0 == type }
    }

    static func json(_ value: Any) throws -> JSONValue {
        switch value {
        case let text as String: .string(text)
        case let number as Int64: .integer(number)
        case let number as Double: .double(number)
        case let bytes as Data: .bytes(bytes)
        default: throw TransformerError.unsupportedType(type(of: value), expected: "String, Int64, Double or Data")
        }
    }

    static func value<Encoded>(of json: JSONValue) throws -> Encoded {
        let value: Any? =
            switch (json, Encoded.self) {
            case (.string(let text), is String.Type): text
            case (.string, is Data.Type): try json.bytes()
            case (.integer(let number), is Int64.Type): number
            case (_, is Double.Type): json.numberValue?.double
            default: nil
            }
        guard let value = value as? Encoded else {
            throw TransformerError.invalidData("an element of the list is \(json.kind), and \(Encoded.self) is needed")
        }
        return value
    }
}
