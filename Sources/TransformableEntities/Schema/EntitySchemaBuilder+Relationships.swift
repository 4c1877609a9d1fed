public import TransformableStore

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
