/// A reference from the objects of one entity to those of another.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name, unique among the entity's attributes and relationships.
    public var name: String
    /// The entity it leads to.
    public var destination: String
    /// Whether it leads to any number of objects.
    public var isToMany = false
    /// Whether the objects keep the order they were put in.
    public var isOrdered = false
    /// Whether a to-one relationship may lead nowhere.
    public var isOptional = true
    /// The relationship that leads back.
    public var inverse: String?
    /// What deleting an object does to those it leads to.
    public var deleteRule = DeleteRule.nullify
    /// The fewest objects a to-many relationship leads to.
    public var minimumCount: Int?
    /// The most objects a to-many relationship leads to.
    public var maximumCount: Int?
    /// The names in earlier versions of the model, the oldest first.
    public var renamedFrom = FormerNames()
    /// The version of the model that added it; nil if that is not stated.
    ///
    /// It tells the relationship from one of the same name that earlier versions had and dropped.
    public var addedIn: Int?
    /// Notes of the program's own.
    public var userInfo: [String: String] = [:]

    package init(_ name: String, to destination: String) {
        self.name = name
        self.destination = destination
    }

    /// Makes a relationship to one object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - destination: The entity it leads to.
    ///   - optional: Whether it may lead nowhere.
    ///   - inverse: The relationship that leads back.
    ///   - deleteRule: What deleting an object does to the one it leads to.
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

    /// Makes a relationship to any number of objects.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - destination: The entity it leads to.
    ///   - ordered: Whether the objects keep the order they were put in.
    ///   - inverse: The relationship that leads back.
    ///   - deleteRule: What deleting an object does to those it leads to.
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

/// What deleting an object does to the objects that a relationship of it leads to.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// Their reference back becomes empty.
    case nullify
    /// They are deleted too.
    case cascade
    /// The object cannot be deleted while there are any.
    case deny
    /// Nothing more than with every rule: a reference to an object that is deleted becomes empty.
    ///
    /// It is here for models of Core Data. There the program has to empty such references; here none ever leads to an object
    /// that does not exist.
    case noAction = "no-action"
}
