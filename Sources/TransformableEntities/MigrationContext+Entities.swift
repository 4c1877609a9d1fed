public import TransformableStore

extension MigrationContext {
    /// Returns the old value of an attribute that the new class does not have, or declares with a different type.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new class.
    ///   - type: The type of the attribute's values.
    /// - Returns: The value.
    /// - Throws: `StoreError` with the code `missing-value` if there was no value, or any error thrown by the variant
    ///   for optional values.
    public func oldValue<Value>(_ name: String, of object: some Entity, as type: Value.Type) throws -> Value {
        try oldValue(name, of: stored(object), as: type)
    }

    /// Returns the old value of an optional attribute that the new class does not have, or declares with a different
    /// type.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new class.
    ///   - type: The type of the attribute's values, as an optional.
    /// - Returns: The value, or nil if there was none or the object is new.
    /// - Throws: `StoreError` with the code `unknown-attribute` if the old model has no such attribute, `undecodable`
    ///   if the value cannot be decoded, or `wrong-type` if it has a different type.
    public func oldValue<Value>(_ name: String, of object: some Entity, as type: Value?.Type) throws -> Value? {
        try oldValue(name, of: stored(object), as: type)
    }

    /// Returns the objects of a relationship of the old model that the new model does not have, or declares
    /// differently.
    ///
    /// - Parameters:
    ///   - name: The relationship's name in the old model.
    ///   - object: An object of the new class.
    /// - Returns: The ids of the objects, in order if the relationship was ordered. They have the entity names of the
    ///   new model, or of the old model if the new one lacks the entity.
    /// - Throws: `StoreError` with the code `unknown-attribute` if the old model has no such relationship, or if the
    ///   new model has it unchanged.
    public func oldObjects(_ name: String, of object: some Entity) throws -> [ObjectID] {
        try oldObjects(name, of: stored(object))
    }

    private func stored<Object: Entity>(_ object: Object) throws(StoreError) -> ManagedObject {
        guard let stored = object.managedObject else {
            throw StoreError(.noSuchObject, "the object is not inserted yet", entity: Object.entityName)
        }
        return stored
    }
}
