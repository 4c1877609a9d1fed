/// What a number of objects come to: how many they are, or what their values of an attribute come to.
public struct Aggregate: Sendable, Hashable {
    package enum Function: String, Sendable, Hashable {
        case count
        case sum
        case min
        case max
        case average = "avg"
    }

    let function: Function
    /// The attribute; nil where objects are counted.
    let name: String?

    /// How many objects there are.
    public static let count = Self(function: .count, name: nil)

    /// How many objects have a value.
    ///
    /// - Parameter name: The attribute’s or projection’s name.
    /// - Returns: The aggregate.
    public static func count(of name: String) -> Self {
        Self(function: .count, name: name)
    }

    /// The sum of all values, which are numbers; 0 of none.
    ///
    /// That of decimal numbers is exact.
    ///
    /// - Parameter name: The attribute’s or projection’s name.
    /// - Returns: The aggregate.
    public static func sum(_ name: String) -> Self {
        Self(function: .sum, name: name)
    }

    /// The smallest value; nothing of none.
    ///
    /// - Parameter name: The attribute’s or projection’s name.
    /// - Returns: The aggregate.
    public static func min(_ name: String) -> Self {
        Self(function: .min, name: name)
    }

    /// The largest value; nothing of none.
    ///
    /// - Parameter name: The attribute’s or projection’s name.
    /// - Returns: The aggregate.
    public static func max(_ name: String) -> Self {
        Self(function: .max, name: name)
    }

    /// The mean of all values, which are numbers, as a `Double`, of decimal numbers as a `Decimal`; nothing of none.
    ///
    /// - Parameter name: The attribute’s or projection’s name.
    /// - Returns: The aggregate.
    public static func average(_ name: String) -> Self {
        Self(function: .average, name: name)
    }
}

extension Aggregate.Function {
    /// The SQL of the aggregate, and what it gives.
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
            // Without a value SQL's sum is null.
            return kind == .integer
                ? ("coalesce(sum(\(subject.sql)), 0)", kind) : ("coalesce(sum(\(subject.sql)), 0.0)", .double)
        }
    }

    private func refusal(_ subject: Subject) -> StoreError {
        subject.failure(.unsupported, "there is no “\(rawValue)” of it, which is \(subject.kind.words)")
    }
}
