/// An aggregate over objects, such as their number or the sum of an attribute.
public struct Aggregate: Sendable, Hashable {
    package enum Function: String, Sendable, Hashable {
        case count
        case sum
        case min
        case max
        case average = "avg"
    }

    package let function: Function
    /// The attribute, or `nil` if objects are counted.
    package let name: String?

    /// The number of objects.
    public static let count = Self(function: .count, name: nil)

    /// Creates an aggregate for the number of objects that have a value.
    ///
    /// - Parameter name: The name of the attribute or projection.
    /// - Returns: The aggregate.
    public static func count(of name: String) -> Self {
        Self(function: .count, name: name)
    }

    /// Creates an aggregate for the sum of all values, which must be numbers.
    ///
    /// The sum of no values is 0. The sum of decimal numbers is exact.
    ///
    /// - Parameter name: The name of the attribute or projection.
    /// - Returns: The aggregate.
    public static func sum(_ name: String) -> Self {
        Self(function: .sum, name: name)
    }

    /// Creates an aggregate for the smallest value, which is `nil` if there are no values.
    ///
    /// - Parameter name: The name of the attribute or projection.
    /// - Returns: The aggregate.
    public static func min(_ name: String) -> Self {
        Self(function: .min, name: name)
    }

    /// Creates an aggregate for the largest value, which is `nil` if there are no values.
    ///
    /// - Parameter name: The name of the attribute or projection.
    /// - Returns: The aggregate.
    public static func max(_ name: String) -> Self {
        Self(function: .max, name: name)
    }

    /// Creates an aggregate for the mean of all values, which must be numbers.
    ///
    /// It is a `Double`, or a `Decimal` for decimal numbers, and `nil` if there are no values.
    ///
    /// - Parameter name: The name of the attribute or projection.
    /// - Returns: The aggregate.
    public static func average(_ name: String) -> Self {
        Self(function: .average, name: name)
    }
}
