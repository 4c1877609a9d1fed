public import Foundation
public import TransformableStore

extension StoreContext {
    /// Fetches the objects that match a predicate.
    ///
    /// ```swift
    /// let order = [SortDescriptor(\Patient.name)]
    /// let adults = try context.fetch(Patient.self, where: #Predicate { $0.age >= 18 }, sortedBy: order)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The objects.
    /// - Throws: `StoreError` if the predicate is not supported or the sort order is invalid.
    public func fetch<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Object] {
        try fetch(type, where: Condition(predicate), sortedBy: order, limit: limit, offset: offset)
    }

    /// Returns the first object that matches a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first.
    /// - Returns: The object, or nil if no object matches.
    /// - Throws: `StoreError` if the predicate is not supported or the sort order is invalid.
    public func first<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = []
    ) throws -> Object? {
        try first(type, where: Condition(predicate), sortedBy: order)
    }

    /// Calls a closure with each object that matches a predicate.
    ///
    /// In a block that reads, memory use is constant unless you keep the objects. In a block that writes, memory use also
    /// grows with the number of objects, whose numbers are kept because the closure may insert, change, or delete objects.
    /// It is called with the objects that satisfied the condition in the beginning and have not been deleted since.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - body: A closure that is called with each object.
    /// - Throws: `StoreError` if the predicate is not supported or the sort order is invalid. Any error thrown by
    ///   `body` is also thrown.
    public func forEach<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (Object) throws -> Void
    ) throws {
        try forEach(
            type,
            where: Condition(predicate),
            sortedBy: order,
            limit: limit,
            offset: offset,
            body
        )
    }

    /// Calls a closure with batches of the objects that match a predicate.
    ///
    /// Only one batch is in memory at a time. In a block that writes, the closure may insert, change, or delete objects,
    /// as in `forEach`.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - size: The maximum number of objects in a batch.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - body: A closure that is called with each batch.
    /// - Throws: `StoreError` if the predicate is not supported, or if the size or the sort order is invalid. Any error
    ///   thrown by `body` is also thrown.
    public func forEachBatch<Object: Entity>(
        _ type: Object.Type,
        of size: Int,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        _ body: ([Object]) throws -> Void
    ) throws {
        try forEachBatch(type, of: size, where: Condition(predicate), sortedBy: order, body)
    }

    /// Returns the number of objects that match a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    /// - Returns: The number of objects.
    /// - Throws: `StoreError` if the predicate is not supported.
    public func count<Object: Entity>(_ type: Object.Type, where predicate: Predicate<Object>) throws
        -> Int
    {
        try count(type, where: Condition(predicate))
    }

    /// Returns whether any object matches a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    /// - Returns: Whether there is at least one such object.
    /// - Throws: `StoreError` if the predicate is not supported.
    public func exists<Object: Entity>(_ type: Object.Type, where predicate: Predicate<Object>) throws
        -> Bool
    {
        try exists(type, where: Condition(predicate))
    }

    /// Returns the ids of the objects that match a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The ids.
    /// - Throws: `StoreError` if the predicate is not supported or the sort order is invalid.
    public func ids<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [PersistentID<Object>] {
        try ids(type, where: Condition(predicate), sortedBy: order, limit: limit, offset: offset)
    }

    /// Deletes the objects that match a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    /// - Returns: The number of deleted objects.
    /// - Throws: `StoreError` if the predicate is not supported.
    @discardableResult
    public func delete<Object: Entity>(_ type: Object.Type, where predicate: Predicate<Object>) throws
        -> Int
    {
        try delete(type, where: Condition(predicate))
    }

    /// Updates the objects that match a predicate.
    ///
    /// Changes are written after every thousand objects, as in an update by a condition. Memory use also grows with the
    /// number of objects, whose numbers are kept because the closure may insert, change, or delete objects. The
    /// objects are determined before the first one is updated, and those that the closure deletes before their turn are
    /// left out.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - progress: A closure that is called with the number of objects updated so far. If it throws an error, the
    ///     update ends.
    ///   - body: A closure that updates an object.
    /// - Returns: The number of updated objects.
    /// - Throws: `StoreError` if the predicate is not supported, if a value cannot be stored, or with the code
    ///   `read-only`. Any error thrown by `body` or `progress` is also thrown.
    @discardableResult
    public func update<Object: Entity>(
        _ type: Object.Type,
        where predicate: Predicate<Object>,
        progress: ((_ count: Int) throws -> Void)? = nil,
        _ body: (Object) throws -> Void
    ) throws -> Int {
        try update(type, where: Condition(predicate), progress: progress, body)
    }
}
