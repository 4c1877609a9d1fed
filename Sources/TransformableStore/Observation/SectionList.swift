/// The objects of a fetch in sections, and what has changed since the list before.
///
/// It is a value and holds no object of a context: ids, and one value for each section.
public struct SectionList: Sendable {
    /// Objects whose values of the attribute are equal.
    public struct Section: Sendable {
        /// The objects, in the order of the fetch.
        public internal(set) var ids: [ObjectID] = []
        // Tells sections apart from one list to the next.
        let token: Int
        // The cell of the first object; nil where there is no attribute.
        let row: ValueRow?

        /// How many objects there are.
        public var count: Int { ids.count }

        /// Gives the value that the objects have in common.
        ///
        /// - Parameter type: The type of the attribute's values.
        /// - Returns: The value, decoded now.
        /// - Throws: ``StoreError``: ``StoreError/Code/missingValue`` in the section of objects without one,
        ///   ``StoreError/Code/undecodable`` in that of cells which cannot be decoded, ``StoreError/Code/wrongType``.
        public func value<Value>(as type: Value.Type) throws -> Value {
            let row = try valueRow()
            return try row.value(row.names[0], as: type)
        }

        /// Gives the value that the objects have in common, or nil if that is that they have none.
        ///
        /// - Parameter type: The type of the attribute's values, as an optional.
        /// - Returns: The value, decoded now.
        /// - Throws: ``StoreError``: ``StoreError/Code/undecodable`` in the section of cells which cannot be decoded,
        ///   ``StoreError/Code/wrongType``.
        public func value<Value>(as type: Value?.Type) throws -> Value? {
            let row = try valueRow()
            return try row.value(row.names[0], as: type)
        }

        private func valueRow() throws(StoreError) -> ValueRow {
            guard let row else {
                throw StoreError(.misuse, "the fetch has no sections; name the attribute that makes them with “by”")
            }
            return row
        }
    }

    struct Entry {
        let position: SectionPosition
        let version: Int64
    }

    /// The sections, in the order in which the fetch's order meets them.
    public let sections: [Section]
    /// What makes this list of the one before; of nothing, if it is the first.
    public internal(set) var changes = SectionChanges()
    let entries: [ObjectID: Entry]

    init(_ sections: [Section], versions: [ObjectID: Int64]) {
        self.sections = sections
        var entries: [ObjectID: Entry] = Dictionary(minimumCapacity: versions.count)
        for (number, section) in sections.enumerated() {
            for (item, id) in section.ids.enumerated() {
                let position = SectionPosition(section: number, item: item)
                entries[id] = Entry(position: position, version: versions[id] ?? 0)
            }
        }
        self.entries = entries
    }

    /// How many objects there are in all sections together.
    public var count: Int { entries.count }

    /// All objects, section after section.
    public var ids: [ObjectID] { sections.flatMap(\.ids) }

    /// The object at a position, which must be one of the list.
    public subscript(position: SectionPosition) -> ObjectID {
        sections[position.section].ids[position.item]
    }

    /// Finds an object.
    ///
    /// - Parameter id: The object.
    /// - Returns: Where it is; nil if it is not in the list.
    public func position(of id: ObjectID) -> SectionPosition? {
        entries[id]?.position
    }
}
