/// An entity: its attributes and relationships, stored in a table of its own.
public struct EntityDescription: Sendable, Hashable {
    /// The name of the entity and of its table.
    public var name: String
    /// The entity that this entity inherits attributes and relationships from.
    public var parent: String?
    /// Whether only the entity's children can have objects.
    public var isAbstract = false
    /// The attributes, in the order of their columns.
    public var attributes: [AttributeDescription]
    /// Values that are stored in several columns, which follow the columns of the attributes.
    public var composites: [CompositeDescription]
    /// The relationships.
    public var relationships: [RelationshipDescription]
    /// The relationships that are kept only in memory.
    public var transientRelationships: [TransientRelationship] = []
    /// Groups of attributes whose combined values must be unique among the entity's own objects.
    ///
    /// Children inherit their parents' groups. The values of their objects are unique separately.
    public var uniqueness: [[String]] = []
    /// Indexes over several columns, or in descending order.
    ///
    /// Each is a list of attributes, projections, and to-one relationships. A fetch can use an index if it compares the
    /// first of them, or sorts by them in the same order or in exactly the opposite one. Children inherit their
    /// parents' indexes. For a single column in ascending order, ``AttributeDescription/isIndexed`` is enough.
    ///
    /// A relationship whose references are stored in the other entity's table is left out, because they are always
    /// indexed there.
    public var indexes: [[SortKey]] = []
    /// Columns that are computed from several attributes.
    public var projections: [CompoundProjection] = []
    /// Whether each row has a tag, so that changes made without the store's key are detected.
    ///
    /// It also applies to the entities that inherit from this one. Writing such rows requires a secret key.
    public var authenticatesRows = false
    /// Whether the objects belong to no tenant and are the same for all tenants, in a model with tenants.
    ///
    /// It also applies to the entities that inherit from this one. Every tenant can read shared objects, and objects of
    /// tenants can refer to them, but shared objects cannot refer to those of tenants.
    public var isShared = false
    /// The entity's names in earlier versions of the model, oldest first.
    public var renamedFrom = FormerNames()
    /// The version of the model that added the entity, or `nil` if it is not stated.
    ///
    /// The version distinguishes the entity from one with the same name that was in earlier versions and was removed.
    public var addedIn: Int?
    /// Additional information for the program's own use.
    public var userInfo: [String: String] = [:]
    /// The class that represents the entity's objects in code, or `nil` if there is none.
    package var entityClass: EntityClass?

    /// Creates an entity.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - parent: The entity to inherit from.
    ///   - abstract: Whether only the entity's children can have objects.
    ///   - attributes: The attributes, in the order of their columns.
    ///   - composites: Values that are stored in several columns, which follow the columns of the attributes.
    ///   - relationships: The relationships.
    ///   - transientRelationships: The relationships that are kept only in memory.
    ///   - unique: Groups of attributes whose combined values must be unique.
    ///   - indexes: Indexes over several columns, or in descending order.
    ///   - projections: Columns that are computed from several attributes.
    ///   - authenticatesRows: Whether each row has a tag, so that changes made without the store's key are detected.
    ///   - shared: Whether the objects belong to no tenant and are the same for all tenants, in a model with tenants.
    public init(
        _ name: String,
        parent: String? = nil,
        abstract: Bool = false,
        attributes: [AttributeDescription] = [],
        composites: [CompositeDescription] = [],
        relationships: [RelationshipDescription] = [],
        transientRelationships: [TransientRelationship] = [],
        unique: [[String]] = [],
        indexes: [[SortKey]] = [],
        projections: [CompoundProjection] = [],
        authenticatesRows: Bool = false,
        shared: Bool = false
    ) {
        self.name = name
        self.parent = parent
        isAbstract = abstract
        self.attributes = attributes
        self.composites = composites
        self.relationships = relationships
        self.transientRelationships = transientRelationships
        uniqueness = unique
        self.indexes = indexes
        self.projections = projections
        self.authenticatesRows = authenticatesRows
        isShared = shared
    }

    /// The attributes and the parts of the composites: everything that has a column.
    package var columns: [AttributeDescription] {
        attributes + composites.flatMap(\.attributes)
    }

    /// Returns the attribute or the part of a composite with the given column.
    package func column(_ name: String) -> AttributeDescription? {
        columns.first { $0.name == name }
    }

    /// Replaces the attribute or the part of a composite that has the same column.
    package mutating func replaceColumn(_ attribute: AttributeDescription) {
        for index in attributes.indices where attributes[index].name == attribute.name {
            attributes[index] = attribute
        }
        for index in composites.indices { composites[index].replacePart(attribute) }
    }

    /// Returns the attribute with the given name that the entity itself declares.
    ///
    /// - Parameter name: The attribute's name.
    /// - Returns: The attribute, or `nil` if there is none.
    public func attribute(_ name: String) -> AttributeDescription? {
        attributes.first { $0.name == name }
    }
}

/// The class that represents an entity's objects in code.
package struct EntityClass: Sendable {
    package let type: any AnyObject.Type
    /// Functions that make the initial values of the attributes, by attribute name.
    ///
    /// They return the objects in which the store keeps values.
    package let initials: [String: @Sendable () -> AnyObject]
    /// Resets the properties that an object of the class keeps only in memory, or `nil` if there are none.
    package let reset: (@Sendable (AnyObject) -> Void)?
    /// Notifies an object of the class that it was fetched, or `nil` if the class does not need to know.
    package let awake: (@Sendable (AnyObject) throws -> Void)?
    /// The `EntityHooks` that the class implements, except those of its parents, or `nil` if there are none.
    package let hooks: (any Sendable)?

    package init(
        _ type: any AnyObject.Type,
        initials: [String: @Sendable () -> AnyObject] = [:],
        reset: (@Sendable (AnyObject) -> Void)? = nil,
        awake: (@Sendable (AnyObject) throws -> Void)? = nil,
        hooks: (any Sendable)? = nil
    ) {
        self.type = type
        self.initials = initials
        self.reset = reset
        self.awake = awake
        self.hooks = hooks
    }
}

extension EntityClass: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}
