public import Foundation
public import TransformableStore

extension StoreContext {
    /// Computes aggregates over the objects that match a condition, without creating the objects.
    ///
    /// ```swift
    /// let (count, mean) = try context.aggregate(Patient.self, .count, .average(\.age), where: \Patient.age > 17)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - aggregates: The aggregates to compute.
    ///   - condition: A condition that selects the objects.
    /// - Returns: The results, in the order of the aggregates.
    /// - Throws: `StoreError` if the condition is invalid or a property is not stored or cannot be aggregated. The code
    ///   is `arithmetic-failure` if a sum overflows, or if a sum of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        where condition: Condition = .all
    ) throws -> (repeat each Value) {
        try requireClass(type, of: type.entityName)
        var byName: [Aggregate] = []
        repeat byName.append(try (each aggregates).byName())
        guard let row = try aggregate(type.entityName, byName, where: condition).first else {
            throw StoreError(.misuse, "specify at least one aggregate", entity: type.entityName)
        }
        return (repeat try (each aggregates).value(in: row))
    }

    /// Computes aggregates over groups of the objects that match a condition, without creating the objects.
    ///
    /// ```swift
    /// for (ward, mean) in try context.aggregate(Patient.self, .average(\.age), groupedBy: \.ward) { … }
    /// ```
    ///
    /// Text is grouped by its stored form.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - aggregates: The aggregates to compute.
    ///   - groups: The stored properties to group by.
    ///   - condition: A condition that selects the objects.
    /// - Returns: A key and the results for each group, ordered by key.
    /// - Throws: `StoreError` if the condition is invalid or a property is not stored or cannot be aggregated. The code
    ///   is `arithmetic-failure` if a sum overflows, or if a sum of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value, each Key>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        groupedBy groups: repeat KeyPath<Object, each Key>,
        where condition: Condition = .all
    ) throws -> [(key: (repeat each Key), value: (repeat each Value))] {
        try requireClass(type, of: type.entityName)
        let columns = (repeat try ValueColumn(each groups))
        var byName: [Aggregate] = []
        repeat byName.append(try (each aggregates).byName())
        var names: [String] = []
        repeat names.append((each columns).name)
        var results: [(key: (repeat each Key), value: (repeat each Value))] = []
        for row in try aggregate(type.entityName, byName, where: condition, groupedBy: names) {
            let key = (repeat try (each columns).value(in: row))
            results.append((key: key, value: (repeat try (each aggregates).value(in: row))))
        }
        return results
    }
}

// MARK: - By predicate

extension StoreContext {
    /// Computes aggregates over the objects that match a predicate, without creating the objects.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - aggregates: The aggregates to compute.
    ///   - predicate: A predicate that selects the objects.
    /// - Returns: The results, in the order of the aggregates.
    /// - Throws: `StoreError` if the predicate is not supported or a property is not stored or cannot be aggregated.
    ///   The code is `arithmetic-failure` if a sum overflows, or if a sum of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        where predicate: Predicate<Object>
    ) throws -> (repeat each Value) {
        try aggregate(type, repeat each aggregates, where: Condition(predicate))
    }

    /// Computes aggregates over groups of the objects that match a predicate, without creating the objects.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - aggregates: The aggregates to compute.
    ///   - groups: The stored properties to group by.
    ///   - predicate: A predicate that selects the objects.
    /// - Returns: A key and the results for each group, ordered by key.
    /// - Throws: `StoreError` if the predicate is not supported or a property is not stored or cannot be aggregated.
    ///   The code is `arithmetic-failure` if a sum overflows, or if a sum of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value, each Key>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        groupedBy groups: repeat KeyPath<Object, each Key>,
        where predicate: Predicate<Object>
    ) throws -> [(key: (repeat each Key), value: (repeat each Value))] {
        try aggregate(type, repeat each aggregates, groupedBy: repeat each groups, where: Condition(predicate))
    }
}
