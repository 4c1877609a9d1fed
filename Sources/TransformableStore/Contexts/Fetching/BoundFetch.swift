/// A fetch request for the objects of one table, with resolved names.
struct BoundFetch {
    let entity: StoredEntity
    let test: Criterion
    /// The terms to sort by.
    ///
    /// The last term is the number.
    let order: [(term: Expression, isDescending: Bool, hasNulls: Bool)]
    let limit: Int?
    let offset: Int
    /// The columns that check the tags of the rows of related objects that the result depends on.
    let checks: [SQLFragment]

    /// Whether rows of other objects may affect the result.
    var involvesOthers: Bool {
        (test.columns + order.flatMap(\.term.columns)).contains(where: \.involvesOthers)
    }

    /// The number of values that its SQL depends on.
    var valueCount: Int {
        (test.columns + order.flatMap(\.term.columns) + checks).reduce(0) { $0 + $1.values.count }
    }

    /// The terms to sort by in SQL, or `nil` if any of them is computed in Swift.
    var sqlOrder: [SQLFragment]? {
        let terms: [SQLFragment] = order.compactMap { term, isDescending, hasNulls in
            term.sql.map { "\($0)\(raw: Self.direction(isDescending, hasNulls: hasNulls))" }
        }
        return terms.count == order.count ? terms : nil
    }

    /// Returns the columns that check the tags of related rows, with names, and empty ones up to a number.
    func namedChecks(_ count: Int, _ dialect: Dialect) -> [SQLFragment] {
        let empty: SQLFragment = dialect.has(.rowTags) ? "NULL" : "CAST(NULL AS bytea[])"
        let all = checks + Array(repeating: empty, count: count - checks.count)
        return zip(all, 0...).map { "\($0) AS \(raw: SQL.quoted("\(RowSeal.relatedPrefix)\($1)"))" }
    }

    /// Returns what follows a term to sort by.
    ///
    /// NULL is less than any value, which is not the default of all engines. The order is that of the indexes, so that
    /// they are used: those of attributes begin with NULL in all engines, and that of the number has none.
    static func direction(_ isDescending: Bool, hasNulls: Bool = true) -> String {
        guard hasNulls else { return isDescending ? " DESC" : "" }
        return isDescending ? " DESC NULLS LAST" : " NULLS FIRST"
    }

    /// What limits the number of rows, if SQL alone decides which they are.
    var cut: SQLFragment {
        guard limit != nil || offset > 0 else { return "" }
        return " LIMIT \(.integer(Int64(limit ?? .max))) OFFSET \(.integer(Int64(offset)))"
    }

    /// What limits the rows of one of several tables to those that can be part of the result, or `nil` if all can.
    var partCut: SQLFragment? {
        guard let (count, isTooLarge) = limit?.addingReportingOverflow(offset), !isTooLarge else { return nil }
        return " LIMIT \(.integer(Int64(count)))"
    }
}

extension StoreContext {
    /// Resolves the names of a fetch, for each entity of a family.
    func bind(
        _ name: String,
        _ condition: Condition,
        _ order: [SortKey],
        _ limit: Int?,
        _ offset: Int
    ) throws -> [BoundFetch] {
        if let limit, limit < 0 { throw StoreError(.invalidCondition, "the limit is negative") }
        guard offset >= 0 else { throw StoreError(.invalidCondition, "the offset is negative") }
        let entities = try schema.family(name)
        let binders = try entities.map { entity in
            try requireVisible(entity)
            return ConditionBinder(entity: entity, in: self)
        }
        let tests = try binders.map { try $0.bind(condition.node).holds }
        let filters = tests.map(\.filter)
        let terms = try order.map {
            try SortTerm.values(of: $0, in: entities, where: filters, schema, database())
        }
        let family = entities.indices.map { index in
            let keys = zip(terms, order)
                .map { (term: $0[index].value, isDescending: $1.isDescending, hasNulls: $0[index].hasNulls) }
            let number = Expression.sql(Scope(entities[index]).column("_id"))
            return BoundFetch(
                entity: entities[index],
                test: tests[index],
                order: keys + [(term: number, isDescending: false, hasNulls: false)],
                limit: limit,
                offset: offset,
                checks: checks(of: binders[index].matches + terms.flatMap { $0[index].matches })
            )
        }
        guard family.reduce(0, { $0 + $1.valueCount }) <= 30_000 else {
            let checked = family.contains { $0.checks.contains { !$0.values.isEmpty } }
            let rule = checked ? ", of which those for authenticated rows of related objects count twice" : ""
            let message = "the condition has more than 30,000 values\(rule); fetch the objects in several parts"
            throw StoreError(.limitExceeded, message, entity: name)
        }
        guard family.allSatisfy({ $0.checks.count <= 1000 }) else {
            let message = "the condition depends on the authenticated rows of other objects in more than 1,000 places"
            throw StoreError(.limitExceeded, "\(message); fetch the objects in several parts", entity: name)
        }
        return family
    }

    /// Returns the columns that check the tags of the rows of related objects, each of them once.
    ///
    /// The servers of a distributed store cannot select them across tenants.
    private func checks(of matches: [RelatedMatch]) -> [SQLFragment] {
        guard scope != .everything else { return [] }
        var known: Set<String> = []
        return matches.compactMap { $0.check(isOverlaid: connection.isOverlaid($0.join.scope.entity)) }
            .filter { !$0.values.isEmpty || known.insert($0.text).inserted }
    }
}

/// A row that a fetch has found.
struct FoundRow {
    /// The position of the object's entity.
    let place: Int
    let number: Int64
    /// The cells of the selected columns.
    let cells: PackedRow
}

/// Counts rows that have passed a test, some of which are skipped.
struct RowCut {
    private var skipped: Int
    private var left: Int

    init(limit: Int?, offset: Int) {
        skipped = offset
        left = limit ?? .max
    }

    /// Whether there are enough rows.
    var isComplete: Bool { left == 0 }

    /// Returns a Boolean value that indicates whether the next row is part of the result.
    mutating func takes() -> Bool {
        guard skipped == 0 else {
            skipped -= 1
            return false
        }
        left -= 1
        return true
    }
}

/// The rows that a server sends at a time while Swift decides which of them are found.
///
/// Without a limit, a server would prepare and send all rows, even if the first ones are enough.
struct RowWindow {
    // The smallest number of rows, and how much larger each part is than the one before.
    private static let (fewest, growth) = (128, 16)

    private var start = 0
    private var size: Int

    /// Creates the first part, or returns `nil` if all rows are wanted.
    init?(_ fetch: BoundFetch) {
        guard let (count, isTooLarge) = fetch.limit?.addingReportingOverflow(fetch.offset), !isTooLarge else {
            return nil
        }
        size = max(count, Self.fewest)
    }

    /// What limits a statement to these rows.
    var cut: SQLFragment { " LIMIT \(.integer(Int64(size))) OFFSET \(.integer(Int64(start)))" }

    /// Goes on to the next rows.
    ///
    /// - Parameter count: The number of rows that the server has sent.
    /// - Returns: Whether there may be more rows.
    mutating func advance(after count: Int) -> Bool {
        guard count == size else { return false }
        start += size
        size *= Self.growth
        return true
    }
}
