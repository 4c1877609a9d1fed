internal import Foundation

/// What an attribute holds in a new object before anything is set.
public enum DefaultValue: Sendable, Hashable {
    /// A whole number, for numeric attributes.
    case integer(Int64)
    /// A number, for attributes with fractions; of a decimal one all the digits that the number is written with.
    case number(Double)
    /// Text: for every other attribute in the form in which a person writes its values, such as `2024-05-22T00:59:00Z`
    /// for a date, and for a decimal number all of its 38 digits.
    case string(String)
    /// A truth value.
    case boolean(Bool)
    /// The time of the insertion.
    case now
    /// A new random UUID.
    case newUUID
}

extension DefaultValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension DefaultValue: ExpressibleByFloatLiteral {
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension DefaultValue: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension DefaultValue: ExpressibleByBooleanLiteral {
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
