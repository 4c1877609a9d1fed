/// A condition in SQL, with resolved names and typed values.
///
/// Neither fragment is ever NULL, the third truth value of SQL. Each row satisfies exactly one of them, or neither if a
/// cell does not contain a value of its attribute's type.
struct BoundCondition {
    /// True for the rows that satisfy the condition.
    var holds: SQLFragment
    /// True for the rows that do not.
    var fails: SQLFragment

    init(holds: SQLFragment, fails: SQLFragment) {
        self.holds = holds
        self.fails = fails
    }

    /// Creates a condition that fails whenever an SQL fragment is not true.
    init(_ holds: SQLFragment) {
        self.init(holds: holds, fails: "(\(holds)) IS NOT TRUE")
    }

    static func constant(_ flag: Bool) -> Self {
        Self(holds: flag ? .always : .never, fails: flag ? .never : .always)
    }

    var negated: Self { Self(holds: fails, fails: holds) }

    static func and(_ parts: [Self]) -> Self {
        guard !parts.isEmpty else { return constant(true) }
        return Self(holds: joined(parts.map(\.holds), by: "AND"), fails: joined(parts.map(\.fails), by: "OR"))
    }

    static func or(_ parts: [Self]) -> Self {
        and(parts.map(\.negated)).negated
    }

    /// Joins fragments.
    ///
    /// Those that call Swift come last, so that they run for fewer rows.
    private static func joined(_ pieces: [SQLFragment], by word: String) -> SQLFragment {
        .joined(pieces.filter { !$0.isCostly } + pieces.filter(\.isCostly), by: word)
    }
}
