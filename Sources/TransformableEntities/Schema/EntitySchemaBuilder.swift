public import TransformableStore

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

/// One method for each kind of relationship. The property's type selects the method.
extension _EntitySchemaBuilder {
    /// Adds a to-one relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - keyPath: The property.
    ///   - deleteRule: What happens to the related object when an object is deleted.
    ///   - inverse: The relationship in the other direction, which the compiler checks against the classes.
    ///   - inverseName: The name of the inverse relationship.
    ///   - isRequired: Whether the relationship must have an object when its owner is saved.
    ///   - renamedFrom: The relationship's names in earlier versions of the model, oldest first.
    ///   - addedIn: The version of the model that added the relationship.
    public mutating func relationship<Destination: Entity>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Destination?> & Sendable,
        deleteRule: DeleteRule = .nullify,
        inverse: PartialKeyPath<Destination>? = nil,
        named inverseName: String? = nil,
        isRequired: Bool = false,
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil
    ) {
        var relationship = RelationshipDescription.toOne(
            name,
            Destination.entityName,
            optional: !isRequired,
            inverse: inverseName,
            deleteRule: deleteRule
        )
        relationship.renamedFrom = renamedFrom
        relationship.addedIn = addedIn
        add(relationship, keyPath, to: Destination.self)
    }

    /// Adds a to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - keyPath: The property.
    ///   - deleteRule: What happens to the related objects when an object is deleted.
    ///   - inverse: The relationship in the other direction, which the compiler checks against the classes.
    ///   - inverseName: The name of the inverse relationship.
    ///   - isOrdered: Whether the relationship preserves the order of its objects.
    ///   - count: The allowed number of objects.
    ///   - renamedFrom: The relationship's names in earlier versions of the model, oldest first.
    ///   - addedIn: The version of the model that added the relationship.
    public mutating func relationship<Destination: Entity>(
        _ name: String,
        _ keyPath: any KeyPath<Root, [Destination]> & Sendable,
        deleteRule: DeleteRule = .nullify,
        inverse: PartialKeyPath<Destination>? = nil,
        named inverseName: String? = nil,
        isOrdered: Bool = false,
        count: ClosedRange<Int>? = nil,
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil
    ) {
        var relationship = RelationshipDescription.toMany(
            name,
            Destination.entityName,
            ordered: isOrdered,
            inverse: inverseName,
            deleteRule: deleteRule
        )
        // A range from 0, or up to the largest number, states no limit.
        relationship.minimumCount = count.flatMap { $0.lowerBound == 0 ? nil : $0.lowerBound }
        relationship.maximumCount = count.flatMap { $0.upperBound == .max ? nil : $0.upperBound }
        relationship.renamedFrom = renamedFrom
        relationship.addedIn = addedIn
        add(relationship, keyPath, to: Destination.self)
    }
}
