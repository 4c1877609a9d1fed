public import TransformableStore

/// A fetch of a class's objects kept up to date, in sections by a property.
///
/// It is a `StoreSections` with the types of a class: see there for what comes when.
///
/// ```swift
/// for try await list in try store.sections(of: Patient.self, sortBy: [SortDescriptor(\.ward)], by: \.ward) {
///     table.show(list.sections, list.changes)
/// }
/// ```
public struct EntitySections<Object: Entity, Value>: AsyncSequence, Sendable {
    /// The objects in their sections, and what has changed since the element before.
    public typealias Element = EntitySectionList<Object, Value>

    let base: StoreSections
    let decode: @Sendable (SectionList.Section) throws -> Value

    /// Begins to read.
    ///
    /// - Returns: The lists, for one reader; every iterator begins anew.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), decode: decode)
    }

    /// Gives the lists to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var base: StoreSections.Iterator
        let decode: @Sendable (SectionList.Section) throws -> Value

        /// Waits until there is something new.
        ///
        /// - Returns: The list; nil at the end.
        /// - Throws: `StoreError`, as `StoreSections` does.
        public mutating func next() async throws -> EntitySectionList<Object, Value>? {
            try await base.next().map { EntitySectionList(list: $0, decode: decode) }
        }
    }
}

/// The objects of a class in sections, and what has changed since the list before.
public struct EntitySectionList<Object: Entity, Value>: Sendable {
    /// Objects whose values of the property are equal.
    public struct Section: Sendable {
        let base: SectionList.Section
        let decode: @Sendable (SectionList.Section) throws -> Value

        /// How many objects there are.
        public var count: Int { base.count }

        /// The objects, in the order of the fetch.
        public var ids: [PersistentID<Object>] { base.ids.map { PersistentID(number: $0.number) } }

        /// The value that the objects have in common.
        ///
        /// - Throws: `StoreError` with the code `undecodable` in the section of values which cannot be decoded.
        public var value: Value {
            get throws { try decode(base) }
        }
    }

    /// The same by name.
    public let list: SectionList
    let decode: @Sendable (SectionList.Section) throws -> Value

    /// The sections, in the order in which the fetch's order meets them.
    public var sections: [Section] { list.sections.map { Section(base: $0, decode: decode) } }

    /// What makes this list of the one before; of nothing, if it is the first.
    public var changes: SectionChanges { list.changes }

    /// How many objects there are in all sections together.
    public var count: Int { list.count }

    /// All objects, section after section.
    public var ids: [PersistentID<Object>] { list.ids.map { PersistentID(number: $0.number) } }

    /// The object at a position, which must be one of the list.
    public subscript(position: SectionPosition) -> PersistentID<Object> {
        PersistentID(number: list[position].number)
    }

    /// Finds an object.
    ///
    /// - Parameter id: The object.
    /// - Returns: Where it is; nil if it is not in the list.
    public func position(of id: PersistentID<Object>) -> SectionPosition? {
        list.position(of: id.objectID)
    }
}
