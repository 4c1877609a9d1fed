internal import TransformableStore

extension Entity {
    /// Lets a relationship to one lead to an object whose id is known, which is not read for that.
    ///
    /// It serves before the insertion as well, and so in the closure of a bulk insertion.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - id: The object's id; nil lets it lead nowhere.
    /// - Throws: `StoreError`: the property is no relationship, or what a setter would leave to the end of the block.
    ///   An object that does not exist is reported when the context saves.
    public func setReference<Destination: Entity>(
        _ keyPath: KeyPath<Self, Destination?>,
        to id: PersistentID<Destination>?
    ) throws {
        let (name, index) = try Self.relationship(keyPath)
        guard let managedObject else { return _record.setReference(number: id?.number, index) }
        guard let id else { return try managedObject.setObject(nil, for: name) }
        try managedObject.setObject(number: id.number, for: name)
    }

    /// The name and the place of a relationship.
    private static func relationship(_ keyPath: PartialKeyPath<Self>) throws(StoreError) -> (String, Int) {
        let name = try requirePropertyName(for: keyPath)
        let names = _entitySchema.properties.filter(\.isRelationship).map(\.name)
        guard let index = names.firstIndex(of: name) else {
            throw StoreError(.unknownAttribute, "it is not a relationship", entity: entityName, attribute: name)
        }
        return (name, index)
    }
}

extension _EntityProperty {
    fileprivate var isRelationship: Bool {
        if case .relationship = role { return true }
        return false
    }
}
