public import TransformableStore

/// The attributes and relationships that an entity class declares, in order of declaration.
///
/// `@Entity` generates the schema by calling one of its methods for each property.
public struct _EntitySchema<Root: Entity>: Sendable {
    /// The attributes and relationships, in order of declaration.
    public private(set) var properties: [_EntityProperty] = []
    // The key paths of the properties from an optional object, in the same order.
    private(set) var steps: [any AnyKeyPath & Sendable] = []
    private let renamedFrom: FormerNames
    private let addedIn: Int?
    private let unique: [[String]]
    private let authenticatesRows: Bool
    // The closures that create initial values, indexed by attribute. An element is nil if there is no initial value.
    private(set) var initials: [(@Sendable () -> Slot)?] = []
    // The attributes that are decoded when an object is fetched, because their getters have no placeholder to return.
    private(set) var eager: [Int] = []
    // Whether the class has a deinitializer. If so, its objects live as long as their records.
    var runsDeinit = false
    // The hooks that the class implements, or nil if there are none.
    var hooks: EntityHooks?
    // The closure to call after an object is fetched or refreshed.
    var awake: (@Sendable (AnyObject) throws -> Void)?
    // The closure that resets properties that are not stored to their initial values.
    var resetTransients: (@Sendable (AnyObject) -> Void)?

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - renamedFrom: The entity's names in earlier versions of the model, oldest first.
    ///   - addedIn: The version of the model that added the entity.
    ///   - unique: Groups of properties whose combined values must be unique.
    ///   - authenticatesRows: Whether each row has a tag.
    ///   - describe: A closure that adds the properties.
    public init(
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil,
        unique: [[String]] = [],
        authenticatesRows: Bool = false,
        _ describe: (inout Self) -> Void
    ) {
        self.renamedFrom = renamedFrom
        self.addedIn = addedIn
        self.unique = unique
        self.authenticatesRows = authenticatesRows
        describe(&self)
    }

    /// Makes the compiler verify that the first type a class inherits from is a protocol.
    ///
    /// There is no “any” of a superclass. The stored properties of a superclass would never be saved.
    ///
    /// - Parameter type: The protocol.
    public func hasNoSuperclass(_ type: any Any.Type) {}

    /// Registers the key paths of all properties from an optional object.
    ///
    /// `@Entity` generates them.
    ///
    /// - Parameter steps: The key paths, in the order of the properties.
    public mutating func steps(_ steps: any PartialKeyPath<Root?> & Sendable...) {
        self.steps = steps
    }

    /// The untyped description.
    public var description: EntityDescription {
        var attributes: [AttributeDescription] = []
        var relationships: [RelationshipDescription] = []
        for property in properties {
            switch property.role {
            case .attribute(let attribute): attributes.append(attribute)
            case .relationship(let relationship, _): relationships.append(relationship)
            }
        }
        var entity = EntityDescription(
            Root.entityName,
            attributes: attributes,
            relationships: relationships,
            unique: unique,
            authenticatesRows: authenticatesRows
        )
        entity.renamedFrom = renamedFrom
        entity.addedIn = addedIn
        let made: [(String, @Sendable () -> AnyObject)] = zip(attributes, initials)
            .compactMap { attribute, initial in
                initial.map { make in (attribute.name, { make() }) }
            }
        entity.face = EntityFace(
            Root.self,
            initials: Dictionary(made) { first, _ in first },
            reset: resetTransients,
            awake: awake
        )
        return entity
    }

    mutating func add(
        _ attribute: AttributeDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        isEager: Bool,
        initial: (@Sendable () -> Slot)?
    ) {
        if isEager { eager.append(initials.count) }
        initials.append(initial)
        properties.append(_EntityProperty(name: attribute.name, keyPath: keyPath, role: .attribute(attribute)))
    }

    mutating func add(
        _ relationship: RelationshipDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        to destination: any Entity.Type
    ) {
        let role = _EntityProperty.Role.relationship(relationship, destination)
        properties.append(_EntityProperty(name: relationship.name, keyPath: keyPath, role: role))
    }
}
