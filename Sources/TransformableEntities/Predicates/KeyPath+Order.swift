public import TransformableStore

/// The objects whose property is smaller than a value.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func < <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .less(.value(value)))
}

/// The objects whose property has a value that is smaller than another.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func < <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value?>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .less(.value(value)))
}

/// The objects whose property is not larger than a value.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func <= <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .lessOrEqual(.value(value)))
}

/// The objects whose property has a value that is not larger than another.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func <= <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value?>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .lessOrEqual(.value(value)))
}

/// The objects whose property is larger than a value.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func > <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .greater(.value(value)))
}

/// The objects whose property has a value that is larger than another.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func > <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value?>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .greater(.value(value)))
}

/// The objects whose property is not smaller than a value.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func >= <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .greaterOrEqual(.value(value)))
}

/// The objects whose property has a value that is not smaller than another.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func >= <Object: Entity, Value: Comparable & Sendable>(
    keyPath: KeyPath<Object, Value?>,
    value: Value
) -> Condition {
    Condition(ordered: keyPath, .greaterOrEqual(.value(value)))
}

extension KeyPath where Root: Entity, Value: Comparable & Sendable {
    /// The objects whose property is not smaller than one value, and not larger than another.
    ///
    /// - Parameters:
    ///   - least: The smallest value.
    ///   - most: The largest value.
    /// - Returns: The condition.
    public func isBetween(_ least: Value, _ most: Value) -> Condition {
        Condition(ordered: self, .between(.value(least), .value(most)))
    }
}
