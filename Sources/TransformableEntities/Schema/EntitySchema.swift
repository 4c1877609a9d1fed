public import TransformableStore

/// What a class declares as an entity: its attributes and its relationships, in order.
///
/// `@Entity` writes it out; its functions are those that the macro calls, one for each property.
public struct _EntitySchema<Root: Entity>: Sendable {
    /// The attributes and relationships, in the order they are declared.
    public private(set) var properties: [_EntityProperty] = []
    // The ways to the properties from an object that may be missing, in the same order.
    private(set) var steps: [any AnyKeyPath & Sendable] = []
    private let renamedFrom: FormerNames
    private let addedIn: Int?
    private let unique: [[String]]
    // What makes an attribute's initial value, at each attribute's place; nil without one.
    private(set) var initials: [(@Sendable () -> Slot)?] = []
    // The attributes that are decoded when an object is fetched, since their getters have nothing else to give.
    private(set) var eager: [Int] = []
    // Whether code of the class may run while an object of it goes: its object then lives as long as its record.
    var runsDeinit = false
    // What the class has methods for; nil if there are none.
    var hooks: EntityHooks?
    // What is called when an object was fetched, and again after it was refreshed.
    var awake: (@Sendable (AnyObject) throws -> Void)?
    // What gives the properties that are not stored their initial values.
    var resetTransients: (@Sendable (AnyObject) -> Void)?

    /// Describes an entity.
    ///
    /// - Parameters:
    ///   - renamedFrom: The name in an earlier version of the model, or several, the oldest first.
    ///   - addedIn: The version of the model that added it.
    ///   - unique: Groups of properties whose values together occur once.
    ///   - describe: Adds the properties.
    public init(
        renamedFrom: FormerNames = nil,
        addedIn: Int? = nil,
        unique: [[String]] = [],
        _ describe: (inout Self) -> Void
    ) {
        self.renamedFrom = renamedFrom
        self.addedIn = addedIn
        self.unique = unique
        describe(&self)
    }

    /// Holds the compiler to it that what a class names first after its own name is a protocol.
    ///
    /// Of a superclass there is no “any”: what it stores would never be saved.
    ///
    /// - Parameter type: The protocol.
    public func hasNoSuperclass(_ type: any Any.Type) {}

    /// Notes the ways to all properties from an object that may be missing; `@Entity` writes them out.
    ///
    /// - Parameter steps: They, in the order of the properties.
    public mutating func steps(_ steps: any PartialKeyPath<Root?> & Sendable...) {
        self.steps = steps
    }

    /// The same by name.
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
            unique: unique
        )
        entity.renamedFrom = renamedFrom
        entity.addedIn = addedIn
        let made = zip(attributes, initials).compactMap { attribute, initial in initial.map { (attribute.name, $0) } }
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
