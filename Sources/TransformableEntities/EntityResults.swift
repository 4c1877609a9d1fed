public import TransformableStore

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
                changes = try results.store.changes(of: results.entity).makeAsyncIterator()
            } else if await changes?.next() == nil {
                return nil
            }
            return try await results.store.read(results.read)
        }
    }
}

extension Store {
    /// Returns a sequence of results that is read immediately, and again whenever objects of a class change.
    ///
    /// - Parameters:
    ///   - type: The entity class to observe.
    ///   - read: A closure that reads a result. Objects must not leave the closure; only its `Sendable` result does.
    /// - Returns: A sequence for a single consumer.
    public func results<Result: Sendable>(
        of type: (some Entity).Type,
        _ read: @escaping @Sendable (StoreContext) throws -> Result
    ) -> EntityResults<Result> {
        EntityResults(store: self, entity: type.entityName, read: read)
    }
}
