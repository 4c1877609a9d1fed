public import Foundation
public import TransformableStore

extension StoreContext {
    /// The object of a class that stands for one of the store: the same each time, for as long as anyone holds it.
    func face<Object: Entity>(of object: ManagedObject) throws -> Object {
        try face(of: object, Object._entitySchema)
    }

    private func face<Object: Entity>(of object: ManagedObject, _ schema: _EntitySchema<Object>) throws -> Object {
        if let face = object.representative as? Object { return face }
        let face = Object(_stored: object)
        object.setRepresentative(face, runsDeinit: schema.runsDeinit)
        for index in schema.eager {
            try object.requireValue(at: index)
        }
        if schema.awake != nil { try object.awakeRepresentative() }
        return face
    }
}

// MARK: - By id

extension StoreContext {
    /// Gives the object with an id.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object.
    /// - Throws: `StoreError` with the code `no-such-object`, or `undecodable` for an attribute that must have a value.
    public func object<Object>(_ id: PersistentID<Object>) throws -> Object {
        try requireFace(Object.self, of: Object.entityName)
        return try face(of: object(id.objectID))
    }

    /// Gives the object with an id, if there is one.
    ///
    /// - Parameter id: The id.
    /// - Returns: The object; nil if there is none.
    /// - Throws: `StoreError` with the code `undecodable` for an attribute that must have a value.
    public func objectIfAny<Object>(_ id: PersistentID<Object>) throws -> Object? {
        try requireFace(Object.self, of: Object.entityName)
        return try objectIfAny(id.objectID).map { try face(of: $0) }
    }
}

// MARK: - By condition

extension StoreContext {
    /// Finds objects.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The objects.
    /// - Throws: `StoreError`: a condition or an order that cannot be had, an attribute that must have a value and
    ///   cannot be decoded.
    public func fetch<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Object] {
        var objects: [Object] = []
        try forEach(type, where: condition, sortBy: order, limit: limit, offset: offset) { objects.append($0) }
        return objects
    }

    /// Finds the first object.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first.
    /// - Returns: The object; nil if there is none.
    /// - Throws: `StoreError`, as `fetch(_:where:sortBy:limit:offset:)` does.
    public func first<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = []
    ) throws -> Object? {
        try fetch(type, where: condition, sortBy: order, limit: 1).first
    }

    /// Goes through objects one by one, in constant memory unless they are kept.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    ///   - body: Takes each object.
    /// - Throws: `StoreError`, as `fetch(_:where:sortBy:limit:offset:)` does, and what the body throws.
    public func forEach<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (Object) throws -> Void
    ) throws {
        try requireFace(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        let schema = type._entitySchema
        try forEach(type.entityName, where: condition, sortedBy: keys, limit: limit, offset: offset) {
            try body(face(of: $0, schema))
        }
    }

    /// Counts objects.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    /// - Returns: How many there are.
    /// - Throws: `StoreError` for a condition that cannot be had.
    public func count(_ type: (some Entity).Type, where condition: Condition = .all) throws -> Int {
        try requireFace(type, of: type.entityName)
        return try count(type.entityName, where: condition)
    }

    /// Says whether there is an object.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    /// - Returns: Whether there is at least one.
    /// - Throws: `StoreError` for a condition that cannot be had.
    public func exists(_ type: (some Entity).Type, where condition: Condition = .all) throws -> Bool {
        try requireFace(type, of: type.entityName)
        return try exists(type.entityName, where: condition)
    }

    /// Finds the ids of objects, without reading more where that is possible.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The ids.
    /// - Throws: `StoreError` for a condition or an order that cannot be had.
    public func ids<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [PersistentID<Object>] {
        try requireFace(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        return try ids(type.entityName, where: condition, sortedBy: keys, limit: limit, offset: offset)
            .map { PersistentID(number: $0.number) }
    }

    /// Deletes all objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    /// - Returns: How many there were.
    /// - Throws: `StoreError` for a condition that cannot be had.
    @discardableResult
    public func delete(_ type: (some Entity).Type, where condition: Condition) throws -> Int {
        try requireFace(type, of: type.entityName)
        return try delete(type.entityName, where: condition)
    }

    /// Changes all objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - body: Changes each.
    /// - Returns: How many there were.
    /// - Throws: `StoreError` for a condition that cannot be had, and what the body throws.
    @discardableResult
    public func update<Object: Entity>(
        _ type: Object.Type,
        where condition: Condition = .all,
        _ body: (Object) throws -> Void
    ) throws -> Int {
        // All of them first, so that no change decides about those that follow.
        let objects = try fetch(type, where: condition)
        try objects.forEach(body)
        return objects.count
    }
}

extension SortKey {
    /// A descriptor by a stored property, of the class or of what its relationships to one lead to.
    init<Object: Entity>(_ descriptor: SortDescriptor<Object>) throws(StoreError) {
        guard let keyPath = descriptor.keyPath, let name = EntityPath.name(of: keyPath, from: Object.self) else {
            throw StoreError(
                .invalidCondition,
                "objects cannot be sorted by what is not a stored property of the class or of what it leads to",
                entity: Object.entityName
            )
        }
        try RawOrder.check(type(of: keyPath).valueType, "the order by “\(name)”", of: Object.entityName)
        if var comparator = descriptor.stringComparator {
            comparator.order = .forward
            guard comparator == .lexical else {
                throw StoreError(
                    .unsupported,
                    "a store sorts text by its bytes; leave the comparator out, or sort what was fetched",
                    entity: Object.entityName,
                    attribute: name
                )
            }
        }
        self = descriptor.order == .forward ? .ascending(name) : .descending(name)
    }
}
