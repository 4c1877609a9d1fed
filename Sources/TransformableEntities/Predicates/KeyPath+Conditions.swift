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
    public func isBetween(_ least: Value, and most: Value) -> Condition {
        Condition(ordered: self, .between(.value(least), .value(most)))
    }
}

/// A property whose values are text or optional text.
public protocol TextProperty {}

extension String: TextProperty {}
extension Optional: TextProperty where Wrapped == String {}

extension KeyPath where Root: Entity, Value: TextProperty {
    /// Returns a condition that matches objects whose text equals the given text, using the given options.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func isEqual(to text: String, _ options: TextOptions) -> Condition {
        Condition(self, .equal(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text contains the given text.
    ///
    /// - Parameters:
    ///   - text: The text to look for.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func contains(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .contains(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text begins with the given text.
    ///
    /// - Parameters:
    ///   - text: The prefix.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func hasPrefix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .startsWith(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text ends with the given text.
    ///
    /// - Parameters:
    ///   - text: The suffix.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func hasSuffix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .endsWith(.value(text)), options)
    }

    /// Returns a condition that matches objects whose text matches a pattern.
    ///
    /// In the pattern, `%` stands for any text and `_` for a single Unicode scalar, which is what most characters consist
    /// of.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - options: The comparison options.
    /// - Returns: The condition.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .like(.value(pattern)), options)
    }
}

/// Returns a condition that matches objects whose to-one relationship has a given object.
///
/// Nil matches empty relationships.
///
/// - Parameters:
///   - keyPath: A to-one relationship.
///   - id: The id of the object.
/// - Returns: The condition.
public func == <Object: Entity, Destination: Entity>(
    keyPath: KeyPath<Object, Destination?>,
    id: PersistentID<Destination>?
) -> Condition {
    Condition(keyPath, .equal(Operand(Term(captured: id as Any))))
}

/// Returns a condition that matches objects whose to-one relationship does not have a given object.
///
/// Nil matches nonempty relationships.
///
/// - Parameters:
///   - keyPath: A to-one relationship.
///   - id: The id of the object.
/// - Returns: The condition.
public func != <Object: Entity, Destination: Entity>(
    keyPath: KeyPath<Object, Destination?>,
    id: PersistentID<Destination>?
) -> Condition {
    !(keyPath == id)
}

extension KeyPath where Root: Entity, Value: Sequence, Value.Element: Entity {
    /// Returns a condition that matches objects if at least one of their related objects matches a condition.
    ///
    /// - Parameter condition: A condition on the related objects.
    /// - Returns: The condition.
    public func any(_ condition: Condition) -> Condition {
        Condition(of: self) { .related(.any, $0, condition.node) }
    }

    /// Returns a condition that matches objects if all of their related objects match a condition.
    ///
    /// - Parameter condition: A condition on the related objects.
    /// - Returns: The condition.
    public func all(_ condition: Condition) -> Condition {
        Condition(of: self) { .related(.all, $0, condition.node) }
    }

    /// Returns a condition that matches objects if none of their related objects matches a condition.
    ///
    /// - Parameter condition: A condition on the related objects.
    /// - Returns: The condition.
    public func none(_ condition: Condition) -> Condition {
        Condition(of: self) { .related(.none, $0, condition.node) }
    }
}
