internal import TransformableStore

/// Describes the properties of an entity class for its schema.
///
/// `@Entity` generates code that calls a method for each property. A class that is not final is described once for
/// itself and once for each child, because a key path starts at a particular class.
public struct _EntitySchemaBuilder<Root: Entity>: Sendable {
    var schema: _EntitySchema

    /// Makes the compiler verify that the first type a class inherits from is a protocol.
    ///
    /// The parameter's type is an existential, which a superclass does not have. The stored properties of a superclass
    /// that is not an entity would never be saved.
    ///
    /// - Parameter type: The protocol.
    public func hasNoSuperclass(_ type: any Any.Type) {}

    /// Registers the key paths of all properties from an optional object.
    ///
    /// `@Entity` generates them.
    ///
    /// - Parameter steps: The key paths, in the order of the properties.
    public mutating func steps(_ steps: any PartialKeyPath<Root?> & Sendable...) {
        schema.steps += steps.map { $0 }
    }

    mutating func add(
        _ attribute: AttributeDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        isEager: Bool,
        initial: (@Sendable () -> Slot)?
    ) {
        if isEager { schema.eager.append(schema.initials.count) }
        schema.initials.append(initial)
        schema.properties.append(_EntityProperty(name: attribute.name, keyPath: keyPath, role: .attribute(attribute)))
    }

    mutating func add(
        _ relationship: RelationshipDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        to destination: any Entity.Type
    ) {
        let role = _EntityProperty.Role.relationship(relationship, destination)
        schema.properties.append(_EntityProperty(name: relationship.name, keyPath: keyPath, role: role))
    }
}
