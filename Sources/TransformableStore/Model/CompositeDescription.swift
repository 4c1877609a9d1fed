/// One value that lies in several plain columns, each of which can be queried: a size as width and height.
///
/// Each part is an attribute of its own, whose name and column are the composite's and the part's, joined by `_`:
/// `size_width`. Conditions and orders may say `size.width` as well.
public struct CompositeDescription: Sendable, Hashable {
    /// The name, unique among the entity's attributes and relationships.
    public var name: String
    /// Whether it may have no value; then all of its parts have none.
    public var isOptional: Bool
    /// The parts: plain attributes, by their short names.
    public var parts: [AttributeDescription]

    /// Makes a composite.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - optional: Whether it may have no value.
    ///   - parts: The parts: plain attributes, by their short names.
    public init(_ name: String, optional: Bool = false, parts: [AttributeDescription]) {
        self.name = name
        isOptional = optional
        self.parts = parts
    }

    /// Makes a composite of a Swift type.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The type, which says its parts.
    ///   - optional: Whether it may have no value.
    public init<Value: CompositeValue>(_ name: String, as type: Value.Type, optional: Bool = false) {
        self.init(name, optional: optional, parts: Value.parts.map(\.attribute))
    }

    /// The name of a part's attribute and column.
    func attributeName(_ part: String) -> String { "\(name)_\(part)" }

    /// The attributes of the parts.
    var attributes: [AttributeDescription] {
        parts.map { part in
            var attribute = part
            attribute.name = attributeName(part.name)
            attribute.isOptional = part.isOptional || isOptional
            attribute.renamedFrom = part.renamedFrom.map(attributeName)
            return attribute
        }
    }
}
