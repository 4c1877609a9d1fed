internal import Foundation
internal import Transformable

/// How a person gives and sees a list: a JSON array whose elements stand in their own human form.
///
/// What is JSON already in that form, such as a number, stands as it is, and anything else as a string.
struct ListForm<Element>: Sendable {
    let element: AnyHumanForm

    /// Takes the form of elements, unless these are text, or no text at all: then JSON has a form for lists of them.
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
            throw TransformerError.invalidData("a list is a JSON array", offset: 0)
        }
        return try elements.enumerated()
            .map { index, json in
                guard let value = try value(json) as? Element else {
                    throw TransformerError.invalidData("the element at index \(index) is not a \(Element.self)")
                }
                return value
            }
    }

    private func value(_ json: JSONValue) throws -> Any {
        guard case .string(let text) = json else { return try element.parse(Self.text(of: json)) }
        // A string may be JSON to the element's form, or hold what that form reads.
        if let value = try? element.parse(Self.text(of: json)) { return value }
        return try element.parse(Data(text.utf8))
    }

    private func print(_ list: [Element]) throws -> Data {
        let elements = try list.map { value in
            let text = try element.print(value, nil)
            var reader = JSONReader(Array(text))
            return (try? reader.readDocument()) ?? .string(String(decoding: text, as: UTF8.self))
        }
        return try Self.text(of: .array(elements))
    }

    private static func text(of json: JSONValue) throws -> Data {
        var writer = JSONWriter()
        try writer.write(json)
        return Data(writer.bytes)
    }
}
