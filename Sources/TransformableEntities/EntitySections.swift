public import TransformableStore

/// An asynchronous sequence of fetched objects that is kept up to date, grouped into sections by a property.
///
/// It is a typed counterpart of `StoreSections`, which describes when elements are delivered.
///
/// ```swift
/// for try await list in try store.sections(of: Patient.self, sortBy: [SortDescriptor(\.ward)], by: \.ward) {
///     table.show(list.sections, list.changes)
/// }
/// ```
public struct EntitySections<Object: Entity, Value>: AsyncSequence, Sendable {
    /// The objects in their sections, and the changes since the previous element.
    public typealias Element = EntitySectionList<Object, Value>

    let base: StoreSections
    let decode: @Sendable (SectionList.Section) throws -> Value

    /// Returns an iterator over the lists.
    ///
    /// - Returns: An iterator for a single consumer. Each iterator starts a new observation.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), decode: decode)
    }

    /// An iterator over the lists.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var base: StoreSections.Iterator
        let decode: @Sendable (SectionList.Section) throws -> Value

        /// Waits for the next list.
        ///
        /// - Returns: The list, or nil at the end.
        /// - Throws: The same errors as `StoreSections`.
        public mutating func next() async throws -> EntitySectionList<Object, Value>? {
            try await base.next().map { EntitySectionList(list: $0, decode: decode) }
        }
    }
}

/// The objects of a class in sections, and the changes since the previous list.
public struct EntitySectionList<Object: Entity, Value>: Sendable {
    /// Objects that have equal values of the property.
    public struct Section: Sendable {
        let base: SectionList.Section
        let decode: @Sendable (SectionList.Section) throws -> Value

        /// The number of objects.
        public var count: Int { base.count }

        /// The ids of the objects, in the order of the fetch.
        public var ids: [PersistentID<Object>] { base.ids.map { PersistentID($0) } }

        /// The value that the objects have in common.
        ///
        /// - Throws: `StoreError` with the code `undecodable` in the section of values that cannot be decoded.
        public var value: Value {
            get throws { try decode(base) }
        }
    }

    /// The untyped list.
    public let list: SectionList
    let decode: @Sendable (SectionList.Section) throws -> Value

    /// The sections, in the order in which the sorted objects first reach them.
    public var sections: [Section] { list.sections.map { Section(base: $0, decode: decode) } }

    /// The changes that turn the previous list into this one.
    ///
    /// For the first list, the previous list is empty.
    public var changes: SectionChanges { list.changes }

    /// The number of objects in all sections.
    public var count: Int { list.count }

    /// The ids of all objects, section by section.
    public var ids: [PersistentID<Object>] { list.ids.map { PersistentID($0) } }

    /// Returns the id of the object at a position, which must be valid.
    public subscript(position: SectionPosition) -> PersistentID<Object> {
        PersistentID(list[position])
    }

    /// Returns the position of an object.
    ///
    /// - Parameter id: The id of the object.
    /// - Returns: The position, or nil if the object is not in the list.
    public func position(of id: PersistentID<Object>) -> SectionPosition? {
        list.position(of: id.objectID)
    }
}
