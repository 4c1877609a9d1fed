public import TransformableStore

/// The attributes and relationships of an entity class, those of its parent first, in order of declaration.
public struct _EntitySchema: Sendable {
    /// The attributes and relationships, those of the parent first.
    public internal(set) var properties: [_EntityProperty] = []
    // The key paths of the properties from an optional object, in the same order.
    var steps: [any AnyKeyPath & Sendable] = []
    private var type: any Entity.Type
    private(set) var parent: (any Entity.Type)?
    // Whether all objects of the entity are instances of the class itself.
    private(set) var isFinal: Bool
    private var isAbstract: Bool
    private var renamedFrom: FormerNames
    private var addedIn: Int?
    private var unique: [[String]]
    private var indexes: [[SortKey]]
    private var projections: [CompoundProjection]
    private var authenticatesRows: Bool
    private var isShared: Bool
    // The closures that create initial values, indexed by attribute. An element is nil if there is no initial value.
    var initials: [(@Sendable () -> Slot)?] = []
    // The attributes that are decoded when an object is fetched, because their getters have no placeholder to return.
    var eager: [Int] = []
    // Whether the class has a deinitializer. If so, its objects live as long as their records.
    var runsDeinit = false
    // The hooks that the class implements or inherits, or nil if there are none.
    var hooks: EntityHooks?
    // A hook for each kind that the class can see in its parent, and therefore inherits or overrides.
    var visibleHooks = EntityHooks()
    // The closure to call after an object is fetched or refreshed.
    var awake: (@Sendable (AnyObject) throws -> Void)?
    // The part of it that calls methods of parents that the class cannot see.
    var hiddenAwake: (@Sendable (AnyObject) throws -> Void)?
    // The closures that reset properties that are not stored to their initial values.
    var resets: [@Sendable (AnyObject) -> Void] = []

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - parent: The entity class that it inherits from.
    ///   - isFinal: Whether the class has no children.
    ///   - isAbstract: Whether only the children of the class have objects.
    ///   - renamedFrom: The entity's names in earlier versions of the model, oldest first.
    ///   - addedIn: The version of the model that added the entity.
    ///   - unique: Groups of properties whose combined values must be unique.
    ///   - indexes: Indexes over several properties, or in descending order.
    ///   - projections: Columns that are computed from several attributes.
    ///   - authenticatesRows: Whether each row has a tag.
    ///   - isShared: Whether the objects are the same for all tenants.
    ///   - describe: A closure that adds the properties, those of the parent first.
    public init<Root: Entity>(
        of type: Root.Type,
        parent: (any Entity.Type)? = nil,
        isFinal: Bool = true,
        isAbstract: Bool = false,
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil,
        unique: [[String]] = [],
        indexes: [[SortKey]] = [],
        projections: [CompoundProjection] = [],
        authenticatesRows: Bool = false,
        isShared: Bool = false,
        _ describe: (inout _EntitySchemaBuilder<Root>) -> Void
    ) {
        self.type = type
        self.parent = parent
        self.isFinal = isFinal
        self.isAbstract = isAbstract
        self.renamedFrom = renamedFrom
        self.addedIn = addedIn
        self.unique = unique
        self.indexes = indexes
        self.projections = projections
        self.authenticatesRows = authenticatesRows
        self.isShared = isShared
        var builder = _EntitySchemaBuilder<Root>(schema: self)
        describe(&builder)
        self = builder.schema
    }

    /// Whether a fetched object may fail to get its instance, because something must be read or run for that.
    var mayFailToFetch: Bool { !isFinal || !eager.isEmpty || awake != nil }

    /// The hooks that the store has to run for the entity, except those of a parent, which also run for its children.
    ///
    /// A hook is a method, so running that of the parent runs the child's if the child overrides it. A child cannot
    /// override a method that it does not see, such as a private one.
    private var ownHooks: EntityHooks? {
        guard let parent, let inherited = parent._entitySchema.hooks else { return hooks }
        return hooks?.without(inherited, seenAs: visibleHooks)
    }

    /// The untyped description.
    public var description: EntityDescription {
        var attributes: [AttributeDescription] = []
        var relationships: [RelationshipDescription] = []
        for property in properties.dropFirst(parent?._entitySchema.properties.count ?? 0) {
            switch property.role {
            case .attribute(var attribute):
                // The initial value is only a placeholder.
                if attribute.derivation != nil { attribute.defaultValue = nil }
                attributes.append(attribute)
            case .relationship(let relationship, _): relationships.append(relationship)
            }
        }
        var entity = EntityDescription(
            type.entityName,
            parent: parent?.entityName,
            abstract: isAbstract,
            attributes: attributes,
            relationships: relationships,
            unique: unique,
            indexes: indexes,
            projections: projections,
            authenticatesRows: authenticatesRows,
            shared: isShared
        )
        entity.renamedFrom = renamedFrom
        entity.addedIn = addedIn
        entity.entityClass = entityClass
        return entity
    }

    private var entityClass: EntityClass {
        let names = properties.filter { !$0.isRelationship }.map(\.name)
        let made: [(String, @Sendable () -> AnyObject)] = zip(names, initials)
            .compactMap { name, initial in
                initial.map { make in (name, { make() }) }
            }
        let byName = Dictionary(made) { first, _ in first }
        return EntityClass(type, initials: byName, reset: reset, awake: awake, hooks: ownHooks)
    }

    private var reset: (@Sendable (AnyObject) -> Void)? {
        guard !resets.isEmpty else { return nil }
        return { [resets] object in
            for reset in resets { reset(object) }
        }
    }
}

/// The number of properties that a class inherits, which precede its own.
@frozen
public struct _EntityOffset: Sendable {
    /// The number of inherited attributes.
    public let attributes: Int
    /// The number of inherited relationships.
    public let relationships: Int

    /// Creates the offset of a class without a parent.
    @inlinable
    public init() {
        attributes = 0
        relationships = 0
    }

    /// Creates the offset of a class with a parent.
    ///
    /// - Parameter parent: The parent.
    public init(after parent: any Entity.Type) {
        let schema = parent._entitySchema
        attributes = schema.initials.count
        relationships = schema.properties.count - schema.initials.count
    }
}

/// An attribute or a relationship that an entity class declares.
public struct _EntityProperty: Sendable {
    /// The role of a property in the model.
    public enum Role: Sendable {
        /// An attribute, which is stored in a column.
        case attribute(AttributeDescription)
        /// A relationship, and the class of its objects.
        case relationship(RelationshipDescription, any Entity.Type)
    }

    /// The name of the property, both in the class and in the model.
    public let name: String
    /// The key path of the property.
    public let keyPath: any AnyKeyPath & Sendable
    /// The role of the property in the model.
    public let role: Role

    var isRelationship: Bool {
        if case .relationship = role { return true }
        return false
    }
}
