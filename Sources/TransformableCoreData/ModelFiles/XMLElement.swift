/// An element of an XML document, with its position for messages.
struct XMLElement {
    /// An attribute of an element.
    struct Attribute {
        let name: String
        let value: String
    }

    let name: String
    let attributes: [Attribute]
    var children: [XMLElement] = []
    /// The offset of the element's first byte.
    let offset: Int
    /// The line of the element's first byte, counted from 1.
    let line: Int

    subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
