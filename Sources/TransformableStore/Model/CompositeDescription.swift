/// A value that is stored in several plain columns that can be queried, such as a size stored as width and height.
///
/// Each part is an attribute of its own. The name of the attribute and its column is the name of the composite and of
/// the part, joined by `_`, as in `size_width`. In conditions and sort orders, you can also write `size.width`.
public struct CompositeDescription: Sendable, Hashable {
    /// The name, which must be unique among the entity's attributes and relationships.
    public var name: String
    /// Whether the composite can be without a value, in which case none of its parts has a value.
    public var isOptional: Bool
    /// The parts: plain attributes with short names.
    public var parts: [AttributeDescription]

    /// Creates a composite.
    ///
    /// - Parameters:
    ///   - name: The composite's name.
    ///   - optional: Whether the composite can be without a value.
    ///   - parts: The parts: plain attributes with short names.
    public init(_ name: String, optional: Bool = false, parts: [AttributeDescription]) {
        self.name = name
        isOptional = optional
        self.parts = parts
    }

    /// Creates a composite for a Swift type.
    ///
    /// - Parameters:
    ///   - name: The composite's name.
    ///   - type: The type, which declares the parts.
    ///   - optional: Whether the composite can be without a value.
    public init<Value: CompositeValue>(_ name: String, as type: Value.Type, optional: Bool = false) {
        self.init(name, optional: optional, parts: Value.parts.map(\.attribute))
    }

    /// Returns the name of a part's attribute and column.
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
