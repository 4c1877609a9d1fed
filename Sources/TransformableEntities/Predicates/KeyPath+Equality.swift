public import TransformableStore

/// The objects whose property is equal to a value; nil asks whether there is none.
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

/// The objects whose property is not equal to a value; nil asks whether there is one.
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
    /// The objects whose property is one of some values.
    ///
    /// - Parameter values: The values.
    /// - Returns: The condition.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
        Condition(self, .within(values.map { Operand(Term(captured: $0)) }))
    }
}
