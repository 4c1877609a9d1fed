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

extension DefaultValue {
    /// Returns the reason why the value cannot be the default of an attribute of the given type, or `nil` if it can.
    func fault(for type: AttributeType) -> String? {
        switch (self, type) {
        case (.integer, .float), (.integer, .double), (.integer, .decimal): nil
        case (.integer(let number), _) where type.integers != nil:
            type.integers?.contains(number) == true ? nil : "does not fit the type “\(type.rawValue)”"
        case (.number(let number), .float), (.number(let number), .double):
            number.isFinite ? nil : "is not finite"
        case (.number(let number), .decimal):
            PlainText.parses("\(number)", as: .decimal) ? nil : "is not a decimal number"
        // A transformer's input type is known only after the transformer is resolved.
        case (_, .transformed): nil
        case (.boolean, .boolean), (.now, .date), (.newUUID, .uuid), (.string, .string): nil
        case (.string(let text), _):
            PlainText.parses(text, as: type) ? nil : "is not a value of type “\(type.rawValue)”"
        default: "is not a value of type “\(type.rawValue)”"
        }
    }
}
