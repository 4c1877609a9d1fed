/// A fetch kept up to date, in sections by an attribute.
///
/// The first element is what the fetch finds at once; another one follows whenever something was committed that changes
/// it, with what has changed. Each comes from one snapshot of the store. Nothing is read ahead: whoever asks seldom is
/// given the latest state, and its changes since what it was given last. It ends when the store is closed or its task is
/// cancelled, and after an error.
///
/// ```swift
/// for try await list in try store.sections(of: "Patient", sortedBy: [.ascending("ward")], by: "ward") {
///     table.show(list.sections, list.changes)
/// }
/// ```
public struct StoreSections: AsyncSequence, Sendable {
    /// The objects in their sections, and what has changed since the element before.
    public typealias Element = SectionList

    let store: Store
    let fetch: SectionFetch

    /// Begins to read.
    ///
    /// - Returns: The lists, for one reader; every iterator begins anew.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, fetch: fetch)
    }

    /// Gives the lists to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let store: Store
        private let fetch: SectionFetch
        private var changes: StoreChanges.Iterator?
        private var last: SectionList?
        private var reachesOthers = true
        private var isFinished = false

        init(store: Store, fetch: SectionFetch) {
            self.store = store
            self.fetch = fetch
        }

        /// Waits until there is something new.
        ///
        /// - Returns: The list; nil at the end.
        /// - Throws: ``StoreError``: a condition or an order that cannot be had, an attribute that cannot make sections or,
        ///   unless the store was opened with ``Store/Options/Quarantine/report``, a cell of it that cannot be decoded.
        public mutating func next() async throws -> SectionList? {
            guard !isFinished else { return nil }
            do {
                if let list = try await read() { return list }
            } catch {
                finish()
                guard Task.isCancelled else { throw error }
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
                // Before the first reading, so that nothing that is committed meanwhile is missed.
                changes = try store.changes().makeAsyncIterator()
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
            let result = try await store.read { context in
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
    /// The objects that lead to others by tables of pairs, of which their rows know nothing.
    fileprivate static func touchedByPairs(_ change: ChangeSet, in schema: StoreSchema) throws -> Set<ObjectID> {
        var touched: Set<ObjectID> = []
        for (id, names) in change.updated {
            let entity = try schema.entity(id.entity)
            let isTouched = entity.relationships.contains { relationship in
                names.contains(relationship.name) && relationship.parts.contains { $0.storage.isPairs }
            }
            if isTouched { touched.insert(id) }
        }
        return touched
    }
}

extension StoredRelationship.Storage {
    fileprivate var isPairs: Bool {
        if case .pairs = self { return true }
        return false
    }
}

extension Store {
    /// Keeps a fetch up to date, in sections by an attribute.
    ///
    /// The sections come in the order in which the fetch's order meets them: sort by the attribute first to have them in
    /// the order of its values. Objects with equal values are one section wherever the order puts them, and those without a
    /// value are one, too. Values of transformed attributes are compared as they are decoded; so sealed ones can make
    /// sections.
    ///
    /// - Parameters:
    ///   - entity: The entity's name; its children are included.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - attribute: The attribute or projection whose values make the sections; nil makes a single one of all objects.
    /// - Returns: The objects in their sections, as they are at once and after each commit.
    /// - Throws: ``StoreError``: an unknown name, or an attribute that cannot make sections.
    public func sections(
        of entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        by attribute: String? = nil
    ) throws -> StoreSections {
        for member in try schema.family(entity) {
            if let attribute { _ = try ValueRow.Source(attribute, of: member, in: schema) }
            for key in order { _ = try SortTerm.sql(of: key, in: member, schema, nil) }
        }
        let fetch = SectionFetch(entity: entity, condition: condition, order: order, attribute: attribute)
        return StoreSections(store: self, fetch: fetch)
    }
}
