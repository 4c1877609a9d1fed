internal import Foundation

/// The value of an attribute in a new object.
public enum DefaultValue: Sendable, Hashable {
    /// An integer, for numeric attributes.
    case integer(Int64)
    /// A number, for attributes with fractions. A decimal attribute gets exactly the digits that are needed to write
    /// the number.
    case number(Double)
    /// Text. For an attribute that is not a string, the text form of its values, such as `2024-05-22T00:59:00Z` for a
    /// date. A decimal number can have up to 38 digits.
    case string(String)
    /// A Boolean value.
    case boolean(Bool)
    /// The time at which the object is inserted.
    case now
    /// A new random UUID.
    case newUUID
}

extension DefaultValue: ExpressibleByIntegerLiteral {
    /// Creates a default from an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension DefaultValue: ExpressibleByFloatLiteral {
    /// Creates a default from a number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension DefaultValue: ExpressibleByStringLiteral {
    /// Creates a default from a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension DefaultValue: ExpressibleByBooleanLiteral {
    /// Creates a default from a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
