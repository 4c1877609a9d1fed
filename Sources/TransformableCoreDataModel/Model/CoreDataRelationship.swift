/// A relationship of an entity in a Core Data model.
///
/// Properties whose documentation says “XML only” are not in compiled models. They are then `nil`.
public struct CoreDataRelationship: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the destination entity.
    public var destination: String
    /// Whether the relationship can have more than one object.
    public var isToMany = false
    /// Whether the related objects of a to-many relationship are ordered.
    public var isOrdered = false
    /// Whether the relationship can be empty.
    public var isOptional = false
    /// Whether the relationship is not stored.
    public var isTransient = false
    /// Whether the relationship has an index of its own, as models declared it before fetch indexes.
    public var isIndexed = false
    /// The name of the inverse relationship, or `nil` if there is none.
    ///
    /// It is declared by the destination entity or one of its ancestors.
    public var inverse: String?
    /// The effect that deleting an object has on the related objects.
    public var deleteRule = CoreDataDeleteRule.nullify
    /// The smallest number of objects in a to-many relationship that is not empty, or 0 if there is none.
    ///
    /// A to-one relationship always has 0.
    public var minimumCount = 0
    /// The largest number of objects in a to-many relationship, or 0 if there is none.
    ///
    /// A to-one relationship always has 0.
    public var maximumCount = 0
    /// Whether the relationship takes part in synchronization.
    ///
    /// XML only.
    public var isSyncable: Bool?
    /// The identifier by which migrations recognize the relationship under its new name, usually its former name.
    public var renamingIdentifier: String?
    /// A string that makes two versions of the relationship differ.
    public var versionHashModifier: String?
    /// Additional information for the app's own use.
    public var userInfo: [String: String] = [:]

    /// Creates a relationship.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The name of the destination entity.
    ///   - toMany: Whether the relationship can have more than one object.
    ///   - ordered: Whether the related objects are ordered.
    ///   - optional: Whether the relationship can be empty.
    ///   - inverse: The name of the inverse relationship.
    public init(
        _ name: String,
        to destination: String,
        toMany: Bool = false,
        ordered: Bool = false,
        optional: Bool = true,
        inverse: String? = nil
    ) {
        self.name = name
        self.destination = destination
        isToMany = toMany
        isOrdered = ordered
        isOptional = optional
        self.inverse = inverse
    }
}

/// The effect that deleting an object has on the related objects.
///
/// The raw value is the number that Core Data uses in compiled models.
public enum CoreDataDeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// Leaves the related objects unchanged. Their references to the deleted object dangle unless the app clears them.
    case noAction = 0
    /// Clears the references of the related objects to the deleted object.
    case nullify = 1
    /// Deletes the related objects, too.
    case cascade = 2
    /// Refuses to delete the object as long as it has related objects.
    case deny = 3
}

extension CoreDataDeleteRule {
    /// The rule's name in the XML form of a model, such as `No Action`.
    public var name: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
