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
        EntityChanges(base: try changes(ofEntity: type.entityName, tenant))
    }

    /// Returns the changes to the objects of an entity, those of a tenant if there is one.
    fileprivate func changes(ofEntity entity: String, _ tenant: Int64?) throws(StoreError) -> StoreChanges {
        guard let tenant else { return try changes(of: entity) }
        return try changes(of: entity, tenant: tenant)
    }
}

/// An asynchronous sequence of results that a closure reads from a store: immediately, and again after each change.
///
/// The sequence has a single consumer, which always receives the latest result. Changes that are committed while the
/// consumer is busy are combined into one new result. The sequence ends when the store is closed or the task is
/// canceled.
///
/// ```swift
/// for try await names in store.results(of: Patient.self, { try $0.fetch(Patient.self).map(\.name) }) {
///     show(names)
/// }
/// ```
public struct EntityResults<Element: Sendable>: AsyncSequence, Sendable {
    let store: Store
    let entity: String
    let tenant: Int64?
    let read: @Sendable (StoreContext) throws -> Element

    /// Returns an iterator over the results.
    ///
    /// - Returns: An iterator for a single consumer.
    public func makeAsyncIterator() -> Iterator {
        Iterator(results: self)
    }

    /// An iterator over the results.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let results: EntityResults
        private var changes: StoreChanges.Iterator?

        init(results: EntityResults) {
            self.results = results
        }

        /// Waits for the next result.
        ///
        /// - Returns: The result, or nil at the end.
        /// - Throws: Any error thrown by the closure.
        public mutating func next() async throws -> Element? {
            if changes == nil {
                // Start observing before the first read, so that no change is missed in between.
                changes = try results.store.changes(ofEntity: results.entity, results.tenant).makeAsyncIterator()
            } else if await changes?.next() == nil {
                return nil
            }
            guard let tenant = results.tenant else { return try await results.store.read(results.read) }
            return try await results.store.read(tenant: tenant, results.read)
        }
    }
}

extension Store {
    /// Returns a sequence of results that is read immediately, and again whenever objects of a class change.
    ///
    /// - Parameters:
    ///   - type: The entity class to observe.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - read: A closure that reads a result. Objects must not leave the closure; only its `Sendable` result does.
    /// - Returns: A sequence for a single consumer.
    public func results<Result: Sendable>(
        of type: (some Entity).Type,
        tenant: Int64? = nil,
        _ read: @escaping @Sendable (StoreContext) throws -> Result
    ) -> EntityResults<Result> {
        EntityResults(store: self, entity: type.entityName, tenant: tenant, read: read)
    }
}
