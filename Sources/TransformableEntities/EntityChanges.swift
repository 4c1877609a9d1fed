public import TransformableStore

/// An asynchronous sequence of the changes that are committed to the objects of a class.
///
/// The sequence starts with the call of `changes(of:)`. It is a typed counterpart of `StoreChanges`, which describes
/// when changes are delivered.
///
/// ```swift
/// for await change in try store.changes(of: Patient.self) {
///     list.update(change.inserted, change.deleted)
/// }
/// ```
public struct EntityChanges<Object: Entity>: AsyncSequence, Sendable {
    /// The changes committed since the previous element.
    public typealias Element = EntityChangeSet<Object>
    /// The sequence never fails.
    public typealias Failure = Never

    let base: StoreChanges

    /// Returns an iterator.
    ///
    /// All iterators share a single stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator())
    }

    /// An iterator over the changes.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var base: StoreChanges.Iterator

        /// Waits for the next change, and returns nil when the store is closed or the task is canceled.
        public mutating func next() async -> EntityChangeSet<Object>? {
            await base.next().map(EntityChangeSet.init)
        }

        /// Waits for the next change, and returns nil when the store is closed or the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> EntityChangeSet<Object>? {
            await base.next(isolation: actor).map(EntityChangeSet.init)
        }
    }
}

/// The changes committed to the objects of a class: the objects, and their changed properties.
public struct EntityChangeSet<Object: Entity>: Sendable, Hashable {
    /// The untyped change set.
    public let byName: ChangeSet

    init(_ changes: ChangeSet) {
        byName = changes
    }

    /// The ids of the inserted objects.
    public var inserted: Set<PersistentID<Object>> { Set(byName.inserted.map { PersistentID($0) }) }

    /// The ids of the updated objects.
    public var updated: Set<PersistentID<Object>> { Set(byName.updated.keys.map { PersistentID($0) }) }

    /// The ids of the deleted objects.
    public var deleted: Set<PersistentID<Object>> { Set(byName.deleted.map { PersistentID($0) }) }

    /// Whether there were more changes than can be listed.
    ///
    /// If so, read the objects again.
    public var isIncomplete: Bool { byName.isIncomplete }

    /// Returns whether a property of an updated object has changed.
    ///
    /// - Parameters:
    ///   - keyPath: A stored property. For any other property, the result is false.
    ///   - id: The id of the object.
    /// - Returns: Whether the property has changed.
    public func hasChanged(_ keyPath: PartialKeyPath<Object>, of id: PersistentID<Object>) -> Bool {
        guard let name = Object.propertyName(for: keyPath) else { return false }
        return byName.updated[id.objectID]?.contains(name) ?? false
    }
}

extension Store {
    /// Returns a sequence of the changes that are committed to the objects of a class from now on.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    /// - Returns: A sequence for a single consumer.
    /// - Throws: `StoreError` with the code `unknown-entity` if the class is not in the store's model, `tenant-required`
    ///   if the tenant is missing, or `misuse` if the model has no tenants.
    public func changes<Object: Entity>(
        of type: Object.Type,
        tenant: Int64? = nil
    ) throws(StoreError) -> EntityChanges<Object> {
        guard let tenant else { return EntityChanges(base: try changes(of: type.entityName)) }
        return EntityChanges(base: try changes(of: type.entityName, tenant: tenant))
    }
}

extension Store {
    /// Returns a sequence of results that is read immediately, and again whenever objects of a class change.
    ///
    /// ```swift
    /// for try await names in store.results(of: Patient.self, { try $0.fetch(Patient.self).map(\.name) }) {
    ///     show(names)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity class to observe.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - read: A closure that reads a result. Objects must not leave the closure; only its `Sendable` result does.
    /// - Returns: The results, for one reader. Errors are thrown when the results are read.
    public func results<Result: Sendable>(
        of type: (some Entity).Type,
        tenant: Int64? = nil,
        _ read: @escaping @Sendable (StoreContext) throws -> Result
    ) -> StoreResults<Result> {
        results(of: type.entityName, tenant: tenant, read)
    }
}
