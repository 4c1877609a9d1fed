/// A reference from the objects of one entity to the objects of another.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name, which must be unique among the entity's attributes and relationships.
    public var name: String
    /// The destination entity.
    public var destination: String
    /// Whether the relationship can have any number of objects.
    public var isToMany = false
    /// Whether the related objects keep their order.
    public var isOrdered = false
    /// Whether a to-one relationship can be empty.
    public var isOptional = true
    /// The name of the inverse relationship.
    public var inverse: String?
    /// The effect that deleting an object has on the related objects.
    public var deleteRule = DeleteRule.nullify
    /// The smallest number of objects in a to-many relationship.
    public var minimumCount: Int?
    /// The largest number of objects in a to-many relationship.
    public var maximumCount: Int?
    /// The relationship's names in earlier versions of the model, oldest first.
    public var renamedFrom = FormerNames()
    /// The version of the model that added the relationship, or `nil` if it is not stated.
    ///
    /// The version distinguishes the relationship from one with the same name that was in earlier versions and was
    /// removed.
    public var addedIn: Int?
    /// Additional information for the program's own use.
    public var userInfo: [String: String] = [:]

    package init(_ name: String, to destination: String) {
        self.name = name
        self.destination = destination
    }

    /// Creates a to-one relationship.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The destination entity.
    ///   - optional: Whether the relationship can be empty.
    ///   - inverse: The name of the inverse relationship.
    ///   - deleteRule: What happens to the related object when an object is deleted.
    /// - Returns: The relationship.
    public static func toOne(
        _ name: String,
        _ destination: String,
        optional: Bool = true,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify
    ) -> Self {
        var relationship = Self(name, to: destination)
        relationship.isOptional = optional
        relationship.inverse = inverse
        relationship.deleteRule = deleteRule
        return relationship
    }

    /// Creates a to-many relationship.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The destination entity.
    ///   - ordered: Whether the related objects keep their order.
    ///   - inverse: The name of the inverse relationship.
    ///   - deleteRule: The effect that deleting an object has on the related objects.
    /// - Returns: The relationship.
    public static func toMany(
        _ name: String,
        _ destination: String,
        ordered: Bool = false,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify
    ) -> Self {
        var relationship = Self(name, to: destination)
        relationship.isToMany = true
        relationship.isOrdered = ordered
        relationship.inverse = inverse
        relationship.deleteRule = deleteRule
        return relationship
    }
}

/// The effect that deleting an object has on the related objects.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// Clears the references of the related objects to the deleted object.
    case nullify
    /// Deletes the related objects, too.
    case cascade
    /// Refuses to delete the object as long as it has related objects.
    case deny
    /// References to the deleted object are cleared, as with every rule, and nothing else happens.
    ///
    /// This rule exists for models from Core Data. There, the program has to clear such references. Here, no object
    /// refers to an object that does not exist.
    case noAction = "no-action"
}

/// A reference to objects that is kept only in memory, and discarded along with its object.
///
/// It has no inverse and no delete rule. Objects that are deleted disappear from it. Conditions cannot use it, because the
/// database does not know about it.
public struct TransientRelationship: Sendable, Hashable {
    /// The name, which must be unique among the entity's attributes and relationships.
    public var name: String
    /// The destination entity.
    public var destination: String
    /// Whether the relationship can have any number of objects, which then keep their order.
    public var isToMany: Bool
    /// Additional information for the program's own use.
    public var userInfo: [String: String] = [:]

    /// Creates a relationship that is kept only in memory.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The destination entity.
    ///   - many: Whether the relationship can have any number of objects.
    public init(_ name: String, to destination: String, many: Bool = false) {
        self.name = name
        self.destination = destination
        isToMany = many
    }
}

extension Model {
    /// Returns an entity's relationships that are kept only in memory, inherited ones first.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The relationships, or an empty array if there is no such entity.
    public func transientRelationships(of name: String) -> [TransientRelationship] {
        entity(name).map { lineage(of: $0).flatMap(\.transientRelationships) } ?? []
    }
}
