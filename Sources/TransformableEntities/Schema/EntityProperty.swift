public import TransformableStore

/// An attribute or a relationship that an entity class declares.
public struct _EntityProperty: Sendable {
    /// The role of a property in the model.
    public enum Role: Sendable {
        /// An attribute, which is stored in a column.
        case attribute(AttributeDescription)
        /// A relationship, and the class of its objects.
        case relationship(RelationshipDescription, any Entity.Type)
    }

    /// The name of the property, both in the class and in the model.
    public let name: String
    /// The key path of the property.
    public let keyPath: any AnyKeyPath & Sendable
    /// The role of the property in the model.
    public let role: Role

    var isRelationship: Bool {
        if case .relationship = role { return true }
        return false
    }
}
