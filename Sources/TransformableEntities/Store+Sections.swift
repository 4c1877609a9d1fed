public import Foundation
public import TransformableStore

// MARK: - By condition

extension Store {
    /// Keeps a fetch of a class's objects up to date.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    /// - Returns: The objects in one section, as they are at once and after each commit of this store's contexts.
    /// - Throws: `StoreError`: an order that cannot be had.
    public func sections<Object: Entity>(
        of type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = []
    ) throws -> EntitySections<Object, Void> {
        EntitySections(base: try sections(type, condition, order, nil)) { _ in }
    }

    /// Keeps a fetch of a class's objects up to date, in sections by a property.
    ///
    /// The sections come in the order in which the fetch's order meets them: sort by the property first to have them in
    /// the order of its values.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - keyPath: The stored property whose values make the sections.
    /// - Returns: The objects in their sections, as they are at once and after each commit of this store's contexts.
    /// - Throws: `StoreError`: an order that cannot be had, or a property that cannot make sections.
    @_disfavoredOverload
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where condition: Condition = .all,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value>
    ) throws -> EntitySections<Object, Value> {
        EntitySections(base: try sections(type, condition, order, keyPath)) { try $0.value(as: Value.self) }
    }

    /// Keeps a fetch of a class's objects up to date, in sections by a property that may be nil.
    ///
    /// Objects without a value are a section of their own.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - keyPath: The stored property whose values make the sections.
    /// - Returns: The objects in their sections, as they are at once and after each commit of this store's contexts.
    /// - Throws: `StoreError`: an order that cannot be had, or a property that cannot make sections.
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
                let message = "what is not a stored property of the class cannot make sections"
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
    /// Keeps a fetch of a class's objects up to date.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    /// - Returns: The objects in one section, as they are at once and after each commit of this store's contexts.
    /// - Throws: `StoreError`: an order that cannot be had.
    public func sections<Object: Entity>(
        of type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = []
    ) throws -> EntitySections<Object, Void> {
        try sections(of: type, where: Condition(predicate), sortBy: order)
    }

    /// Keeps a fetch of a class's objects up to date, in sections by a property.
    ///
    /// The sections come in the order in which the fetch's order meets them: sort by the property first to have them in
    /// the order of its values.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - keyPath: The stored property whose values make the sections.
    /// - Returns: The objects in their sections, as they are at once and after each commit of this store's contexts.
    /// - Throws: `StoreError`: an order that cannot be had, or a property that cannot make sections.
    @_disfavoredOverload
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value>
    ) throws -> EntitySections<Object, Value> {
        try sections(of: type, where: Condition(predicate), sortBy: order, by: keyPath)
    }

    /// Keeps a fetch of a class's objects up to date, in sections by a property that may be nil.
    ///
    /// Objects without a value are a section of their own.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - keyPath: The stored property whose values make the sections.
    /// - Returns: The objects in their sections, as they are at once and after each commit of this store's contexts.
    /// - Throws: `StoreError`: an order that cannot be had, or a property that cannot make sections.
    public func sections<Object: Entity, Value: Sendable>(
        of type: Object.Type,
        where predicate: Predicate<Object>,
        sortBy order: [SortDescriptor<Object>] = [],
        by keyPath: KeyPath<Object, Value?>
    ) throws -> EntitySections<Object, Value?> {
        try sections(of: type, where: Condition(predicate), sortBy: order, by: keyPath)
    }
}
