public import TransformableStore

/// A class whose objects are those of an entity of a store.
///
/// `@Entity` makes a class conform; what begins with an underscore is written by the macro and not for programs to use. Objects belong to their context, as the
/// `ManagedObject`s below them do, and are not `Sendable`; what leaves a block is values and ``PersistentID``s.
public protocol Entity: AnyObject, Hashable, SendableMetatype {
    /// The entity's name.
    static var entityName: String { get }

    /// What the class declares: its attributes and its relationships.
    static var _entitySchema: _EntitySchema<Self> { get }

    /// Makes the object that stands for one of a store.
    ///
    /// - Parameter object: The object of the store, which is of this entity.
    init(_stored object: ManagedObject)

    /// Where the object's values are: with the object itself until it is inserted, in its context from then on.
    var _record: _EntityRecord { get }
}

extension Entity {
    /// Whether both are the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// Hashes which object it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Entity {
    /// Gives the name of the attribute or relationship that a key path leads to.
    ///
    /// - Parameter keyPath: A path of one step, from this class.
    /// - Returns: The name; nil if it leads to nothing that is stored.
    public static func propertyName(for keyPath: AnyKeyPath) -> String? {
        _entitySchema.properties.first { $0.keyPath == keyPath }?.name
    }
}

extension Entity {
    /// Whether a key path leads to the object's id.
    static func isID(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.persistentID }
}

extension StoreError {
    /// A key path to something that is not stored; of a computed property it knows the type alone.
    static func notStored(_ keyPath: AnyKeyPath, in entity: String) -> Self {
        let path = keyPath.debugDescription
        let name = path.contains("<computed") ? "a computed property (\(type(of: keyPath).valueType))" : "“\(path)”"
        return Self(
            .unknownAttribute,
            "\(name) is not stored, so a store can neither find nor compute by it",
            entity: entity
        )
    }
}
