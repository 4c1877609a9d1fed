/// The related objects of all objects at once, for what the engine cannot compute for each of them.
///
/// They are read before the statement that uses the result, because a connection may run only one statement at a time.
struct RelatedObjects {
    // A longer list of numbers is compared in Swift.
    private static let longestList = 1000

    let join: RelationshipJoin
    let context: StoreContext

    private var dialect: Dialect { context.store.engine.dialect }

    /// Returns the condition that a related object passes a test.
    func exists(_ criterion: Criterion) throws -> Criterion {
        guard !criterion.isExact else { return Criterion(join.exists(criterion.filter)) }
        let reach = reach(of: criterion.columns)
        var found: Set<[ColumnValue]> = []
        try forEach(where: criterion, [], reach) { key, _ in found.insert(key) }
        let keys = join.keys(reaching: reach)
        guard !found.isEmpty else { return Criterion(SQLFragment.never.ofOthers) }
        if keys.count == 1, found.count <= Self.longestList {
            return Criterion("\(keys[0]) IN (\(.list(found.map { "\($0[0])" })))")
        }
        return Criterion(
            .always,
            check: .swift(keys.map(Expression.sql)) { arguments in
                .integer(found.contains(try keys.indices.map { try arguments[$0] }) ? 1 : 0)
            }
        )
    }

    /// Returns the number of related objects that pass a test.
    func count(_ criterion: Criterion) throws -> Expression {
        guard !criterion.isExact else { return .sql(join.select("count(*)", where: criterion.filter)) }
        let reach = reach(of: criterion.columns)
        var counts: [[ColumnValue]: Int64] = [:]
        try forEach(where: criterion, [], reach) { key, _ in counts[key, default: 0] += 1 }
        let keys = join.keys(reaching: reach)
        return .swift(keys.map(Expression.sql)) { [counts] arguments in
            .integer(counts[try keys.indices.map { try arguments[$0] }] ?? 0)
        }
    }

    /// Returns an aggregate of a value of the related objects in one or more tables.
    static func summary(
        _ function: Aggregate.Function,
        of related: [(objects: Self, value: Expression)],
        _ kind: ValueKind
    ) throws -> Expression {
        let values = related.compactMap(\.value.sql)
        if let first = related.first?.objects, values.count == related.count,
            let sql = function.sql(of: related.count > 1 ? "\"value\"" : values[0], kind, first.dialect)
        {
            guard related.count > 1 else { return .sql(first.join.select(sql)) }
            let tables = zip(related, values).map { $0.objects.join.rows("\($1) AS \"value\"") }
            return .sql(
                ("(SELECT \(sql) FROM (\(.list(tables, by: " UNION ALL "))) AS \"values\")" as SQLFragment).ofOthers
            )
        }
        let tables = try related.map { try $0.objects.values(of: $0.value) }
        return .swift(tables.flatMap(\.keys).map(Expression.sql)) { arguments in
            var summary = Summary(function, kind)
            var index = 0
            for table in tables {
                let key = try table.keys.indices.map { try arguments[index + $0] }
                for value in table.values[key] ?? [] { try summary.add(value) }
                index += key.count
            }
            return try summary.result()
        }
    }

    /// Returns the values of all related objects by what identifies the objects that they belong to.
    private func values(of value: Expression) throws -> (keys: [SQLFragment], values: [[ColumnValue]: [ColumnValue]]) {
        let reach = reach(of: value.columns)
        var values: [[ColumnValue]: [ColumnValue]] = [:]
        try forEach(where: .always, [value], reach) { values[$0, default: []] += $1 }
        return (join.keys(reaching: reach), values)
    }

    /// Returns the outermost scope that is used, or the related objects' own.
    private func reach(of columns: [SQLFragment]) -> Int {
        join.reach(from: min(columns.map(\.reach).min() ?? .max, join.scope.depth))
    }

    /// Calls a closure with the key of an object of the owner, and with values of a related object, for all that pass a
    /// test.
    private func forEach(
        where criterion: Criterion,
        _ values: [Expression],
        _ reach: Int,
        _ body: (_ key: [ColumnValue], _ values: [ColumnValue]) throws -> Void
    ) throws {
        var columns = ExpressionColumns()
        let check = criterion.check.map { columns.evaluator(of: $0) }
        let evaluators = values.map { columns.evaluator(of: $0) }
        let keyCount = join.keys(reaching: reach).count
        let sql = join.all(columns.list, where: criterion.filter, reaching: reach)
        let statement = try context.database().statement(sql)
        defer { statement.reset() }
        while try statement.step() {
            let row = statement.packedRow(from: keyCount, count: columns.list.count)
            guard try check?(row).isTrue != false else { continue }
            let key = statement.packedRow(from: 0, count: keyCount)
            try body((0..<keyCount).map(key.value), evaluators.map { try $0(row) })
        }
    }
}
