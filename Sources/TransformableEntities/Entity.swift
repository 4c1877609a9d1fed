public import TransformableStore

/// A class whose instances are stored as objects of an entity.
///
/// Apply `@Entity` to make a class conform to this protocol. Members whose names begin with an underscore are generated
/// by the macro and are not intended for direct use. Like managed objects, entities belong to a context and are not
/// `Sendable`. To pass a reference out of a `read` or `write` block, use its ``PersistentID``.
public protocol Entity: AnyObject, Hashable, SendableMetatype {
    /// The name of the entity.
    static var entityName: String { get }

    /// The attributes and relationships that the class declares.
    static var _entitySchema: _EntitySchema { get }

    /// Creates the instance that represents a stored object.
    ///
    /// - Parameter object: The stored object, which must belong to this entity.
    init(_stored object: ManagedObject)

    /// The object's values. They belong to the object until it is inserted, and to its context from then on.
    var _record: _EntityRecord { get }
}

/// An entity class that is declared with `@Entity`.
///
/// Only the macro adds this conformance, which tells it whether a superclass is an entity.
public protocol _EntityClass: Entity {}

extension Entity {
    /// Returns whether two references are to the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Returns the name of the attribute or relationship at a key path.
    ///
    /// - Parameter keyPath: A key path with a single component, rooted at this class.
    /// - Returns: The name, or nil if the property is not stored.
    public static func propertyName(for keyPath: AnyKeyPath) -> String? {
        _entitySchema.properties.first { $0.keyPath == keyPath }?.name
    }

    /// The schema of the object's own class, which may be a child of the class that the caller knows.
    var ownSchema: _EntitySchema { type(of: self)._entitySchema }

    /// Returns whether a key path is that of the object's id.
    static func isID(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.persistentID }
}

extension StoreError {
    /// Returns the error for a key path to a property that is not stored.
    ///
    /// For a computed property, only its type is known.
    static func notStored(_ keyPath: AnyKeyPath, in entity: String) -> Self {
        let path = keyPath.debugDescription
        let name = path.contains("<computed") ? "a computed property (\(type(of: keyPath).valueType))" : "“\(path)”"
        return Self(
            .unknownAttribute,
            "\(name) is not stored, so it cannot be used in a query",
            entity: entity
        )
    }
}

extension Entity {
    /// Sets a to-one relationship to the object with an id, without reading that object.
    ///
    /// You can call this method before the object is inserted, for example in the closure of a bulk insertion.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - id: The id of the object, or nil to clear the relationship.
    /// - Throws: `StoreError` if the property is not a relationship, or if the relationship cannot be set. If no object
    ///   has the id, the error is thrown when the context saves.
    public func setReference<Destination: Entity>(
        _ keyPath: KeyPath<Self, Destination?>,
        to id: PersistentID<Destination>?
    ) throws {
        let (name, index) = try Self.relationship(keyPath)
        guard let managedObject else { return _record.setReference(id?.objectID, index) }
        guard let id else { return try managedObject.setObject(nil, for: name) }
        try managedObject.setObject(id.objectID, for: name)
    }

    /// Returns the name and the index of a relationship.
    private static func relationship(_ keyPath: PartialKeyPath<Self>) throws(StoreError) -> (String, Int) {
        let name = try requirePropertyName(for: keyPath)
        let names = _entitySchema.properties.filter(\.isRelationship).map(\.name)
        guard let index = names.firstIndex(of: name) else {
            throw StoreError(
                .unknownAttribute,
                "the property is not a relationship",
                entity: entityName,
                attribute: name
            )
        }
        return (name, index)
    }
}
