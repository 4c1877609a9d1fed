public import TransformableStore

extension MigrationContext {
    /// Gives what an attribute that the new class lacks, or has by another type, held in an object.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new class.
    ///   - type: The type of its values.
    /// - Returns: The value.
    /// - Throws: `StoreError`: `missing-value` if there was none, and what the one for optional values throws.
    public func oldValue<Value>(_ name: String, of object: some Entity, as type: Value.Type) throws -> Value {
        try oldValue(name, of: stored(object), as: type)
    }

    /// Gives what an attribute that the new class lacks, or has by another type, held in an object.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new class.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value; nil if there was none, and for an object that is new.
    /// - Throws: `StoreError`: `unknown-attribute`, `undecodable` or `wrong-type`.
    public func oldValue<Value>(_ name: String, of object: some Entity, as type: Value?.Type) throws -> Value? {
        try oldValue(name, of: stored(object), as: type)
    }

    /// Gives the objects that a relationship of the old model led to, where the new model does not have it as it was.
    ///
    /// - Parameters:
    ///   - name: The relationship's name in the old model.
    ///   - object: An object of the new class.
    /// - Returns: The objects, in their order if there was one; by the names that their entities have in the new model, or had
    ///   in the old one if the new one lacks them.
    /// - Throws: `StoreError`: `unknown-attribute` if the old model has no such relationship, or the new one has it as it was.
    public func oldObjects(_ name: String, of object: some Entity) throws -> [ObjectID] {
        try oldObjects(name, of: stored(object))
    }

    private func stored<Object: Entity>(_ object: Object) throws(StoreError) -> ManagedObject {
        guard let stored = object.managedObject else {
            throw StoreError(.noSuchObject, "the object has not been inserted yet", entity: Object.entityName)
        }
        return stored
    }
}
