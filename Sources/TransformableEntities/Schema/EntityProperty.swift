public import TransformableStore

/// An attribute or relationship that an entity's class declares.
public struct _EntityProperty: Sendable {
    /// What a property is in the model.
    public enum Role: Sendable {
        /// A value, in a column.
        case attribute(AttributeDescription)
        /// A reference to one object or to many, of the class that is named beside it.
        case relationship(RelationshipDescription, any Entity.Type)
    }

    /// The name, in the class and in the model.
    public let name: String
    /// The way to it from an object of the class.
    public let keyPath: any AnyKeyPath & Sendable
    /// What it is in the model.
    public let role: Role
}
