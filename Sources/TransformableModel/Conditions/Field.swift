/// An attribute, a projection, or a computed term in a condition that is written in code.
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

    /// Creates a field from the name of an attribute or projection.
    ///
    /// - Parameter name: The name, or a path through relationships, with periods between the names.
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
    /// Returns a condition that is satisfied if a field is equal to a value.
    ///
    /// `nil` tests for the absence of a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The condition.
    public static func == (field: Self, value: (any Sendable)?) -> Condition {
        field.compare(value == nil ? .isNull : .equal(operand(value)))
    }

    /// Returns a condition that is satisfied if a field is not equal to a value.
    ///
    /// `nil` tests for the presence of a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The condition.
    public static func != (field: Self, value: (any Sendable)?) -> Condition {
        !(field == value)
    }

    /// Returns a condition that is satisfied if a field is less than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The condition.
    public static func < (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.less(operand(value)))
    }

    /// Returns a condition that is satisfied if a field is less than or equal to a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The condition.
    public static func <= (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.lessOrEqual(operand(value)))
    }

    /// Returns a condition that is satisfied if a field is greater than a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The condition.
    public static func > (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.greater(operand(value)))
    }

    /// Returns a condition that is satisfied if a field is greater than or equal to a value.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The condition.
    public static func >= (field: Self, value: (any Sendable)) -> Condition {
        field.compare(.greaterOrEqual(operand(value)))
    }

    /// Returns a condition that is satisfied if the field's text equals the given text, apart from differences that the
    /// options ignore.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - options: The differences to ignore.
    /// - Returns: The condition.
    public func isEqual(to text: String, _ options: TextOptions) -> Condition {
        compare(.equal(.value(text)), options)
    }

    /// Returns a condition that is satisfied if the field's text contains the given text.
    ///
    /// - Parameters:
    ///   - text: The text to look for.
    ///   - options: The differences to ignore.
    /// - Returns: The condition.
    public func contains(_ text: String, _ options: TextOptions = []) -> Condition {
        compare(.contains(.value(text)), options)
    }

    /// Returns a condition that is satisfied if the field's text starts with the given text.
    ///
    /// - Parameters:
    ///   - text: The prefix.
    ///   - options: The differences to ignore.
    /// - Returns: The condition.
    public func starts(with text: String, _ options: TextOptions = []) -> Condition {
        compare(.startsWith(.value(text)), options)
    }

    /// Returns a condition that is satisfied if the field's text ends with the given text.
    ///
    /// - Parameters:
    ///   - text: The suffix.
    ///   - options: The differences to ignore.
    /// - Returns: The condition.
    public func ends(with text: String, _ options: TextOptions = []) -> Condition {
        compare(.endsWith(.value(text)), options)
    }

    /// Returns a condition that is satisfied if the field's text matches a pattern, in which `%` stands for any text
    /// and `_` for a single Unicode scalar, which is what most characters consist of.
    ///
    /// - Parameters:
    ///   - text: The pattern.
    ///   - options: The differences to ignore.
    /// - Returns: The condition.
    public func like(_ text: String, _ options: TextOptions = []) -> Condition {
        compare(.like(.value(text)), options)
    }

    /// Returns a condition that is satisfied if the field is equal to one of several values.
    ///
    /// - Parameter values: Values of the attribute's type.
    /// - Returns: The condition.
    public func isIn(_ values: [any Sendable]) -> Condition {
        compare(.within(values.map(Self.operand)))
    }

    /// Returns a condition that is satisfied if the field is in a range, which includes both bounds.
    ///
    /// - Parameters:
    ///   - least: The lower bound.
    ///   - most: The upper bound.
    /// - Returns: The condition.
    public func isBetween(_ least: any Sendable, and most: any Sendable) -> Condition {
        compare(.between(Self.operand(least), Self.operand(most)))
    }

    /// A condition that is satisfied if the field has no value.
    public var isNull: Condition { compare(.isNull) }
}

// MARK: - Computing

extension Field {
    private static func compute(_ left: Self, _ sign: Arithmetic.Sign, _ right: any Sendable) -> Self {
        let right = (right as? Self)?.term ?? .constant(.value(right))
        return Self(.arithmetic(left.term, sign, right, nil))
    }

    /// Returns the sum of two numbers.
    ///
    /// The sum has no value if either number has none.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The sum.
    public static func + (left: Self, right: any Sendable) -> Self { compute(left, .plus, right) }

    /// Returns the difference of two numbers, which has no value if either of them has none.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The difference.
    public static func - (left: Self, right: any Sendable) -> Self { compute(left, .minus, right) }

    /// Returns the product of two numbers, which has no value if either of them has none.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The product.
    public static func * (left: Self, right: any Sendable) -> Self { compute(left, .times, right) }

    /// Returns the quotient of two numbers, which has no value if either of them has none.
    ///
    /// The quotient of two integers is an integer.
    ///
    /// - Parameters:
    ///   - left: A number.
    ///   - right: A number, or another field.
    /// - Returns: The quotient.
    public static func / (left: Self, right: any Sendable) -> Self { compute(left, .divided, right) }

    /// Returns the remainder of two integers, which has no value if either of them has none.
    ///
    /// - Parameters:
    ///   - left: An integer.
    ///   - right: An integer, or another field.
    /// - Returns: The remainder.
    public static func % (left: Self, right: any Sendable) -> Self { compute(left, .remainder, right) }

    /// Returns the value of a field, or another value if the field has none.
    ///
    /// - Parameters:
    ///   - field: The attribute.
    ///   - value: A value of the attribute's type, or another field.
    /// - Returns: The first value that is present.
    public static func ?? (field: Self, value: any Sendable) -> Self {
        Self(.coalesced(field.term, (value as? Self)?.term ?? .constant(.value(value))))
    }

    /// The number of characters in the text, as counted by Swift.
    public var length: Self { Self(.length(term)) }
}

// MARK: - To-many relationships

extension Field {
    private var path: Term.Path {
        // An empty path names no relationship, so a condition on anything but a path is rejected.
        if case .path(let path) = term { path } else { Term.Path([]) }
    }

    /// The number of objects in a relationship.
    public var count: Self { count(where: .all) }

    /// Returns the number of objects in a relationship that satisfy a condition.
    ///
    /// - Parameter condition: A condition on those objects.
    /// - Returns: The number.
    public func count(where condition: Condition) -> Self {
        Self(.count(path, condition.node))
    }

    /// Returns a condition that is satisfied if at least one object in a relationship satisfies the given condition.
    ///
    /// - Parameter condition: A condition on the related objects.
    /// - Returns: The condition.
    public func any(_ condition: Condition) -> Condition {
        Condition(.related(.any, path, condition.node))
    }

    /// Returns a condition that is satisfied if all objects in a relationship satisfy the given condition, or if there
    /// are none.
    ///
    /// - Parameter condition: A condition on the related objects.
    /// - Returns: The condition.
    public func all(_ condition: Condition) -> Condition {
        Condition(.related(.all, path, condition.node))
    }

    /// Returns a condition that is satisfied if no object in a relationship satisfies the given condition.
    ///
    /// - Parameter condition: A condition on the related objects.
    /// - Returns: The condition.
    public func none(_ condition: Condition) -> Condition {
        Condition(.related(.none, path, condition.node))
    }
}
