/// Which objects are meant: comparisons of attributes, joined by and, or and not.
///
/// A condition is written as text, or in code with operators on ``Field``:
///
/// ```swift
/// let text = try Condition("name startsWith \"A\" and (age >= 18 or guardian is not null)")
/// let code = Field("name").starts(with: "A") && (Field("age") >= 18 || Field("guardian") != nil)
/// ```
///
/// An attribute without a value is equal to nothing but null, and neither smaller nor larger than anything;
/// `not` gives exactly the other objects. Text is compared as Swift does, by characters,
/// whichever scalars write them. Conditions on transformed attributes go through a projection where
/// there is one, and are always verified on the decoded value. <doc:Conditions> tells more.
///
/// ```
/// condition  = and *( ( "or" / "||" ) and )
/// and        = unary *( ( "and" / "&&" ) unary )
/// unary      = ( "not" / "!" ) unary / comparison / quantified / "true" / "false"
/// quantified = ( "any" / "some" / "all" / "none" ) path [ test / "(" condition ")" ]
/// comparison = sum test / path
/// test       = operator sum / [ "not" ] "in" [ options ] "(" [ sum *( "," sum ) ] ")"
///            / [ "not" ] "between" sum "and" sum / "is" [ "not" ] "null"
/// operator   = "==" / "=" / "!=" / "<>" / "<" / "<=" / ">" / ">="
///            / [ "not" ] ( "contains" / "startsWith" / "endsWith" / "like" ), each with [ options ]
/// options    = "[" 1*( "c" / "d" ) "]"
/// sum        = product *( ( "+" / "-" ) product )
/// product    = factor *( ( "*" / "/" / "%" ) factor )
/// factor     = "-" factor / "(" sum ")" / "(" condition ")" / path / literal
/// path       = name *( "." name ) [ ".@count" / ".@length" / ".@" ( "sum" / "min" / "max" / "avg" ) *( "." name ) ]
/// name       = letters, digits and "_" / any characters in backquotes
/// literal    = string / number / "true" / "false" / "null" / date
/// string     = in double quotes with JSON's escapes / in single quotes, which are doubled within
/// date       = day [ "T" time [ "Z" / offset ] ]
/// ```
///
/// A path without a test says that its value is `true`. Words are case-insensitive; `like` has SQL's `%` and `_`, and tells upper from lower case. An attribute that is
/// called like one of the words stands in backquotes. `_id` is an object's number.
public struct Condition: Sendable {
    package let node: Node

    package init(_ node: Node) {
        self.node = node
    }

    /// Every object.
    public static let all = Self(.constant(true))

    /// No object.
    public static let none = Self(.constant(false))

    /// The objects that satisfy both conditions.
    ///
    /// - Parameters:
    ///   - left: A condition.
    ///   - right: Another one.
    /// - Returns: Both together.
    public static func && (left: Self, right: Self) -> Self {
        if case .and(let nodes) = left.node { return Self(.and(nodes + [right.node])) }
        return Self(.and([left.node, right.node]))
    }

    /// The objects that satisfy at least one condition.
    ///
    /// - Parameters:
    ///   - left: A condition.
    ///   - right: Another one.
    /// - Returns: Either of them.
    public static func || (left: Self, right: Self) -> Self {
        if case .or(let nodes) = left.node { return Self(.or(nodes + [right.node])) }
        return Self(.or([left.node, right.node]))
    }

    /// The objects that do not satisfy a condition.
    ///
    /// - Parameter condition: The condition.
    /// - Returns: Its opposite.
    public static prefix func ! (condition: Self) -> Self {
        Self(.not(condition.node))
    }
}
