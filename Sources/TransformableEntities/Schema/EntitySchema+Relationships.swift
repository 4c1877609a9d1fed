public import TransformableStore

/// One function for each kind of relationship; the property's type chooses.
extension _EntitySchema {
    /// Adds a relationship to one object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - keyPath: The property.
    ///   - deleteRule: What deleting an object does to the one it leads to.
    ///   - inverse: The relationship that leads back; it serves the compiler, which compares the classes.
    ///   - inverseName: Its name.
    ///   - isRequired: Whether it must lead somewhere when its object is saved.
    ///   - renamedFrom: The name in an earlier version of the model, or several, the oldest first.
    ///   - addedIn: The version of the model that added it.
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

    /// Adds a relationship to many objects.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - keyPath: The property.
    ///   - deleteRule: What deleting an object does to those it leads to.
    ///   - inverse: The relationship that leads back; it serves the compiler, which compares the classes.
    ///   - inverseName: Its name.
    ///   - isOrdered: Whether it keeps the order that its objects are put in.
    ///   - count: How many objects it leads to.
    ///   - renamedFrom: The name in an earlier version of the model, or several, the oldest first.
    ///   - addedIn: The version of the model that added it.
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
        relationship.minimumCount = count?.lowerBound
        relationship.maximumCount = count?.upperBound
        relationship.renamedFrom = renamedFrom
        relationship.addedIn = addedIn
        add(relationship, keyPath, to: Destination.self)
    }
}
