public import TransformableStore

/// Returns a condition that matches objects whose property equals a value.
///
/// Nil matches objects without a value.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func == <Object: Entity, Value: Equatable & Sendable>(
    keyPath: KeyPath<Object, Value>,
    value: Value
) -> Condition {
    Condition(keyPath, .equal(Operand(Term(captured: value))))
}

/// Returns a condition that matches objects whose property does not equal a value.
///
/// Nil matches objects with a value.
///
/// - Parameters:
///   - keyPath: A stored property.
///   - value: The value.
/// - Returns: The condition.
public func != <Object: Entity, Value: Equatable & Sendable>(
    keyPath: KeyPath<Object, Value>,
    value: Value
) -> Condition {
    !(keyPath == value)
}

extension KeyPath where Root: Entity, Value: Equatable & Sendable {
    /// Returns a condition that matches objects whose property equals one of the values.
    ///
    /// - Parameter values: The values.
    /// - Returns: The condition.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
        Condition(self, .within(values.map { Operand(Term(captured: $0)) }))
    }
}
