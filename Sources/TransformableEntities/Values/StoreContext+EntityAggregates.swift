public import Foundation
public import TransformableStore

extension StoreContext {
    /// Says what objects come to, without making objects of them.
    ///
    /// ```swift
    /// let (count, mean) = try context.aggregate(Patient.self, .count, .average(\.age), where: \Patient.age > 17)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - aggregates: What to compute.
    ///   - condition: Which objects.
    /// - Returns: The results, in the order of the aggregates.
    /// - Throws: `StoreError`: the condition is invalid, a property is not stored or cannot be aggregated, or
    ///   `arithmetic-failure` for a sum that does not fit, or of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        where condition: Condition = .all
    ) throws -> (repeat each Value) {
        try requireFace(type, of: type.entityName)
        var byName: [Aggregate] = []
        repeat byName.append(try (each aggregates).byName())
        guard let row = try aggregate(type.entityName, byName, where: condition).first else {
            throw StoreError(.misuse, "name at least one aggregate", entity: type.entityName)
        }
        return (repeat try (each aggregates).value(in: row))
    }

    /// Says what objects come to in groups, without making objects of them.
    ///
    /// ```swift
    /// for (ward, mean) in try context.aggregate(Patient.self, .average(\.age), groupedBy: \.ward) { … }
    /// ```
    ///
    /// Text is grouped as it is stored.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - aggregates: What to compute.
    ///   - groups: The stored properties whose values are the same in a group.
    ///   - condition: Which objects.
    /// - Returns: A key and the results for each group, in the order of the keys.
    /// - Throws: `StoreError`: the condition is invalid, a property is not stored or cannot be aggregated, or
    ///   `arithmetic-failure` for a sum that does not fit, or of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value, each Key>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        groupedBy groups: repeat KeyPath<Object, each Key>,
        where condition: Condition = .all
    ) throws -> [(key: (repeat each Key), value: (repeat each Value))] {
        try requireFace(type, of: type.entityName)
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
    /// Says what the objects that satisfy a predicate come to, without making objects of them.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - aggregates: What to compute.
    ///   - predicate: Which objects.
    /// - Returns: The results, in the order of the aggregates.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, a property is not stored or cannot be
    ///   aggregated, or `arithmetic-failure` for a sum that does not fit, or of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        where predicate: Predicate<Object>
    ) throws -> (repeat each Value) {
        try aggregate(type, repeat each aggregates, where: Condition(predicate))
    }

    /// Says what the objects that satisfy a predicate come to in groups, without making objects of them.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - aggregates: What to compute.
    ///   - groups: The stored properties whose values are the same in a group.
    ///   - predicate: Which objects.
    /// - Returns: A key and the results for each group, in the order of the keys.
    /// - Throws: `StoreError`: the predicate says what conditions cannot, a property is not stored or cannot be
    ///   aggregated, or `arithmetic-failure` for a sum that does not fit, or of decimal numbers would not be exact.
    public func aggregate<Object: Entity, each Value, each Key>(
        _ type: Object.Type,
        _ aggregates: repeat EntityAggregate<Object, each Value>,
        groupedBy groups: repeat KeyPath<Object, each Key>,
        where predicate: Predicate<Object>
    ) throws -> [(key: (repeat each Key), value: (repeat each Value))] {
        try aggregate(type, repeat each aggregates, groupedBy: repeat each groups, where: Condition(predicate))
    }
}
