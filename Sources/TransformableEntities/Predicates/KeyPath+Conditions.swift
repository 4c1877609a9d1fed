public import TransformableStore

extension Condition {
    /// A comparison of a stored property of a class.
    fileprivate init<Object: Entity>(
        _ keyPath: PartialKeyPath<Object>,
        _ comparison: Condition.Comparison,
        _ options: TextOptions = []
    ) {
        self.init(of: keyPath) { .comparison(.path($0), comparison, options) }
    }

    /// A comparison that depends on the order of values.
    fileprivate init<Object: Entity>(
        ordered keyPath: PartialKeyPath<Object>,
        _ comparison: Condition.Comparison
    ) {
        do {
            let name = Object.propertyName(for: keyPath) ?? ""
            try RawOrder.check(type(of: keyPath).valueType, "the order by “\(name)”", of: Object.entityName)
            self.init(keyPath, comparison)
        } catch {
            self.init(.refused(error))
        }
    }

    /// A condition on a stored property of a class; a key path to anything else is refused by the fetch.
    fileprivate init<Object: Entity>(
        of keyPath: PartialKeyPath<Object>,
        _ node: (Term.Path) -> Condition.Node
    ) {
        guard let name = Object.propertyName(for: keyPath) ?? (Object.isID(keyPath) ? "_id" : nil) else {
            var failure = StoreError.notStored(keyPath, in: Object.entityName)
            failure.message += "; a path over several objects is written in a #Predicate"
            self.init(.refused(failure))
            return
        }
        self.init(.about(Object.entityName, node(Term.Path([name]))))
    }
}

// MARK: - Comparisons

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

extension KeyPath where Root: Entity, Value: Equatable & Sendable {
    /// The objects whose property is one of some values.
    ///
    /// - Parameter values: The values.
    /// - Returns: The condition.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
        Condition(self, .within(values.map { Operand(Term(captured: $0)) }))
    }
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

// MARK: - Text

/// A property whose values are text, or text or nothing.
public protocol TextProperty {}

extension String: TextProperty {}
extension Optional: TextProperty where Wrapped == String {}

extension KeyPath where Root: Entity, Value: TextProperty {
    /// The objects whose text is equal to another but for what the options take no notice of.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func isEqual(to text: String, _ options: TextOptions) -> Condition {
        Condition(self, .equal(.value(text)), options)
    }

    /// The objects whose text has another one in it.
    ///
    /// - Parameters:
    ///   - text: The text to look for.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func contains(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .contains(.value(text)), options)
    }

    /// The objects whose text begins with another one.
    ///
    /// - Parameters:
    ///   - text: The beginning.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func hasPrefix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .startsWith(.value(text)), options)
    }

    /// The objects whose text ends with another one.
    ///
    /// - Parameters:
    ///   - text: The end.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func hasSuffix(_ text: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .endsWith(.value(text)), options)
    }

    /// The objects whose text follows a pattern: `%` is any text and `_` any character.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func like(_ pattern: String, _ options: TextOptions = []) -> Condition {
        Condition(self, .like(.value(pattern)), options)
    }
}

// MARK: - Relationships

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
