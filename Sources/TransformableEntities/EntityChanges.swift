public import TransformableStore

/// What is committed to the objects of a class, from the call of `changes(of:)` on.
///
/// It is a `StoreChanges` with the type of a class: see there for what comes when.
///
/// ```swift
/// for await change in try store.changes(of: Patient.self) {
///     list.update(change.inserted, change.deleted)
/// }
/// ```
public struct EntityChanges<Object: Entity>: AsyncSequence, Sendable {
    /// What was committed since the element before.
    public typealias Element = EntityChangeSet<Object>
    /// Nothing fails.
    public typealias Failure = Never

    let base: StoreChanges

    /// Gives an iterator; all that are made share one stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator())
    }

    /// Gives the change sets to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var base: StoreChanges.Iterator

        /// Waits for something to be committed; nil when the store is closed or the task canceled.
        public mutating func next() async -> EntityChangeSet<Object>? {
            await base.next().map(EntityChangeSet.init)
        }

        /// Waits for something to be committed; nil when the store is closed or the task canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> EntityChangeSet<Object>? {
            await base.next(isolation: actor).map(EntityChangeSet.init)
        }
    }
}

/// What was committed to the objects of a class: which objects, and which of their properties.
public struct EntityChangeSet<Object: Entity>: Sendable, Hashable {
    /// The same by name.
    public let byName: ChangeSet

    init(_ changes: ChangeSet) {
        byName = changes
    }

    /// The new objects.
    public var inserted: Set<PersistentID<Object>> { Set(byName.inserted.map { PersistentID(number: $0.number) }) }

    /// The objects of which something was changed.
    public var updated: Set<PersistentID<Object>> { Set(byName.updated.keys.map { PersistentID(number: $0.number) }) }

    /// The objects that were deleted.
    public var deleted: Set<PersistentID<Object>> { Set(byName.deleted.map { PersistentID(number: $0.number) }) }

    /// Whether there was more than can be listed: a reader that keeps a copy reads it again.
    public var isIncomplete: Bool { byName.isIncomplete }

    /// Whether a property of an updated object was changed.
    ///
    /// - Parameters:
    ///   - keyPath: A stored property; of any other one the answer is no.
    ///   - id: The object.
    /// - Returns: Whether it is among what was changed.
    public func hasChanged(_ keyPath: PartialKeyPath<Object>, of id: PersistentID<Object>) -> Bool {
        guard let name = Object.propertyName(for: keyPath) else { return false }
        return byName.updated[id.objectID]?.contains(name) ?? false
    }
}

extension Store {
    /// Reports what is committed to the objects of a class from now on.
    ///
    /// - Parameter type: The class.
    /// - Returns: The changes as they come, for one reader.
    /// - Throws: `StoreError` with the code `unknown-entity`.
    public func changes<Object: Entity>(of type: Object.Type) throws(StoreError) -> EntityChanges<Object> {
        EntityChanges(base: try changes(of: type.entityName))
    }
}
