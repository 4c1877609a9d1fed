internal import TransformableStore

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
}

extension EntityAggregate {
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
