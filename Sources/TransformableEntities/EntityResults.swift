public import TransformableStore

/// What a block reads of a store: at once, and again whenever objects of a class have been changed.
///
/// One reader at a time is given the latest result only: what is committed while it works makes one more result, not
/// many. It ends when the store is closed or its task is cancelled.
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

    /// Begins to read.
    ///
    /// - Returns: The results, for one reader.
    public func makeAsyncIterator() -> Iterator {
        Iterator(results: self)
    }

    /// Gives the results to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let results: EntityResults
        private var changes: StoreChanges.Iterator?

        init(results: EntityResults) {
            self.results = results
        }

        /// Gives the next result.
        ///
        /// - Returns: What the block reads; nil at the end.
        /// - Throws: What the block throws.
        public mutating func next() async throws -> Element? {
            if changes == nil {
                // Before the first reading, so that nothing that is committed meanwhile is missed.
                changes = try results.store.changes(of: results.entity).makeAsyncIterator()
            } else if await changes?.next() == nil {
                return nil
            }
            return try await results.store.read(results.read)
        }
    }
}

extension Store {
    /// Reads a result at once, and again whenever objects of a class have been changed.
    ///
    /// - Parameters:
    ///   - type: The class whose objects' changes lead to another reading.
    ///   - read: Reads; its objects stay in it, and only a `Sendable` result leaves.
    /// - Returns: The results as they come, for one reader.
    public func results<Result: Sendable>(
        of type: (some Entity).Type,
        _ read: @escaping @Sendable (StoreContext) throws -> Result
    ) -> EntityResults<Result> {
        EntityResults(store: self, entity: type.entityName, read: read)
    }
}
