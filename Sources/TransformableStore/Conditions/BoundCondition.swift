/// A condition in SQL: its names are found and its values have their types.
///
/// SQL knows a third truth value, NULL, which neither piece ever gives: each row satisfies one of the two,
/// or neither if a cell holds no value of its attribute's type.
struct BoundCondition {
    /// Holds for the rows that satisfy the condition.
    var holds: SQLFragment
    /// Holds for those that do not.
    var fails: SQLFragment

    init(holds: SQLFragment, fails: SQLFragment) {
        self.holds = holds
        self.fails = fails
    }

    /// A condition that fails wherever a piece of SQL is not true.
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

    /// Joins pieces; those that call Swift come last and run for fewer rows.
    private static func joined(_ pieces: [SQLFragment], by word: String) -> SQLFragment {
        .joined(pieces.filter { !$0.isCostly } + pieces.filter(\.isCostly), by: word)
    }
}
