/// An aggregate over objects, such as their number or the sum of an attribute.
public struct Aggregate: Sendable, Hashable {
    package enum Function: String, Sendable, Hashable {
        case count
        case sum
        case min
        case max
        case average = "avg"
    }

    let function: Function
    /// The attribute, or `nil` if objects are counted.
    let name: String?

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

extension Aggregate.Function {
    /// Returns the SQL of the aggregate and the kind of its result.
    func sql(of subject: Subject) throws(StoreError) -> (sql: SQLFragment, kind: ValueKind) {
        let kind = subject.kind
        switch self {
        case .count: return ("count(\(subject.sql))", .integer)
        case .min, .max:
            guard kind != .boolean, kind != .data else { throw refusal(subject) }
            guard kind != .decimal else {
                return (DecimalOrder.text("\(raw: rawValue)(\(DecimalOrder.key(subject.sql)))"), kind)
            }
            return ("\(raw: rawValue)(\(subject.sql))", kind)
        case .average:
            guard kind != .decimal else { return (DecimalSum.average(subject.sql), kind) }
            guard kind.isNumber else { throw refusal(subject) }
            return ("avg(\(subject.sql))", .double)
        case .sum:
            guard kind != .decimal else { return (DecimalSum.sum(subject.sql), kind) }
            guard kind.isNumber else { throw refusal(subject) }
            // The sum of no values is NULL in SQL.
            return kind == .integer
                ? ("coalesce(sum(\(subject.sql)), 0)", kind) : ("coalesce(sum(\(subject.sql)), 0.0)", .double)
        }
    }

    private func refusal(_ subject: Subject) -> StoreError {
        subject.failure(.unsupported, "“\(rawValue)” cannot be computed for it, because it is \(subject.kind.words)")
    }
}
