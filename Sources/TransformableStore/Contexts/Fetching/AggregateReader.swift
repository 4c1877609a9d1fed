/// Computes aggregates over the rows of one or more tables: in SQL if it can, and in Swift otherwise.
struct AggregateReader {
    private let plans: [AggregatePlan]

    /// Creates a reader.
    ///
    /// - Parameter plans: The plans for the tables, at least one.
    init(_ plans: [AggregatePlan]) {
        self.plans = plans
    }

    /// Returns a row for each group, sorted by the groups, with the cells of the groups and of the aggregates.
    func rows(on connection: any EngineConnection) throws -> [PackedRow] {
        let lists = plans.compactMap { $0.sql("value") }
        guard lists.count == plans.count else { return try rowsOfSwift(on: connection) }
        let statement = try connection.statement(statement(lists[0]))
        defer { statement.reset() }
        var rows: [PackedRow] = []
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: plans[0].names.count)
            for (place, index) in summed.enumerated() where row.isNull(plans[0].groups.count + index) {
                // There may be no values to compute an average of.
                let hasValues = statement.integer(plans[0].names.count + place) > 0
                guard !hasValues else { throw Summary.notANumber }
            }
            rows.append(row)
        }
        return rows
    }

    /// The positions of the aggregates that may not be numbers.
    private var summed: [Int] {
        plans[0].results.indices.filter { [.sum, .average].contains(plans[0].results[$0].function) }
    }

    // MARK: - In SQL

    private func statement(_ aggregates: [SQLFragment]) -> SQLFragment {
        let keys = plans[0].groups.indices.map { "\"group\($0)\"" }
        let list = keys.joined(separator: ", ")
        let order = keys.map { $0 + BoundFetch.direction(false) }.joined(separator: ", ")
        let grouping = keys.isEmpty ? "" : " GROUP BY \(list) ORDER BY \(order)"
        let tables = SQLFragment.list(plans.map(select), by: " UNION ALL ")
        let counts = summed.map { "count(\(raw: "\"value\($0)\""))" as SQLFragment }
        let columns = SQLFragment.list(keys.map { SQLFragment($0) } + aggregates + counts)
        return "SELECT \(columns) FROM (\(tables)) AS \"rows\"\(raw: grouping)"
    }

    /// Returns a statement that selects the cells of one table.
    private func select(_ plan: AggregatePlan) -> SQLFragment {
        let groups = plan.groups.compactMap(\.sql).enumerated()
            .map { index, sql in "\(sql) AS \(raw: "\"group\(index)\"")" as SQLFragment }
        let values = plan.results.compactMap(\.value.sql).enumerated()
            .map { index, sql in "\(sql) AS \(raw: "\"value\(index)\"")" as SQLFragment }
        let columns = groups + values
        let list: SQLFragment = columns.isEmpty ? "1" : .list(columns)
        return "SELECT \(list) FROM \(raw: plan.fetch.entity.table) WHERE \(plan.fetch.test.filter)"
    }

    // MARK: - In Swift

    private struct Group {
        let shown: [ColumnValue]
        var summaries: [Summary]
    }

    private func rowsOfSwift(on connection: any EngineConnection) throws -> [PackedRow] {
        let empty = plans[0].results.map { Summary($0.function, $0.kind) }
        var groups: [[ColumnValue]: Group] = [:]
        if plans[0].groups.isEmpty { groups[[]] = Group(shown: [], summaries: empty) }
        for plan in plans {
            try forEach(plan, on: connection) { key, shown, values in
                var group = groups[key] ?? Group(shown: shown, summaries: empty)
                for (index, value) in values.enumerated() { try group.summaries[index].add(value) }
                groups[key] = group
            }
        }
        return try groups.sorted { Self.precedes($0.key, $1.key) }
            .map { PackedRow(try $0.value.shown + $0.value.summaries.map(Self.result)) }
    }

    private static func result(of summary: Summary) throws -> ColumnValue {
        guard !summary.isUndefined else { throw Summary.notANumber }
        return try summary.result()
    }

    private static func precedes(_ left: [ColumnValue], _ right: [ColumnValue]) -> Bool {
        for (left, right) in zip(left, right) {
            let order = left.order(to: right)
            if order != 0 { return order < 0 }
        }
        return false
    }

    /// Calls a closure with the groups, their cells, and the values of each row of a table.
    private func forEach(
        _ plan: AggregatePlan,
        on connection: any EngineConnection,
        _ body: ([ColumnValue], [ColumnValue], [ColumnValue]) throws -> Void
    ) throws {
        var columns = ExpressionColumns()
        let check = columns.evaluator(of: plan.fetch.test.check ?? .constant(.integer(1)))
        let keys = plan.groups.map { columns.evaluator(of: $0) }
        let shown = plan.shown.map { columns.evaluator(of: $0) }
        let values = plan.results.map { columns.evaluator(of: $0.value) }
        let sql: SQLFragment = """
            SELECT \(columns.selection) FROM \(raw: plan.fetch.entity.table) WHERE \(plan.fetch.test.filter)
            """
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: columns.list.count)
            guard try check(row).isTrue else { continue }
            try body(keys.map { try $0(row) }, shown.map { try $0(row) }, values.map { try $0(row) })
        }
    }
}

extension Aggregate {
    /// The name of the result in a row.
    var label: String { "\(function.rawValue)(\(name ?? ""))" }
}

extension Aggregate.Function {
    /// Whether the result is one of the attribute's values.
    var keepsType: Bool { self == .min || self == .max }
}
