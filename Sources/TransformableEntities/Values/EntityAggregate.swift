internal import TransformableStore

/// What objects of a class come to: how many they are, or what the values of a property come to.
///
/// ```swift
/// let (count, oldest) = try context.aggregate(Patient.self, .count, .max(\.age))
/// ```
public struct EntityAggregate<Object: Entity, Value>: Sendable {
    // A property that is not stored is reported by the fetch.
    private let aggregate: Result<Aggregate, StoreError>
    private let read: @Sendable (ValueRow, Aggregate) throws -> Value

    /// The same by name.
    func byName() throws(StoreError) -> Aggregate { try aggregate.get() }

    /// Reads what it came to.
    func value(in row: ValueRow) throws -> Value { try read(row, aggregate.get()) }
}

extension EntityAggregate where Value == Int {
    /// How many objects there are.
    public static var count: Self {
        Self(aggregate: .success(.count)) { try $0.value($1, as: Int.self) }
    }

    /// How many objects have a value.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func count(of keyPath: PartialKeyPath<Object>) -> Self {
        Self(keyPath, Aggregate.count(of:)) { try $0.value($1, as: Int.self) }
    }
}

extension EntityAggregate {
    /// The sum of all values; 0 if there are none.
    ///
    /// The sum of whole numbers is an `Int`, that of decimal numbers is exact.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func sum<Number: SummableValue>(_ keyPath: KeyPath<Object, Number>) -> Self
    where Value == Number.Sum {
        Self(keyPath, Aggregate.sum) { try $0.value($1, as: Number.Sum.self) }
    }

    /// The mean of all values: a `Decimal` of decimal numbers, else a `Double`; nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func average<Number: SummableValue>(_ keyPath: KeyPath<Object, Number>) -> Self
    where Value == Number.Average? {
        Self(keyPath, Aggregate.average) { try $0.value($1, as: Number.Average?.self) }
    }

    /// The smallest value; nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func min<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.min) { try $0.value($1, as: Property?.self) }
    }

    /// The smallest value of those that are not nil; nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func min<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property?>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.min) { try $0.value($1, as: Property?.self) }
    }

    /// The largest value; nil if there are none.
    ///
    /// - Parameter keyPath: A stored property.
    /// - Returns: The aggregate.
    public static func max<Property: Comparable & SendableMetatype>(_ keyPath: KeyPath<Object, Property>) -> Self
    where Value == Property? {
        Self(ordered: keyPath, Aggregate.max) { try $0.value($1, as: Property?.self) }
    }

    /// The largest value of those that are not nil; nil if there are none.
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

    /// An aggregate that depends on the order of values.
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
