public import Foundation
public import TransformableStore

// MARK: - By condition

extension Store {
    /// Observes the objects that match a condition.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most significant first. Objects that compare equal appear in insertion order.
    /// - Returns: The objects in a single section, immediately and after each commit of this store's contexts.
    /// - Throws: `StoreError` if the sort order is invalid.
    public func sections<Object: Entity>(
        of type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = []
    ) throws -> EntitySections<Object, Void> {
        EntitySections(base: try sections(type, condition, order, nil)) { _ in }
    }

    /// Observes the objects that match a condition, grouped into sections by a property.
    ///
    /// The sections appear in the order in which the sorted objects first reach them. To order them by the value of the
    /// property, sort by that property first.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most significant first. Objects that compare equal appear in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, immediately and after each commit of this store's contexts.
    /// - Throws: `StoreError` if the sort order is invalid, or if the property cannot be used for sections.
    @_disfavoredOverload
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value>
    ) throws -> EntitySections<Object, Value> {
        EntitySections(base: try sections(type, condition, order, keyPath)) { try $0.value(as: Value.self) }
    }

    /// Observes the objects that match a condition, grouped into sections by an optional property.
    ///
    /// Objects without a value form a section of their own.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most significant first. Objects that compare equal appear in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, immediately and after each commit of this store's contexts.
    /// - Throws: `StoreError` if the sort order is invalid, or if the property cannot be used for sections.
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value?>
    ) throws -> EntitySections<Object, Value?> {
        EntitySections(base: try sections(type, condition, order, keyPath)) { try $0.value(as: Value?.self) }
    }

    private func sections<Object: Entity>(
        _ type: Object.Type,
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
        return try sections(of: type.entityName, where: condition, sortedBy: keys, by: name)
    }
}

// MARK: - By predicate

extension Store {
    /// Observes the objects that match a predicate.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most significant first. Objects that compare equal appear in insertion order.
    /// - Returns: The objects in a single section, immediately and after each commit of this store's contexts.
    /// - Throws: `StoreError` if the predicate is not supported or the sort order is invalid.
    public func sections<Object: Entity>(
        of type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = []
    ) throws -> EntitySections<Object, Void> {
        try sections(of: type, where: Condition(predicate), sortBy: order)
    }

    /// Observes the objects that match a predicate, grouped into sections by a property.
    ///
    /// The sections appear in the order in which the sorted objects first reach them. To order them by the value of the
    /// property, sort by that property first.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most significant first. Objects that compare equal appear in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, immediately and after each commit of this store's contexts.
    /// - Throws: `StoreError` if the predicate is not supported, the sort order is invalid, or the property cannot be
    ///   used for sections.
    @_disfavoredOverload
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value>
    ) throws -> EntitySections<Object, Value> {
        try sections(of: type, where: Condition(predicate), sortBy: order, by: keyPath)
    }

    /// Observes the objects that match a predicate, grouped into sections by an optional property.
    ///
    /// Objects without a value form a section of their own.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most significant first. Objects that compare equal appear in insertion order.
    ///   - keyPath: The stored property to group by.
    /// - Returns: The objects in their sections, immediately and after each commit of this store's contexts.
    /// - Throws: `StoreError` if the predicate is not supported, the sort order is invalid, or the property cannot be
    ///   used for sections.
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value?>
    ) throws -> EntitySections<Object, Value?> {
        try sections(of: type, where: Condition(predicate), sortBy: order, by: keyPath)
    }
}
