public import TransformableStore

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
