/// The objects of a fetch in sections, along with the changes since the previous list.
///
/// A list is a snapshot that contains ids and one value for each section, but no objects of a context.
public struct SectionList: Sendable {
    /// Objects whose values of the attribute are equal.
    public struct Section: Sendable {
        /// The objects, in the order of the fetch.
        public internal(set) var ids: [ObjectID] = []
        // Identifies the section from one list to the next.
        let token: Int
        // The cell of the first object, or `nil` if there is no attribute.
        let row: ValueRow?

        /// The number of objects.
        public var count: Int { ids.count }

        /// Returns the value that the objects have in common.
        ///
        /// - Parameter type: The type of the attribute's values.
        /// - Returns: The decoded value.
        /// - Throws: `StoreError` with the code `missing-value` for the section of objects without a value,
        ///   with the code `undecodable` for the section of cells that cannot be decoded, or with
        ///   the code `wrong-type`.
        public func value<Value>(as type: Value.Type) throws -> Value {
            let row = try valueRow()
            return try row.value(row.names[0], as: type)
        }

        /// Returns the value that the objects have in common, or `nil` for the section of objects without a value.
        ///
        /// - Parameter type: The type of the attribute's values, as an optional.
        /// - Returns: The decoded value.
        /// - Throws: `StoreError` with the code `undecodable` for the section of cells that cannot be
        ///   decoded, or with the code `wrong-type`.
        public func value<Value>(as type: Value?.Type) throws -> Value? {
            let row = try valueRow()
            return try row.value(row.names[0], as: type)
        }

        private func valueRow() throws(StoreError) -> ValueRow {
            guard let row else {
                throw StoreError(.misuse, "the fetch has no section attribute; name one with “by”")
            }
            return row
        }
    }

    struct Entry {
        let position: SectionPosition
        let version: Int64
    }

    /// The sections, in the order in which the fetch encounters them.
    public let sections: [Section]
    /// The changes since the previous list, or since an empty list if this is the first.
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

    /// The number of objects in all sections.
    public var count: Int { entries.count }

    /// All objects, section by section.
    public var ids: [ObjectID] { sections.flatMap(\.ids) }

    /// The object at a position, which must be in the list.
    public subscript(position: SectionPosition) -> ObjectID {
        sections[position.section].ids[position.item]
    }

    /// Returns the position of an object.
    ///
    /// - Parameter id: The object's id.
    /// - Returns: The position, or `nil` if the object is not in the list.
    public func position(of id: ObjectID) -> SectionPosition? {
        entries[id]?.position
    }
}
