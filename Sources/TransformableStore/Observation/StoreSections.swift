internal import Transformable

/// A fetch that is kept up to date, in sections determined by an attribute.
///
/// The first element is the current result of the fetch. After each commit that changes the result, another element
/// follows, along with the changes. Each element comes from one snapshot of the store. Nothing is read in advance: if
/// you read slowly, you get the latest state and its changes since the previous element. The sequence ends when the
/// store is closed, when its task is canceled, or after an error.
///
/// ```swift
/// for try await list in try store.sections(of: "Patient", sortedBy: [.ascending("ward")], by: "ward") {
///     table.show(list.sections, list.changes)
/// }
/// ```
public struct StoreSections: AsyncSequence, Sendable {
    /// The objects in their sections, and the changes since the previous element.
    public typealias Element = SectionList

    let store: Store
    let scope: TenantScope
    let fetch: SectionFetch

    /// Creates an iterator.
    ///
    /// - Returns: The lists, for one reader. Each iterator starts from the beginning.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, scope: scope, fetch: fetch)
    }

    /// Provides the lists to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let store: Store
        private let scope: TenantScope
        private let fetch: SectionFetch
        private var changes: StoreChanges.Iterator?
        private var last: SectionList?
        private var reachesOthers = true
        private var isFinished = false

        init(store: Store, scope: TenantScope, fetch: SectionFetch) {
            self.store = store
            self.scope = scope
            self.fetch = fetch
        }

        /// Waits for a new list.
        ///
        /// - Returns: The list, or `nil` at the end.
        /// - Throws: `StoreError` if the condition or sort order is invalid, if the attribute cannot determine
        ///   sections, or, unless the store was opened with ``Store/Options/Quarantine/report``, if one of its cells
        ///   cannot be decoded.
        public mutating func next() async throws -> SectionList? {
            guard !isFinished else { return nil }
            do {
                if let list = try await read() { return list }
            } catch {
                finish()
                guard store.endsResults(error) else { throw error }
                return nil
            }
            finish()
            return nil
        }

        private mutating func finish() {
            isFinished = true
            changes = nil
            last = nil
        }

        private mutating func read() async throws -> SectionList? {
            guard changes != nil else {
                // Before the first read, so that no commit in the meantime is missed.
                changes = try store.changes(of: [], in: scope).makeAsyncIterator()
                return try await read(touched: [])
            }
            while let change = await changes?.next() {
                guard try concerns(change) else { continue }
                let list = try await read(touched: SectionFetch.touchedByPairs(change, in: store.schema))
                if !list.changes.isEmpty { return list }
            }
            return nil
        }

        private func concerns(_ change: ChangeSet) throws -> Bool {
            if reachesOthers || change.isIncomplete { return true }
            return try !change.filtered(Set(store.schema.family(fetch.entity).map(\.name))).isEmpty
        }

        private mutating func read(touched: Set<ObjectID>) async throws -> SectionList {
            let (fetch, last) = (fetch, last)
            let result = try await store.read(in: scope) { context in
                var result = try SectionReader.read(fetch, after: last, in: context)
                result.list.changes = SectionDifference(from: last, to: result.list, touched: touched).changes()
                return result
            }
            (self.last, reachesOthers) = result
            return result.list
        }
    }
}

extension SectionFetch {
    /// Returns the objects that are related by tables of pairs, because their rows do not change with the relationship.
    fileprivate static func touchedByPairs(_ change: ChangeSet, in schema: StoreSchema) throws -> Set<ObjectID> {
        var touched: Set<ObjectID> = []
        for (id, names) in change.updated {
            let entity = try schema.entity(id.entity)
            let isTouched = entity.relationships.contains { names.contains($0.name) && $0.hasPairs }
            if isTouched { touched.insert(id) }
        }
        return touched
    }
}

extension Store {
    /// Returns a fetch that is kept up to date, in sections determined by an attribute.
    ///
    /// The sections are in the order in which the fetch encounters them. To sort them by their values, sort by the
    /// attribute first. Objects with equal values are in one section, wherever they are in the sort order, and so are
    /// objects without a value. Values of transformed attributes are compared after they are decoded, so sealed values
    /// can determine sections.
    ///
    /// - Parameters:
    ///   - entity: The entity's name. Its children are included.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - attribute: The attribute or projection whose values determine the sections, or `nil` for a single section
    ///     with all objects.
    /// - Returns: The objects in their sections, now and after each commit.
    /// - Throws: `StoreError` if a name is unknown, or if the attribute cannot determine sections.
    public func sections(
        of entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        by attribute: String? = nil
    ) throws -> StoreSections {
        let fetch = SectionFetch(entity: entity, condition: condition, order: order, attribute: attribute)
        return try sections(fetch, in: undividedScope())
    }

    func sections(_ fetch: SectionFetch, in scope: TenantScope) throws -> StoreSections {
        for member in try schema.family(fetch.entity) {
            if let attribute = fetch.attribute {
                _ = try ValueRow.Source(attribute, of: member, in: TransformContext.none)
            }
            for key in fetch.order { _ = try SortTerm(key, in: member, schema, nil) }
        }
        return StoreSections(store: self, scope: scope, fetch: fetch)
    }
}
