public import Foundation
public import TransformableStore

extension StoreContext {
    /// Returns the entity object that represents a managed object: the same instance for as long as it is alive.
    func entity<Object: Entity>(of object: ManagedObject) throws -> Object {
        try entity(of: object, Object._entitySchema)
    }

    private func entity<Object: Entity>(of object: ManagedObject, _ schema: _EntitySchema) throws -> Object {
        if let entity = object.representative as? Object {
            try object.awakeIfOutdated()
            return entity
        }
        guard schema.isFinal else { return try entityOfFamily(object) }
        return try newEntity(of: object, schema)
    }

    /// Returns an instance of the class of the object's own entity.
    private func entityOfFamily<Object: Entity>(_ object: ManagedObject) throws -> Object {
        func make<Own: Entity>(_ own: Own.Type) throws -> Own { try newEntity(of: object, own._entitySchema) }
        guard let own = object.classType as? any Entity.Type, let entity = try make(own) as? Object else {
            throw object.isNot(Object.self)
        }
        return entity
    }

    private func newEntity<Object: Entity>(of object: ManagedObject, _ schema: _EntitySchema) throws -> Object {
        // Before the code of the class is told of the fetch, because a getter could neither return nor invent a value.
        for index in schema.eager {
            try object.requireValue(at: index)
        }
        let entity = Object(_stored: object)
        object.setRepresentative(entity, runsDeinit: schema.runsDeinit)
        if schema.awake != nil { try object.awakeRepresentative() }
        return entity
    }
}

// MARK: - By id

extension StoreContext {
    /// Returns the object with an id.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object.
    /// - Throws: `StoreError` with the code `no-such-object` if there is no such object, `wrong-type` if the id belongs
    ///   to an object of a different class, or `undecodable` if a required attribute cannot be decoded.
    public func object<Object>(_ id: PersistentID<Object>) throws -> Object {
        try requireClass(Object.self, of: Object.entityName)
        return try checkedEntity(of: object(id.objectID))
    }

    /// Returns the object with an id, if it exists.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object, or nil if there is none.
    /// - Throws: `StoreError` with the code `wrong-type` if the id belongs to an object of a different class, or
    ///   `undecodable` if a required attribute cannot be decoded.
    public func objectIfPresent<Object>(_ id: PersistentID<Object>) throws -> Object? {
        try requireClass(Object.self, of: Object.entityName)
        return try objectIfPresent(id.objectID).map { try checkedEntity(of: $0) }
    }

    /// Returns the entity object for a managed object that an id has named, whose entity may be any.
    private func checkedEntity<Object: Entity>(of object: ManagedObject) throws -> Object {
        guard object.classType is Object.Type else { throw object.isNot(Object.self) }
        return try entity(of: object)
    }
}

extension ManagedObject {
    fileprivate func isNot(_ type: (some Entity).Type) -> StoreError {
        StoreError(.wrongType, "the object is not of the class “\(type)”", entity: id.entity, object: id)
    }
}

// MARK: - By condition

