/// What a condition or sort key may consist of, so that its text cannot exhaust memory or overflow the stack.
///
/// Copies of a binder share one instance, which has the related objects that they find.
final class ConditionLimits {
    /// The maximum number of terms and conditions that are nested in each other.
    static let depth = 400
    private static let names = 32
    private static let mostJoins = 10_000
    private static let bytes = 16_777_216

    var matches: [RelatedMatch] = []
    private var joinCount = 0

    /// Counts the joins of a relationship, before they are made.
    ///
    /// A path through relationships that lead to several entities multiplies them.
    func add(joins count: Int) throws(StoreError) {
        joinCount += count
        guard joinCount <= Self.mostJoins else {
            let reason = "its paths lead through more than \(Self.mostJoins) combinations of entities"
            throw StoreError(.limitExceeded, "the condition or sort order is too large: \(reason); use shorter paths")
        }
    }

    /// Throws an error if a path has too many names.
    static func check(path names: some Collection<String>) throws(StoreError) {
        guard names.count > Self.names else { return }
        throw StoreError(
            .limitExceeded,
            "the path has \(names.count) names; use a path with at most \(Self.names)",
            attribute: names.first
        )
    }

    /// Throws an error if a condition became too much SQL.
    static func check(_ condition: BoundCondition) throws(StoreError) {
        guard max(condition.holds.size, condition.fails.size) > bytes else { return }
        throw StoreError(.limitExceeded, "the condition becomes more than \(bytes) bytes of SQL; use a simpler one")
    }
}

extension Criterion {
    /// The approximate number of bytes of its SQL.
    fileprivate var size: Int { filter.text.utf8.count + (check?.size ?? 0) }
}

extension Expression {
    fileprivate var size: Int {
        switch self {
        case .constant: 1
        case .sql(let sql): sql.text.utf8.count
        case .swift(let parts, _): parts.reduce(1) { $0 + $1.size }
        }
    }
}
