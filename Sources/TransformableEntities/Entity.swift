public import TransformableStore

/// A class whose objects are those of an entity of a store.
///
/// `@Entity` makes a class conform; nothing here is written by hand. Objects belong to their context, as the
/// `ManagedObject`s below them do, and are not `Sendable`; what leaves a block is values and ``PersistentID``s.
public protocol Entity: AnyObject, SendableMetatype {
    /// What the class declares: the entity's name, its attributes and its relationships.
    static var entitySchema: EntitySchema<Self> { get }

    /// Makes the object that stands for one of a store.
    ///
    /// - Parameter object: The object of the store, which is of this entity.
    init(_ object: ManagedObject)

    /// Where the object's values are: with the object itself until it is inserted, in its context from then on.
    var _record: EntityRecord { get }
}

extension Entity {
    /// The entity's name.
    public static var entityName: String { entitySchema.name }

    /// Gives the name of the attribute or relationship that a key path leads to.
    ///
    /// - Parameter keyPath: A path of one step, from this class.
    /// - Returns: The name; nil if it leads to nothing that is stored.
    public static func propertyName(for keyPath: AnyKeyPath) -> String? {
        entitySchema.properties.first { $0.keyPath == keyPath }?.name
    }
}
