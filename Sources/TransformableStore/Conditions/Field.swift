/// An attribute, a projection or something computed of them, in a condition made in code.
///
/// ```swift
/// let condition = Field("name").starts(with: "A") && Field("visits").count > 2
/// let expensive = Field("visits").any(Field("cost") * Field("days") > 1000)
/// ```
public struct Field: Sendable {
    package let term: Term

    package init(_ term: Term) {
        self.term = term
    }

    /// Names an attribute or projection.
    ///
    /// - Parameter name: Its name, or a path through relationships to it, with points between the names.
    public init(_ name: String) {
        self.init(.path(Term.Path(name.split(separator: ".", omittingEmptySubsequences: false).map(String.init))))
    }

    private func compare(_ comparison: Condition.Comparison, _ options: TextOptions = []) -> Condition {
        Condition(.comparison(term, comparison, options))
    }

    private static func operand(_ value: (any Sendable)?) -> Operand {
        switch value {
        case nil: .literal(.null)
        case let field as Self: Operand(field.term)
        case let value?: .value(value)
        }
    }
}

// MARK: - Comparisons

extension Field {
    /// Equal to a value; nil asks whether there is none.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The condition.
    public static func == (field: Self, value: (any Sendable)?) -> Condition {
        field.compare(value == nil ? .isNull : .equal(operand(value)))
    }

    /// Not equal to a value; nil asks whether there is one.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The condition.
    public static func != (field: Self, value: (any Sendable)?) -> Condition {
        !(field == value)
    }

    /// Smaller than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The condition.
    public static func < (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.less(operand(value)))
    }

    /// Not larger than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The condition.
    public static func <= (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.lessOrEqual(operand(value)))
    }

    /// Larger than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The condition.
    public static func > (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.greater(operand(value)))
    }

    /// Not smaller than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The condition.
    public static func >= (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.greaterOrEqual(operand(value)))
    }

    /// Equal to a text but for what the options take no notice of.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func isEqual(to text: String, _ options: TextOptions) -> Condition {
        compare(.equal(.value(text)), options)
    }

    /// Text that has another one in it.
    ///
    /// - Parameters:
    ///   - text: The text to look for.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func contains(_ text: String, _ options: TextOptions = []) -> Condition {
        compare(.contains(.value(text)), options)
    }

    /// Text that begins with another one.
    ///
    /// - Parameters:
    ///   - text: The beginning.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func starts(with text: String, _ options: TextOptions = []) -> Condition {
        compare(.startsWith(.value(text)), options)
    }

    /// Text that ends with another one.
    ///
    /// - Parameters:
    ///   - text: The end.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func ends(with text: String, _ options: TextOptions = []) -> Condition {
        compare(.endsWith(.value(text)), options)
    }

    /// Text of a pattern: `%` is any text and `_` any character.
    ///
    /// - Parameters:
    ///   - text: The pattern.
    ///   - options: What does not count.
    /// - Returns: The condition.
    public func like(_ text: String, _ options: TextOptions = []) -> Condition {
        compare(.like(.value(text)), options)
    }

    /// Equal to one of some values.
    ///
    /// - Parameter values: Values of the attribute's type.
    /// - Returns: The condition.
    public func isIn(_ values: [any Sendable]) -> Condition {
        compare(.within(values.map(Self.operand)))
    }

    /// Not smaller than one value, and not larger than another.
    ///
    /// - Parameters:
    ///   - least: The smallest value.
    ///   - most: The largest value.
    /// - Returns: The condition.
    public func isBetween(_ least: any Sendable, _ most: any Sendable) -> Condition {
        compare(.between(Self.operand(least), Self.operand(most)))
    }

    /// Without a value.
    public var isNull: Condition { compare(.isNull) }
}

// MARK: - Computing

extension Field {
    private static func compute(_ left: Self, _ sign: Arithmetic.Sign, _ right: any Sendable) -> Self {
        let right = (right as? Self)?.term ?? .constant(.value(right))
        return Self(.arithmetic(left.term, sign, right, nil))
    }

    /// The sum of two numbers; nothing if either has no value.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The sum.
    public static func + (left: Self, right: any Sendable) -> Self { compute(left, .plus, right) }

    /// The difference of two numbers; nothing if either has no value.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The difference.
    public static func - (left: Self, right: any Sendable) -> Self { compute(left, .minus, right) }

    /// The product of two numbers; nothing if either has no value.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The product.
    public static func * (left: Self, right: any Sendable) -> Self { compute(left, .times, right) }

    /// The quotient of two numbers, whole if both are; nothing if either has no value.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The quotient.
    public static func / (left: Self, right: any Sendable) -> Self { compute(left, .divided, right) }

    /// The remainder of two whole numbers; nothing if either has no value.
    ///
    /// - Parameters:
    ///   - left: A whole number.
    ///   - right: A whole number, or another field.
    /// - Returns: The remainder.
    public static func % (left: Self, right: any Sendable) -> Self { compute(left, .remainder, right) }

    /// The value, or another one where there is none.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of its type, or another field.
    /// - Returns: The first that is there.
    public static func ?? (field: Self, value: any Sendable) -> Self {
        Self(.coalesced(field.term, (value as? Self)?.term ?? .constant(.value(value))))
    }

    /// How many characters a text has, as Swift counts them.
    public var length: Self { Self(.length(term)) }
}

// MARK: - Relationships to many

extension Field {
    private var path: Term.Path {
        // Of anything but a path nothing is named so, and the condition is refused.
        if case .path(let path) = term { path } else { Term.Path([]) }
    }

    /// How many objects a relationship leads to.
    public var count: Self { count(where: .all) }

    /// How many of the objects that a relationship leads to satisfy a condition.
    ///
    /// - Parameter condition: A condition on those objects.
    /// - Returns: The number.
    public func count(where condition: Condition) -> Self {
        Self(.count(path, condition.node))
    }

    /// A relationship leads to an object that satisfies a condition.
    ///
    /// - Parameter condition: A condition on that object.
    /// - Returns: The condition.
    public func any(_ condition: Condition) -> Condition {
        Condition(.related(.any, path, condition.node))
    }

    /// A relationship leads to no object that does not satisfy a condition, or to none at all.
    ///
    /// - Parameter condition: A condition on the objects it leads to.
    /// - Returns: The condition.
    public func all(_ condition: Condition) -> Condition {
        Condition(.related(.all, path, condition.node))
    }

    /// A relationship leads to no object that satisfies a condition.
    ///
    /// - Parameter condition: A condition on the objects it leads to.
    /// - Returns: The condition.
    public func none(_ condition: Condition) -> Condition {
        Condition(.related(.none, path, condition.node))
    }
}
