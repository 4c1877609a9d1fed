internal import TransformableStore

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
