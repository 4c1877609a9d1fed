internal import Foundation
public import Transformable

/// A transformer that converts an array to the text of a JSON array, using another transformer for its elements.
///
/// Elements can be encoded to text, `Int64`, `Double`, or `Data`, which is written as base 64. Errors include the index
/// of the element.
public struct ListTransformer<Base: OneWayTransformer>: OneWayTransformer {
    private let base: ArrayTransformer<Base>
    /// The human-readable form of an element.
    var elementForm: AnyHumanForm?

    /// Creates a transformer of arrays.
    ///
    /// - Parameter base: The transformer of the elements. It must not depend on the context, because elements can be
    ///   reordered.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.contextualElement` if it does, or
    ///   `TransformerError.Code.stagesDoNotFit` if its encoded type is not supported.
    public init(of base: Base) throws(TransformerError) {
        guard !base.traits.contains(.contextual) else {
            let reason = "the elements of a list can be reordered, so a stage that binds values to their location"
            throw TransformerError(.contextualElement, "\(reason) must follow the list, not be part of it")
        }
        guard ListElement.serves(Base.Encoded.self) else {
            let expected = "an element of a list must be encoded to String, Int64, Double, or Data"
            throw TransformerError(.stagesDoNotFit, "\(expected), not \(Base.Encoded.self)")
        }
        self.base = base.ofArray
    }

    /// The traits of the element transformer.
    public var traits: TransformerTraits { base.traits.then(.deterministic) }

    /// Returns the JSON of the elements.
    public func encode(_ value: [Base.Value], in context: TransformContext) throws -> String {
        try Self.text(of: base.encode(value, in: context))
    }

    /// Returns the JSON of every combination of the candidates of the elements.
    public func candidates(for value: [Base.Value], in context: TransformContext) throws -> [String] {
        try base.candidates(for: value, in: context).map(Self.text)
    }

    private static func text(of elements: [Base.Encoded]) throws -> String {
        var writer = JSONWriter()
        try writer.write(.array(elements.map(ListElement.json)))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension ListTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [base] }
}

extension ListTransformer: Transformer where Base: Transformer {
    /// Decodes the elements from JSON.
    public func decode(_ encoded: String, in context: TransformContext) throws -> [Base.Value] {
        var reader = JSONReader(Array(encoded.utf8))
        guard case .array(let elements) = try reader.readDocument() else {
            throw TransformerError.invalidData("a list is a JSON array", offset: 0)
        }
        return try base.decode(elements.map { try ListElement.value(of: $0) }, in: context)
    }
}

extension ListTransformer: HumanFormProviding {
    /// A JSON array whose elements are in their own human-readable form.
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
        case let bytes as Data: .string(Base64Transformer().encode(bytes, in: .none))
        default: throw TransformerError.unsupportedType(type(of: value), expected: "String, Int64, Double, or Data")
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
            throw TransformerError.invalidData(
                "an element of the list is \(json.kind), but \(Encoded.self) is required"
            )
        }
        return value
    }
}

/// Creates the transformer of `list(of: …)` for the requested type.
struct ListTransformerMaker {
    let request: FamilyRequest
    let expression: TransformerExpression

    func transformer() throws -> any OneWayTransformer {
        let elementType = (request.valueType as? any ListOfElements.Type)?.elementType
        let element = try request.resolve(expression, for: elementType)
        if let base = element.transformer as? any Transformer { return try reversible(base, element.form) }
        return try oneWay(element.transformer, element.form)
    }

    private func oneWay<Base: OneWayTransformer>(_ base: Base, _ form: AnyHumanForm?) throws -> any OneWayTransformer {
        var list = try ListTransformer(of: base)
        list.elementForm = form
        return list
    }

    private func reversible<Base: Transformer>(_ base: Base, _ form: AnyHumanForm?) throws -> any Transformer {
        var list = try ListTransformer(of: base)
        list.elementForm = form
        return list
    }
}

/// An array whose element type is known only at run time.
private protocol ListOfElements {
    static var elementType: Any.Type { get }
}

extension Array: ListOfElements {
    static var elementType: Any.Type { Element.self }
}

/// The human-readable form of a list: a JSON array whose elements are in their own human-readable form.
///
/// An element whose form is already JSON, such as a number, is written unchanged. Any other element is written as a
/// string.
private struct ListForm<Element>: Sendable {
    let element: AnyHumanForm

    /// Creates the form of a list, or returns nil if the elements are strings or have no text form, because lists of
    /// them have a JSON form.
    init?(of element: AnyHumanForm?, _ type: Element.Type) {
        guard let element, element.isText, type != String.self else { return nil }
        self.element = element
    }

    var form: AnyHumanForm {
        AnyHumanForm(HumanForm<[Element]>(isText: true, parse: parse, print: { list, _ in try print(list) }))
    }

    private func parse(_ bytes: Data) throws -> [Element] {
        var reader = JSONReader(Array(bytes))
        guard case .array(let elements) = try reader.readDocument() else {
            throw TransformerError.invalidData("a list must be a JSON array", offset: 0)
        }
        return try elements.enumerated()
            .map { index, json in
                guard let value = try value(json) as? Element else {
                    throw TransformerError.invalidData("the element at index \(index) is not of type \(Element.self)")
                }
                return value
            }
    }

    private func value(_ json: JSONValue) throws -> Any {
        guard case .string(let text) = json else { return try element.parse(Self.text(of: json)) }
        // A string may contain the form of the element, or be JSON in that form.
        if let value = value(writtenAs: text) { return value }
        if let value = try? element.parse(Self.text(of: json)) { return value }
        return try element.parse(Data(text.utf8))
    }

    /// Returns the value whose form is exactly the given text, or nil if there is none or if the text is JSON.
    private func value(writtenAs text: String) -> Any? {
        let text = Data(text.utf8)
        guard Self.json(text) == nil, let value = try? element.parse(text), (try? element.print(value, nil)) == text
        else { return nil }
        return value
    }

    private func print(_ list: [Element]) throws -> Data {
        let elements = try list.map { value -> JSONValue in
            let text = try element.print(value, nil)
            guard let json = Self.json(text) else { return .string(String(decoding: text, as: UTF8.self)) }
            if case .string(let content) = json, self.value(writtenAs: content) != nil {
                throw TransformerError.invalidValue("a string in the list would be read as another value")
            }
            return json
        }
        return try Self.text(of: .array(elements))
    }

    private static func json(_ text: Data) -> JSONValue? {
        var reader = JSONReader(Array(text))
        return try? reader.readDocument()
    }

    private static func text(of json: JSONValue) throws -> Data {
        var writer = JSONWriter()
        try writer.write(json)
        return Data(writer.bytes)
    }
}
