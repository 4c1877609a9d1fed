/// An entity of a Core Data model.
///
/// Its attributes and relationships are the ones that it declares itself, not those it inherits. They are sorted by
/// name. Properties whose documentation says “XML only” are not in compiled models. They are then `nil`.
public struct CoreDataEntity: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the entity that this entity inherits from.
    public var parent: String?
    /// Whether only the entity's children can have objects.
    public var isAbstract = false
    /// The class of the objects as the model states it, or `nil` if it states none.
    ///
    /// A leading dot stands for the app's module. Compiled models lack most class names.
    public var className: String?
    /// The attributes that the entity declares, sorted by name.
    public var attributes: [CoreDataAttribute] = []
    /// The relationships that the entity declares, sorted by name.
    public var relationships: [CoreDataRelationship] = []
    /// The fetched properties that the entity declares, sorted by name.
    public var fetchedProperties: [CoreDataFetchedProperty] = []
    /// The indexes.
    public var indexes: [CoreDataIndex] = []
    /// Groups of attributes and to-one relationships whose combined values must be unique.
    public var uniquenessConstraints: [[String]] = []
    /// How Xcode generates the class: `class` or `category`.
    ///
    /// XML only.
    public var codeGeneration: String?
    /// Whether the objects take part in synchronization.
    ///
    /// XML only.
    public var isSyncable: Bool?
    /// The identifier by which migrations recognize the entity under its new name, usually its former name.
    public var renamingIdentifier: String?
    /// A string that makes two versions of the entity differ.
    public var versionHashModifier: String?
    /// Additional information for the app's own use.
    public var userInfo: [String: String] = [:]

    /// Creates an entity.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - parent: The name of the entity to inherit from.
    ///   - abstract: Whether only the entity's children can have objects.
    ///   - attributes: The attributes.
    ///   - relationships: The relationships.
    public init(
        _ name: String,
        parent: String? = nil,
        abstract: Bool = false,
        attributes: [CoreDataAttribute] = [],
        relationships: [CoreDataRelationship] = []
    ) {
        self.name = name
        self.parent = parent
        isAbstract = abstract
        self.attributes = attributes.sorted { $0.name < $1.name }
        self.relationships = relationships.sorted { $0.name < $1.name }
    }
}

extension CoreDataEntity {
    /// Returns the attribute with the given name that the entity itself declares.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The attribute, or `nil` if there is none.
    public func attribute(_ name: String) -> CoreDataAttribute? {
        attributes.first { $0.name == name }
    }

    /// Returns the relationship with the given name that the entity itself declares.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The relationship, or `nil` if there is none.
    public func relationship(_ name: String) -> CoreDataRelationship? {
        relationships.first { $0.name == name }
    }
}
