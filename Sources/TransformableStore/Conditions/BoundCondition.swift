/// A condition with resolved names and typed values.
///
/// Each row passes exactly one of the two tests, or neither if a cell does not contain a value of its attribute's type.
struct BoundCondition {
    /// Passed by the rows that satisfy the condition.
    var holds: Criterion
    /// Passed by the rows that do not.
    var fails: Criterion

    init(holds: Criterion, fails: Criterion) {
        self.holds = holds
        self.fails = fails
    }

    init(holds: SQLFragment, fails: SQLFragment) {
        self.init(holds: Criterion(holds), fails: Criterion(fails))
    }

    /// Creates a condition that fails for all rows that do not pass a test.
    init(_ holds: Criterion) {
        self.init(holds: holds, fails: holds.negated)
    }

    init(_ holds: SQLFragment) {
        self.init(Criterion(holds))
    }

    static func constant(_ flag: Bool) -> Self {
        Self(holds: flag ? Criterion.always : .never, fails: flag ? .never : .always)
    }

    /// A condition on an object that quantifiers ignore, which passes neither test.
    static var ignored: Self { Self(holds: Criterion.never, fails: .never) }

    static func isNull(_ expression: Expression) -> Self {
        Self(holds: Criterion.isNull(expression), fails: Criterion.isNotNull(expression))
    }

    var negated: Self { Self(holds: fails, fails: holds) }

    static func and(_ parts: [Self]) -> Self {
        guard !parts.isEmpty else { return constant(true) }
        return Self(holds: .all(parts.map(\.holds)), fails: .any(parts.map(\.fails)))
    }

    static func or(_ parts: [Self]) -> Self {
        and(parts.map(\.negated)).negated
    }
}
