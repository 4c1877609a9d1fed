public import TransformableStore

extension StoreContext {
    /// Fetches objects of a class by one of the model's fetch requests.
    ///
    /// - Parameters:
    ///   - type: The entity class, which must be the class of the request's entity.
    ///   - name: The request's name.
    ///   - parameters: The values of the parameters in the request's condition. A `nil` value stands for null, and an
    ///     array can follow `in`.
    /// - Returns: The objects, in the request's order.
    /// - Throws: `StoreError` with the code `invalid-condition` if there is no such request, if it is for a different
    ///   entity, or if the parameters are not those of the request.
    public func fetch<Object: Entity>(
        _ type: Object.Type,
        request name: String,
        _ parameters: [String: (any Sendable)?] = [:]
    ) throws -> [Object] {
        try requireClass(type, of: type.entityName)
        let request = try store.model.requiredFetchRequest(name)
        guard request.entity == type.entityName else {
            throw StoreError(
                .invalidCondition,
                "the fetch request “\(name)” is for objects of \(request.entity)",
                entity: type.entityName
            )
        }
        return try fetch(request: name, parameters).map { try entity(of: $0) }
    }

    /// Reads the rows of objects that are not read yet, many per statement.
    ///
    /// - Parameter objects: The objects. Objects that were deleted in the meantime are left unchanged.
    /// - Throws: `StoreError` if the file cannot be read.
    public func prefetch(_ objects: [some Entity]) throws {
        try prefetch(objects.compactMap(\.managedObject))
    }

    /// Reads the objects of a to-one relationship, many per statement.
    ///
    /// Their values stay in memory for as long as you keep the objects.
    ///
    /// - Parameters:
    ///   - objects: The objects that have the relationship.
    ///   - keyPath: The relationship.
    /// - Returns: The related objects, without duplicates.
    /// - Throws: `StoreError` if the property is not a relationship, an object belongs to another context, the file
    ///   cannot be read, or a required attribute cannot be decoded.
    public func prefetch<Object: Entity, Destination: Entity>(
        _ objects: [Object],
        _ keyPath: KeyPath<Object, Destination?>
    ) throws -> [Destination] {
        let name = try Object.requirePropertyName(for: keyPath)
        return try prefetch(objects.compactMap(\.managedObject), name).map { try entity(of: $0) }
    }

    /// Reads the objects of a to-many relationship, many per statement.
    ///
    /// Their values stay in memory for as long as you keep the objects.
    ///
    /// - Parameters:
    ///   - objects: The objects that have the relationship.
    ///   - keyPath: The relationship.
    /// - Returns: The related objects, without duplicates.
    /// - Throws: `StoreError` if the property is not a relationship, an object belongs to another context, the file
    ///   cannot be read, or a required attribute cannot be decoded.
    public func prefetch<Object: Entity, Destination: Entity>(
        _ objects: [Object],
        _ keyPath: KeyPath<Object, [Destination]>
    ) throws -> [Destination] {
        let name = try Object.requirePropertyName(for: keyPath)
        return try prefetch(objects.compactMap(\.managedObject), name).map { try entity(of: $0) }
    }

    /// Discards the values of an object, including transient ones, so that they are read again when needed.
    ///
    /// If changes are kept and a `@Transient` property was set, none of the object's `@Transient` properties is reset,
    /// because the object does not know which of them were set. If its class has a `willSave()` method, which is yet to
    /// store what was set, `awakeFromFetch()` does not run either. The properties that were not set then still show the
    /// row that was read before. To compute such a property again, call your own code after the refresh.
    ///
    /// - Parameters:
    ///   - object: The object. A new or deleted object is left unchanged.
    ///   - keepingChanges: Whether to keep unsaved changes. If true, they replace changes that another context may have
    ///     saved, and saving them is not a conflict. If false, they are discarded.
    /// - Throws: `StoreError` with the code `misuse` if the object belongs to another context or was never inserted, or
    ///   `no-such-object` if `keepingChanges` is true and the object no longer exists.
    public func refresh(_ object: some Entity, keepingChanges: Bool = false) throws {
        try refresh(own(object.managedObject), keepingChanges: keepingChanges)
    }
}
