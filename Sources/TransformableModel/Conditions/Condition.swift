/// A condition that objects are selected by: comparisons of attributes, combined by `and`, `or`, and `not`.
///
/// You can write a condition as text, or in code with operators on ``Field``:
///
/// ```swift
/// let text = try Condition("name startsWith \"A\" and (age >= 18 or guardian is not null)")
/// let code = Field("name").starts(with: "A") && (Field("age") >= 18 || Field("guardian") != nil)
/// ```
///
/// An attribute without a value is equal only to null, and is neither less than nor greater than any value. `not`
/// selects exactly the other objects. As in Swift, text is compared by characters, regardless of the scalars that
/// represent them. Conditions on a transformed attribute use a projection if there is one, and are always verified
/// against the decoded value. For details, see the article “Conditions” in
/// the documentation of `TransformableStore`.
///
/// ```
/// condition  = and *( ( "or" / "||" ) and )
/// and        = unary *( ( "and" / "&&" ) unary )
/// unary      = ( "not" / "!" ) unary / comparison / quantified / "true" / "false"
/// quantified = ( "any" / "some" / "all" / "none" ) path [ test / "(" condition ")" ]
/// comparison = sum test / path
/// test       = operator sum / [ "not" ] "in" [ options ] ( "(" [ sum *( "," sum ) ] ")" / parameter )
///            / [ "not" ] "between" sum "and" sum / "is" [ "not" ] "null"
/// operator   = "==" / "=" / "!=" / "<>" / "<" / "<=" / ">" / ">="
///            / [ "not" ] ( "contains" / "startsWith" / "endsWith" / "like" ), each with [ options ]
/// options    = "[" 1*( "c" / "d" ) "]"
/// sum        = product *( ( "+" / "-" ) product )
/// product    = factor *( ( "*" / "/" / "%" ) factor )
/// factor     = "-" factor / "(" sum ")" / "(" condition ")" / path / literal / parameter
/// path       = name *( "." name ) [ ".@count" / ".@length" / ".@" ( "sum" / "min" / "max" / "avg" ) *( "." name ) ]
/// name       = letters, digits and "_" / any characters in backquotes
/// literal    = string / number / "true" / "false" / "null" / date
/// string     = in double quotes with JSON's escapes / in single quotes, which are doubled within
/// date       = day [ "T" time [ "Z" / offset ] ]
/// parameter  = "$" name
/// ```
///
/// A path without a comparison means that its value is `true`. Keywords are case-insensitive. `like` uses the wildcards
/// `%` and `_` of SQL and is case-sensitive. Put an attribute's name in backquotes if it is a keyword. `_id` is an
/// object's number. A parameter stands for a value from code; see ``init(_:parameters:)``.
public struct Condition: Sendable {
    package let node: Node

    package init(_ node: Node) {
        self.node = node
    }

    /// A condition that every object satisfies.
    public static let all = Self(.constant(true))

    /// A condition that no object satisfies.
    public static let none = Self(.constant(false))

    /// Returns a condition that is satisfied if both conditions are.
    ///
    /// - Parameters:
    ///   - left: A condition.
    ///   - right: Another condition.
    /// - Returns: The combined condition.
    public static func && (left: Self, right: Self) -> Self {
        Self(.and(left.node.conjuncts + right.node.conjuncts))
    }

    /// Returns a condition that is satisfied if at least one of two conditions is.
    ///
    /// - Parameters:
    ///   - left: A condition.
    ///   - right: Another condition.
    /// - Returns: The combined condition.
    public static func || (left: Self, right: Self) -> Self {
        Self(.or(left.node.alternatives + right.node.alternatives))
    }

    /// Returns a condition that is satisfied if the given condition is not.
    ///
    /// - Parameter condition: The condition.
    /// - Returns: The negated condition.
    public static prefix func ! (condition: Self) -> Self {
        Self(.not(condition.node))
    }
}

// A chain is one list, from whichever end it was built, because a nested one would need stack for each of its links.
extension Condition.Node {
    fileprivate var conjuncts: [Self] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    fileprivate var alternatives: [Self] {
        if case .or(let nodes) = self { nodes } else { [self] }
    }
}

/// An attribute or projection to sort by, and the direction.
public struct SortKey: Sendable, Hashable {
    /// The name of the attribute or projection, or a path through to-one relationships.
    public let name: String
    /// Whether the largest value comes first.
    public let isDescending: Bool

    package init(name: String, isDescending: Bool) {
        self.name = name
        self.isDescending = isDescending
    }

    /// Creates a key that sorts in ascending order.
    ///
    /// Objects without a value come first.
    ///
    /// - Parameter name: The name of the attribute or projection, or a path such as `owner.name`.
    /// - Returns: The key.
    public static func ascending(_ name: String) -> Self {
        Self(name: name, isDescending: false)
    }

    /// Creates a key that sorts in descending order.
    ///
    /// Objects without a value come last.
    ///
    /// - Parameter name: The name of the attribute or projection, or a path such as `owner.name`.
    /// - Returns: The key.
    public static func descending(_ name: String) -> Self {
        Self(name: name, isDescending: true)
    }
}

extension Condition {
    /// Creates a condition from its text.
    ///
    /// - Parameter text: The condition, of at most 65,536 bytes and 64 levels of nesting.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidCondition`` and the offset if the text does not follow
    ///   the grammar, or with ``StoreError/Code/limitExceeded`` if it exceeds a limit.
    public init(_ text: String) throws(StoreError) {
        var parser = try ConditionParser(text)
        self.init(try parser.parse())
    }

    /// Creates a condition from its text and the values of its parameters.
    ///
    /// ```swift
    /// let condition = try Condition("age >= $age and ward in $wards", parameters: ["age": 18, "wards": ["3B", "4A"]])
    /// ```
    ///
    /// A value never becomes part of the text, so it can come from anywhere.
    ///
    /// - Parameters:
    ///   - text: The condition, of at most 65,536 bytes and 64 levels of nesting.
    ///   - parameters: The values, by parameter. A `nil` value stands for null, and an array can follow `in`.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidCondition`` and the offset if the text does not follow
    ///   the grammar or if a parameter has no value, or with ``StoreError/Code/limitExceeded`` if it exceeds a limit.
    public init(_ text: String, parameters: [String: (any Sendable)?]) throws(StoreError) {
        var parser = try ConditionParser(text, parameters: parameters)
        self.init(try parser.parse())
    }
}

extension Operand.Literal {
    /// Creates the value of a parameter from text, as on the command line.
    ///
    /// A number, date, quoted text, `true`, `false`, and `null` are read as in a condition. Anything else is text.
    ///
    /// - Parameter text: The text.
    package init(parameter text: String) {
        var scanner = ConditionScanner(text)
        guard let first = try? scanner.next().token, (try? scanner.next().token) == .end else {
            self = .string(text)
            return
        }
        switch first {
        case .literal(let literal): self = literal
        case .name("true"): self = .boolean(true)
        case .name("false"): self = .boolean(false)
        case .name("null"): self = .null
        default: self = .string(text)
        }
    }
}