extension StoreContext {
    /// Fetches the objects that match a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The objects.
    /// - Throws: `StoreError` if the condition or sort order is invalid, or if a required attribute cannot be decoded.
    public func fetch<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Object] {
        try requireClass(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        let schema = type._entitySchema
        return try fetch(type.entityName, where: condition, sortedBy: keys, limit: limit, offset: offset)
            .map { try entity(of: $0, schema) }
    }

    /// Returns the first object that matches a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first.
    /// - Returns: The object, or nil if no object matches.
    /// - Throws: `StoreError` if the condition or sort order is invalid, or if a required attribute cannot be decoded.
    public func first<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = []
    ) throws -> Object? {
        try fetch(type, where: condition, sortedBy: order, limit: 1).first
    }

    /// Calls a closure with each object that matches a condition.
    ///
    /// In a block that reads, memory use is constant unless you keep the objects. In a block that writes, memory use also
    /// grows with the number of objects, whose numbers are kept because the closure may insert, change, or delete objects.
    /// It is called with the objects that satisfied the condition in the beginning and have not been deleted since.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - body: A closure that is called with each object.
    /// - Throws: `StoreError` if the condition or sort order is invalid, or if a required attribute cannot be decoded.
    ///   Any error thrown by `body` is also thrown.
    public func forEach<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (Object) throws -> Void
    ) throws {
        try requireClass(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        let schema = type._entitySchema
        try forEach(type.entityName, where: condition, sortedBy: keys, limit: limit, offset: offset) {
            try body(entity(of: $0, schema))
        }
    }

    /// Calls a closure with batches of the objects that match a condition.
    ///
    /// Only one batch is in memory at a time. In a block that writes, the closure may insert, change, or delete objects,
    /// as in `forEach`.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - size: The maximum number of objects in a batch.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - body: A closure that is called with each batch.
    /// - Throws: `StoreError` if the size, the condition, or the sort order is invalid, or if a required attribute cannot be
    ///   decoded. Any error thrown by `body` is also thrown.
    public func forEachBatch<Object: Entity>(
        _ type: Object.Type,
        of size: Int,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        _ body: ([Object]) throws -> Void
    ) throws {
        try requireClass(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        let schema = type._entitySchema
        try forEachBatch(type.entityName, of: size, where: condition, sortedBy: keys) { batch in
            try body(batch.map { try entity(of: $0, schema) })
        }
    }

    /// Returns the number of objects that match a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    /// - Returns: The number of objects.
    /// - Throws: `StoreError` if the condition is invalid.
    public func count(_ type: (some Entity).Type, where condition: Condition = .all) throws -> Int {
        try requireClass(type, of: type.entityName)
        return try count(type.entityName, where: condition)
    }

    /// Returns whether any object matches a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    /// - Returns: Whether there is at least one such object.
    /// - Throws: `StoreError` if the condition is invalid.
    public func exists(_ type: (some Entity).Type, where condition: Condition = .all) throws -> Bool {
        try requireClass(type, of: type.entityName)
        return try exists(type.entityName, where: condition)
    }

    /// Returns the ids of the objects that match a condition, reading nothing else where possible.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The ids.
    /// - Throws: `StoreError` if the condition or sort order is invalid.
    public func ids<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [PersistentID<Object>] {
        try requireClass(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        return try ids(type.entityName, where: condition, sortedBy: keys, limit: limit, offset: offset)
            .map { PersistentID($0) }
    }

    /// Deletes the objects that match a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    /// - Returns: The number of deleted objects.
    /// - Throws: `StoreError` if the condition is invalid.
    @discardableResult
    public func delete(_ type: (some Entity).Type, where condition: Condition) throws -> Int {
        try requireClass(type, of: type.entityName)
        return try delete(type.entityName, where: condition)
    }

    /// Updates the objects that match a condition.
    ///
    /// Changes are written after every thousand objects, which need not stay in memory then. All objects stay in memory if
    /// unique values move from one object to another, as in `position += 1`, if an object is deleted before those that
    /// deny its deletion, if the block has changed an object that is not complete or valid yet, or if the context is
    /// one for editing. Memory use also grows with the number of objects, whose numbers are kept because the closure
    /// may insert, change, or delete objects. The objects are determined before the first one is updated, and those
    /// that the closure deletes before their turn are left out.
    ///
    /// If an error is thrown, earlier objects keep their changes, so let the error end the block. In a context for editing,
    /// undo them.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - progress: A closure that is called with the number of objects updated so far. If it throws an error, the
    ///     update ends.
    ///   - body: A closure that updates an object.
    /// - Returns: The number of updated objects.
    /// - Throws: `StoreError` if the condition is invalid, if a value cannot be stored, or with the code `read-only`. Any
    ///   error thrown by `body` or `progress` is also thrown.
    @discardableResult
    public func update<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        progress: ((_ count: Int) throws -> Void)? = nil,
        _ body: (Object) throws -> Void
    ) throws -> Int {
        try requireClass(type, of: type.entityName)
        let schema = type._entitySchema
        return try update(type.entityName, where: condition, progress: progress) { try body(entity(of: $0, schema)) }
    }
}

extension SortKey {
    /// Creates a sort key for a stored property of the class, or of an object at the end of to-one relationships.
    init<Object: Entity>(_ descriptor: SortDescriptor<Object>) throws(StoreError) {
        guard let keyPath = descriptor.keyPath, let name = EntityPath.name(of: keyPath, from: Object.self) else {
            throw StoreError(
                .invalidCondition,
                "objects can only be sorted by a stored property of the class or of its to-one relationships",
                entity: Object.entityName
            )
        }
        try RawOrder.check(type(of: keyPath).valueType, "the order by “\(name)”", of: Object.entityName)
        if var comparator = descriptor.stringComparator {
            comparator.order = .forward
            guard comparator == .lexical else {
                throw StoreError(
                    .unsupported,
                    "a store sorts text by its bytes; omit the comparator, or sort the fetched objects",
                    entity: Object.entityName,
                    attribute: name
                )
            }
        }
        self = descriptor.order == .forward ? .ascending(name) : .descending(name)
    }
}
