/// An attribute or projection in a condition made in code.
public struct Field: Sendable, Hashable {
    /// The attribute's or projection's name.
    public let name: String

    /// Names an attribute or projection.
    ///
    /// - Parameter name: Its name.
    public init(_ name: String) {
        self.name = name
    }

    private func compare(_ comparison: Condition.Comparison) -> Condition {
        Condition(.comparison(name: name, comparison))
    }
}

extension Field {
    /// Equal to a value; nil asks whether there is none.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type.
    /// - Returns: The condition.
    public static func == (field: Self, value: (any Sendable)?) -> Condition {
        field.compare(value.map { .equal(.value($0)) } ?? .isNull)
    }

    /// Not equal to a value; nil asks whether there is one.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type.
    /// - Returns: The condition.
    public static func != (field: Self, value: (any Sendable)?) -> Condition {
        !field.compare(value.map { .equal(.value($0)) } ?? .isNull)
    }

    /// Smaller than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type.
    /// - Returns: The condition.
    public static func < (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.less(.value(value)))
    }

    /// Not larger than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type.
    /// - Returns: The condition.
    public static func <= (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.lessOrEqual(.value(value)))
    }

    /// Larger than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type.
    /// - Returns: The condition.
    public static func > (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.greater(.value(value)))
    }

    /// Not smaller than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type.
    /// - Returns: The condition.
    public static func >= (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.greaterOrEqual(.value(value)))
    }

    /// Text that has another one in it.
    ///
    /// - Parameter text: The text to look for.
    /// - Returns: The condition.
    public func contains(_ text: String) -> Condition {
        compare(.contains(.value(text)))
    }

    /// Text that begins with another one.
    ///
    /// - Parameter text: The beginning.
    /// - Returns: The condition.
    public func starts(with text: String) -> Condition {
        compare(.startsWith(.value(text)))
    }

    /// Text that ends with another one.
    ///
    /// - Parameter text: The end.
    /// - Returns: The condition.
    public func ends(with text: String) -> Condition {
        compare(.endsWith(.value(text)))
    }

    /// Text of a pattern: `%` is any text and `_` any character.
    ///
    /// - Parameter text: The pattern.
    /// - Returns: The condition.
    public func like(_ text: String) -> Condition {
        compare(.like(.value(text)))
    }

    /// Equal to one of some values.
    ///
    /// - Parameter values: Values of the attribute's type.
    /// - Returns: The condition.
    public func isIn(_ values: [any Sendable]) -> Condition {
        compare(.within(values.map(Operand.value)))
    }

    /// Not smaller than one value, and not larger than another.
    ///
    /// - Parameters:
    ///   - least: The smallest value.
    ///   - most: The largest value.
    /// - Returns: The condition.
    public func isBetween(_ least: any Sendable, _ most: any Sendable) -> Condition {
        compare(.between(.value(least), .value(most)))
    }

    /// Without a value.
    public var isNull: Condition { compare(.isNull) }
}
