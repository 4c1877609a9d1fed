/// A fetch request for the objects of one table, with resolved names.
struct BoundFetch {
    let entity: StoredEntity
    let test: Criterion
    /// The terms to sort by.
    ///
    /// The last term is the number.
    let order: [(term: Expression, isDescending: Bool)]
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
        let terms: [SQLFragment] = order.compactMap { term, isDescending in
            term.sql.map { "\($0)\(raw: Self.direction(isDescending))" }
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
    /// NULL is less than any value, which is not the default of all engines.
    static func direction(_ isDescending: Bool) -> String {
        isDescending ? " DESC NULLS LAST" : " NULLS FIRST"
    }

    /// What limits the number of rows, if SQL alone decides which they are.
    var cut: SQLFragment {
        guard limit != nil || offset > 0 else { return "" }
        return " LIMIT \(.integer(Int64(limit ?? .max))) OFFSET \(.integer(Int64(offset)))"
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
