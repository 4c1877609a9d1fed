public import Foundation
public import TransformableStore

/// An aggregate over objects of a class: their number, or a computation over the values of a property.
///
/// ```swift
/// let (count, oldest) = try context.aggregate(Patient.self, .count, .max(\.age))
/// ```
public struct EntityAggregate<Object: Entity, Value>: Sendable {
    // The error for a property that is not stored is thrown by the fetch.
    private let aggregate: Result<Aggregate, StoreError>
    private let read: @Sendable (ValueRow, Aggregate) throws -> Value

    /// Returns the untyped aggregate.
    func byName() throws(StoreError) -> Aggregate { try aggregate.get() }

    /// Reads the result.
    func value(in row: ValueRow) throws -> Value { try read(row, aggregate.get()) }
}

extension EntityAggregate where Value == Int {
    /// The number of objects.
    public static var count: Self {
        Self(aggregate: .success(.count)) { try $0.value($1, as: Int.self) }
    }

    /// Returns the number of objects that have a value.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func count(of keyPath: PartialKeyPath<Object>) -> Self {
        Self(keyPath, Aggregate.count(of:)) { try $0.value($1, as: Int.self) }
    }
}

extension EntityAggregate {
    /// Returns the sum of all values, or 0 if there are none.
    ///
    /// The sum of integers is an `Int`. The sum of decimal numbers is exact.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func sum<Number: SummableValue>(_ keyPath: KeyPath<Object, Number>) -> Self
    where Value == Number.Sum {
        Self(keyPath, Aggregate.sum) { try $0.value($1, as: Number.Sum.self) }
    }

    /// Returns the average of all values, or nil if there are none.
    ///
    /// The average of decimal numbers is a `Decimal`. Other averages are of type `Double`.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func average<Number: SummableValue>(_ keyPath: KeyPath<Object, Number>) -> Self
    where Value == Number.Average? {
        Self(keyPath, Aggregate.average) { try $0.value($1, as: Number.Average?.self) }
    }

    /// Returns the smallest value, or nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func min<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.min) { try $0.value($1, as: Property?.self) }
    }

    /// Returns the smallest value that is not nil, or nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func min<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property?>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.min) { try $0.value($1, as: Property?.self) }
    }

    /// Returns the largest value, or nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func max<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.max) { try $0.value($1, as: Property?.self) }
    }

    /// Returns the largest value that is not nil, or nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func max<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property?>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.max) { try $0.value($1, as: Property?.self) }
    }

    private init(
        _ keyPath: PartialKeyPath<Object>,
        _ make: (String) -> Aggregate,
        read: @escaping @Sendable (ValueRow, Aggregate) throws -> Value
    ) {
        aggregate = Result { () throws(StoreError) in make(try Object.requirePropertyName(for: keyPath)) }
        self.read = read
    }

    /// Creates an aggregate that depends on the order of values.
    private init(
        ordered keyPath: PartialKeyPath<Object>,
        _ make: (String) -> Aggregate,
        read: @escaping @Sendable (ValueRow, Aggregate) throws -> Value
    ) {
        aggregate = Result { () throws(StoreError) in
            let name = try Object.requirePropertyName(for: keyPath)
            try RawOrder.check(type(of: keyPath).valueType, "the order of “\(name)”", of: Object.entityName)
            return make(name)
        }
        self.read = read
    }
}

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
    /// Canonically equivalent text counts as equal, and is returned in Unicode's composed form.
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
        let columns = (repeat try ValueColumn(each groups, allowsID: false))
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
