/// A test of rows, which the engine answers exactly or as a superset.
///
/// In the latter case, Swift checks the rows that pass.
struct Criterion {
    /// True for every row that passes the test.
    var filter: SQLFragment
    /// True for the rows that pass among those that the filter finds, or `nil` if it finds no others.
    var check: Expression?

    init(_ filter: SQLFragment, check: Expression? = nil) {
        self.filter = filter
        self.check = check
    }

    /// Creates a test that a Boolean value is true.
    init(_ expression: Expression) {
        guard let sql = expression.sql else {
            self.init(.always, check: expression)
            return
        }
        self.init(sql)
    }

    static var always: Self { Self(.always) }
    static var never: Self { Self(.never) }

    var isExact: Bool { check == nil }

    /// The SQL of all columns that the test depends on.
    var columns: [SQLFragment] { [filter] + (check?.columns ?? []) }

    /// Whether a row passes, as a Boolean value that is never null.
    var expression: Expression {
        guard let check else { return .sql("((\(filter)) IS TRUE)") }
        return .swift([.sql("((\(filter)) IS TRUE)"), check]) { arguments in
            try .integer(arguments[0].isTrue && arguments[1].isTrue ? 1 : 0)
        }
    }

    /// The test that exactly the other rows pass, among them those for which the answer is unknown.
    var negated: Self {
        guard !isExact else { return Self("(\(filter)) IS NOT TRUE") }
        return Self(.always, check: .swift([expression]) { try .integer($0[0].isTrue ? 0 : 1) })
    }

    static func all(_ parts: [Self]) -> Self {
        let checks = parts.compactMap(\.check)
        let filter = SQLFragment.joined(parts.map(\.filter), by: "AND")
        guard checks.count > 1 else { return Self(filter, check: checks.first) }
        return Self(
            filter,
            check: .swift(checks) { arguments in
                .integer(try checks.indices.allSatisfy { try arguments[$0].isTrue } ? 1 : 0)
            }
        )
    }

    static func any(_ parts: [Self]) -> Self {
        guard parts.count != 1 else { return parts[0] }
        guard !parts.isEmpty else { return never }
        let filter = SQLFragment.joined(parts.map(\.filter), by: "OR")
        guard parts.contains(where: { !$0.isExact }) else { return Self(filter) }
        // The engine answers all exact tests in a single column.
        let exact = parts.filter(\.isExact).map(\.filter)
        let tests =
            (exact.isEmpty ? [] : [Self(.joined(exact, by: "OR")).expression])
            + parts.filter { !$0.isExact }.map(\.expression)
        return Self(
            filter,
            check: .swift(tests) { arguments in
                .integer(try tests.indices.contains { try arguments[$0].isTrue } ? 1 : 0)
            }
        )
    }
}

/// The signs of comparisons in SQL.
enum ComparisonSign: String {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The sign that is true of two values if this one is not.
    var opposite: Self {
        switch self {
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        case .equal: .equal
        }
    }

    /// Returns a Boolean value that indicates whether values in an order, which is -1, 0, or 1, have the relation.
    func accepts(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension Criterion {
    /// Compares two values.
    ///
    /// Null has no relation to any value.
    static func comparing(_ left: Expression, _ sign: ComparisonSign, _ right: Expression) -> Self {
        Self(
            .combining([left, right]) {
                "\($0[0]) \(raw: sign.rawValue) \($0[1])"
            } _: { arguments in
                let (left, right) = (try arguments[0], try arguments[1])
                guard left != .null, right != .null else { return .null }
                return .integer(sign.accepts(left.order(to: right)) ? 1 : 0)
            }
        )
    }

    /// Tests whether two values are equal, or both null.
    ///
    /// Each value occurs once, because the SQL of nested comparisons would otherwise double with each level.
    static func equating(_ left: Expression, _ right: Expression, _ dialect: Dialect) -> Self {
        Self(
            .combining([left, right]) {
                "\($0[0]) \(raw: dialect.isSame) \($0[1])"
            } _: { arguments in
                try .integer(arguments[0].order(to: arguments[1]) == 0 ? 1 : 0)
            }
        )
    }

    static func isNull(_ expression: Expression) -> Self {
        // PostgreSQL cannot tell the type of a parameter that is only tested for null.
        if case .constant(let value) = expression { return value == .null ? .always : .never }
        return Self(.combining([expression], { "\($0[0]) IS NULL" }, { try .integer($0[0] == .null ? 1 : 0) }))
    }

    static func isNotNull(_ expression: Expression) -> Self {
        if case .constant(let value) = expression { return value == .null ? .never : .always }
        return Self(.combining([expression], { "\($0[0]) IS NOT NULL" }, { try .integer($0[0] == .null ? 0 : 1) }))
    }
}
