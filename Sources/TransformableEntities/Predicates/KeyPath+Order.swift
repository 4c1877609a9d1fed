public import TransformableStore

/// Returns a condition that matches objects whose property is less than a value.
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

/// Returns a condition that matches objects whose property has a value that is less than another value.
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

/// Returns a condition that matches objects whose property is less than or equal to a value.
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

/// Returns a condition that matches objects whose property has a value that is less than or equal to another value.
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

/// Returns a condition that matches objects whose property is greater than a value.
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

/// Returns a condition that matches objects whose property has a value that is greater than another value.
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

/// Returns a condition that matches objects whose property is greater than or equal to a value.
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

/// Returns a condition that matches objects whose property has a value that is greater than or equal to another value.
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
    /// Returns a condition that matches objects whose property lies between two values, both included.
    ///
    /// - Parameters:
    ///   - least: The smallest value.
    ///   - most: The largest value.
    /// - Returns: The condition.
    public func isBetween(_ least: Value, _ most: Value) -> Condition {
        Condition(ordered: self, .between(.value(least), .value(most)))
    }
}
