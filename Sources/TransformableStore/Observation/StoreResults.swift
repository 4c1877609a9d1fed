/// The results that a closure reads from a store: immediately, and again after each change.
///
/// The sequence is for one reader, which always gets the latest result. Changes that are committed while the reader is
/// busy are combined into one new result. The sequence ends when the store is closed, when its task is canceled, or after
/// an error.
///
/// ```swift
/// for try await count in store.results(of: "Patient", { try $0.count("Patient") }) {
///     show(count)
/// }
/// ```
public struct StoreResults<Element: Sendable>: AsyncSequence, Sendable {
    let store: Store
    let entity: String
    let tenant: Int64?
    let read: @Sendable (StoreContext) throws -> Element

    /// Creates an iterator.
    ///
    /// - Returns: The results, for one reader. Each iterator starts from the beginning.
    public func makeAsyncIterator() -> Iterator {
        Iterator(results: self)
    }

    /// Provides the results to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let results: StoreResults
        private var changes: StoreChanges.Iterator?
        private var isFinished = false

        init(results: StoreResults) {
            self.results = results
        }

        /// Waits for the next result.
        ///
        /// - Returns: The result, or `nil` at the end.
        /// - Throws: Errors thrown by the closure, and `StoreError` with the code `unknown-entity` if there is no such
        ///   entity, with the code `tenant-required` if the tenant is missing, or with the code `misuse` if the model has
        ///   no tenants.
        public mutating func next() async throws -> Element? {
            guard !isFinished else { return nil }
            do {
                if let result = try await read() { return result }
            } catch {
                finish()
                guard results.store.endsResults(error) else { throw error }
                return nil
            }
            finish()
            return nil
        }

        private mutating func finish() {
            isFinished = true
            changes = nil
        }

        private mutating func read() async throws -> Element? {
            let scope = try results.tenant.map { try results.store.scope(of: $0) } ?? results.store.undividedScope()
            if changes == nil {
                // Before the first read, so that no commit in the meantime is missed.
                changes = try results.store.changes(of: [results.entity], in: scope).makeAsyncIterator()
            } else if await changes?.next() == nil {
                return nil
            }
            return try await results.store.read(in: scope, results.read)
        }
    }
}

extension Store {
    /// Returns the results that a closure reads immediately, and again whenever objects of an entity change.
    ///
    /// - Parameters:
    ///   - entity: The entity's name. Its children are included.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - read: A closure that reads a result. Its objects are valid only inside the closure.
    /// - Returns: The results, for one reader. Errors are thrown when the results are read.
    public func results<Result: Sendable>(
        of entity: String,
        tenant: Int64? = nil,
        _ read: @escaping @Sendable (StoreContext) throws -> Result
    ) -> StoreResults<Result> {
        StoreResults(store: self, entity: entity, tenant: tenant, read: read)
    }
}
