public import Foundation
public import TransformableStore

/// An asynchronous sequence of fetched objects that is kept up to date, grouped into sections by a property.
///
/// It is a typed counterpart of `StoreSections`, which describes when elements are delivered.
///
/// ```swift
/// for try await list in try store.sections(of: Patient.self, sortedBy: [SortDescriptor(\.ward)], by: \.ward) {
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

// MARK: - By condition

extension Store {
    /// Observes the objects that match a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    /// - Returns: The objects in a single section, now, and after each commit that changes the list.
    /// - Throws: `StoreError` if the sort order is invalid.
    public func sections<Object: Entity>(
        of type: Object.Type,
        tenant: Int64? = nil,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = []
    ) throws -> EntitySections<Object, Void> {
        EntitySections(base: try sections(type, tenant, condition, order, nil)) { _ in }
    }

    /// Observes the objects that match a condition, grouped into sections by a property.
    ///
    /// The sections appear in the order in which the sorted objects first reach them. To order them by the value of the
    /// property, sort by that property first.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, now, and after each commit that changes the list.
    /// - Throws: `StoreError` if the sort order is invalid, or if the property cannot be used for sections.
    @_disfavoredOverload
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        tenant: Int64? = nil,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value>
    ) throws -> EntitySections<Object, Value> {
        EntitySections(base: try sections(type, tenant, condition, order, keyPath)) { try $0.value(as: Value.self) }
    }

    /// Observes the objects that match a condition, grouped into sections by an optional property.
    ///
    /// Objects without a value form a section of their own.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, now, and after each commit that changes the list.
    /// - Throws: `StoreError` if the sort order is invalid, or if the property cannot be used for sections.
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        tenant: Int64? = nil,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value?>
    ) throws -> EntitySections<Object, Value?> {
        EntitySections(base: try sections(type, tenant, condition, order, keyPath)) { try $0.value(as: Value?.self) }
    }

    private func sections<Object: Entity>(
        _ type: Object.Type,
        _ tenant: Int64?,
        _ condition: Condition,
        _ order: [SortDescriptor<Object>],
        _ keyPath: PartialKeyPath<Object>?
    ) throws -> StoreSections {
        let name = try keyPath.map { keyPath in
            guard let name = type.propertyName(for: keyPath) else {
                let message = "objects can only be grouped into sections by a stored property of the class"
                throw StoreError(.unknownAttribute, message, entity: type.entityName)
            }
            return name
        }
        let keys = try order.map(SortKey.init)
        guard let tenant else { return try sections(of: type.entityName, where: condition, sortedBy: keys, by: name) }
        return try sections(of: type.entityName, tenant: tenant, where: condition, sortedBy: keys, by: name)
    }
}

// MARK: - By predicate

extension Store {
    /// Observes the objects that match a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    /// - Returns: The objects in a single section, now, and after each commit that changes the list.
    /// - Throws: `StoreError` if the predicate is not supported or the sort order is invalid.
    public func sections<Object: Entity>(
        of type: Object.Type,
        tenant: Int64? = nil,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = []
    ) throws -> EntitySections<Object, Void> {
        try sections(of: type, tenant: tenant, where: Condition(predicate), sortedBy: order)
    }

    /// Observes the objects that match a predicate, grouped into sections by a property.
    ///
    /// The sections appear in the order in which the sorted objects first reach them. To order them by the value of the
    /// property, sort by that property first.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, now, and after each commit that changes the list.
    /// - Throws: `StoreError` if the predicate is not supported, the sort order is invalid, or the property cannot be
    ///   used for sections.
    @_disfavoredOverload
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        tenant: Int64? = nil,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value>
    ) throws -> EntitySections<Object, Value> {
        try sections(of: type, tenant: tenant, where: Condition(predicate), sortedBy: order, by: keyPath)
    }

    /// Observes the objects that match a predicate, grouped into sections by an optional property.
    ///
    /// Objects without a value form a section of their own.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the model has tenants.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, now, and after each commit that changes the list.
    /// - Throws: `StoreError` if the predicate is not supported, the sort order is invalid, or the property cannot be
    ///   used for sections.
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        tenant: Int64? = nil,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value?>
    ) throws -> EntitySections<Object, Value?> {
        try sections(of: type, tenant: tenant, where: Condition(predicate), sortedBy: order, by: keyPath)
    }
}
