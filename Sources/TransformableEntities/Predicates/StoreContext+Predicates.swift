public import Foundation
public import TransformableStore

extension StoreContext {
    /// Finds the objects that satisfy a predicate.
    ///
    /// ```swift
    /// let adults = try context.fetch(Patient.self, where: #Predicate { $0.age >= 18 }, sortBy: [SortDescriptor(\.name)])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The objects.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, or an order cannot be had.
    public func fetch<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Object] {
        try fetch(type, where: Condition(predicate), sortBy: order, limit: limit, offset: offset)
    }

    /// Finds the first object that satisfies a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first.
    /// - Returns: The object; nil if there is none.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, or an order cannot be had.
    public func first<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = []
    ) throws -> Object? {
        try first(type, where: Condition(predicate), sortBy: order)
    }

    /// Goes one by one through the objects that satisfy a predicate, in constant memory unless they are kept.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    ///   - body: Takes each object.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, or an order cannot be had; and what the body
    ///   throws.
    public func forEach<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (Object) throws -> Void
    ) throws {
        try forEach(
            type,
            where: Condition(predicate),
            sortBy: order,
            limit: limit,
            offset: offset,
            body
        )
    }

    /// Counts the objects that satisfy a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    /// - Returns: How many there are.
    /// - Throws: `StoreError`: the predicate says what conditions cannot.
    public func count<Object: Entity>(_ type: Object.Type, where predicate: Predicate<Object>) throws
        -> Int
    {
        try count(type, where: Condition(predicate))
    }

    /// Says whether an object satisfies a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    /// - Returns: Whether there is at least one.
    /// - Throws: `StoreError`: the predicate says what conditions cannot.
    public func exists<Object: Entity>(_ type: Object.Type, where predicate: Predicate<Object>) throws
        -> Bool
    {
        try exists(type, where: Condition(predicate))
    }

    /// Finds the ids of the objects that satisfy a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The ids.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, or an order cannot be had.
    public func ids<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [PersistentID<Object>] {
        try ids(type, where: Condition(predicate), sortBy: order, limit: limit, offset: offset)
    }

    /// Deletes the objects that satisfy a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    /// - Returns: How many there were.
    /// - Throws: `StoreError`: the predicate says what conditions cannot.
    @discardableResult
    public func delete<Object: Entity>(_ type: Object.Type, where predicate: Predicate<Object>) throws
        -> Int
    {
        try delete(type, where: Condition(predicate))
    }

    /// Changes the objects that satisfy a predicate.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - body: Changes each.
    /// - Returns: How many there were.
    /// - Throws: `StoreError`: the predicate says what conditions cannot; and what the body throws.
    @discardableResult
    public func update<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        _ body: (Object) throws -> Void
    ) throws -> Int {
        try update(type, where: Condition(predicate), body)
    }
}
