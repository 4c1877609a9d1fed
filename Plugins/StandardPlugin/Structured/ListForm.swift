internal import Foundation
internal import Transformable

/// The human-readable form of a list: a JSON array whose elements are in their own human-readable form.
///
/// An element whose form is already JSON, such as a number, is written as it is. Any other element is written as a
/// string.
struct ListForm<Element>: Sendable {
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
                    throw TransformerError.invalidData("the element at index \(index) is not a \(Element.self)")
                }
                return value
            }
    }

    private func value(_ json: JSONValue) throws -> Any {
        guard case .string(let text) = json else { return try element.parse(Self.text(of: json)) }
        // A string may be JSON in the form of the element, or contain that form.
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
