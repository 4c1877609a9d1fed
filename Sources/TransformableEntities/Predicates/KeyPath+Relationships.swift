public import TransformableStore

/// The objects whose relationship to one leads to an object; nil asks whether it leads nowhere.
///
/// - Parameters:
///   - keyPath: A relationship to one object.
///   - id: The object's id.
/// - Returns: The condition.
public func == <Object: Entity, Destination: Entity>(
    keyPath: KeyPath<Object, Destination?>,
    id: PersistentID<Destination>?
) -> Condition {
    Condition(keyPath, .equal(Operand(Term(captured: id as Any))))
}

/// The objects whose relationship to one does not lead to an object; nil asks whether it leads somewhere.
///
/// - Parameters:
///   - keyPath: A relationship to one object.
///   - id: The object's id.
/// - Returns: The condition.
public func != <Object: Entity, Destination: Entity>(
    keyPath: KeyPath<Object, Destination?>,
    id: PersistentID<Destination>?
) -> Condition {
    !(keyPath == id)
}

extension KeyPath where Root: Entity, Value: Sequence, Value.Element: Entity {
    /// The objects that a relationship leads from to one that satisfies a condition.
    ///
    /// - Parameter condition: A condition on the objects it leads to.
    /// - Returns: The condition.
    public func any(_ condition: Condition) -> Condition {
        Condition(of: self) { .related(.any, $0, condition.node) }
    }

    /// The objects that a relationship leads from to none that does not satisfy a condition.
    ///
    /// - Parameter condition: A condition on the objects it leads to.
    /// - Returns: The condition.
    public func all(_ condition: Condition) -> Condition {
        Condition(of: self) { .related(.all, $0, condition.node) }
    }

    /// The objects that a relationship leads from to none that satisfies a condition.
    ///
    /// - Parameter condition: A condition on the objects it leads to.
    /// - Returns: The condition.
    public func none(_ condition: Condition) -> Condition {
        Condition(of: self) { .related(.none, $0, condition.node) }
    }
}
