/// A value that is computed for each row: by the engine, or in Swift from what the engine returns.
///
/// No statement calls Swift. What the engine cannot compute as Swift would, such as a comparison of decimal numbers or of
/// decoded values, is computed from columns that the statement returns for this purpose.
indirect enum Expression {
    /// Computes a value from the values that it depends on.
    typealias Body = (Arguments) throws -> ColumnValue

    case constant(ColumnValue)
    case sql(SQLFragment)
    case swift([Expression], Body)

    /// The values that a Swift expression depends on, each of which is computed when it is first needed.
    struct Arguments {
        fileprivate let row: PackedRow
        fileprivate let values: [Evaluator]

        subscript(index: Int) -> ColumnValue {
            get throws { try values[index](row) }
        }

        /// Returns a row that contains a value, and the value's position, without copying the value of a column.
        func cell(_ index: Int) throws -> (row: PackedRow, position: Int) {
            if case .column(let position) = values[index].kind { return (row, position) }
            return (PackedRow(single: try self[index]), 0)
        }
    }

    /// Computes an expression for a row of the columns that it was compiled to.
    struct Evaluator {
        fileprivate enum Kind {
            case constant(ColumnValue)
            case column(Int)
            case swift([Evaluator], Body)
        }

        fileprivate let kind: Kind

        func callAsFunction(_ row: PackedRow) throws -> ColumnValue {
            switch kind {
            case .constant(let value): value
            case .column(let position): row.value(position)
            case .swift(let values, let body): try body(Arguments(row: row, values: values))
            }
        }
    }

    static var null: Self { .constant(.null) }

    /// The SQL, or `nil` if the expression is computed in Swift.
    var sql: SQLFragment? {
        switch self {
        case .constant(.null): "NULL"
        case .constant(let value): "\(value)"
        case .sql(let sql): sql
        case .swift: nil
        }
    }

    /// The SQL of all columns that the expression depends on.
    var columns: [SQLFragment] {
        switch self {
        case .constant: []
        case .sql(let sql): [sql]
        case .swift(let parts, _): parts.flatMap(\.columns)
        }
    }

    /// Returns an expression that depends on others: in SQL if all of them are, and in Swift otherwise.
    static func combining(_ parts: [Self], _ sql: ([SQLFragment]) -> SQLFragment, _ body: @escaping Body) -> Self {
        let fragments = parts.compactMap(\.sql)
        return fragments.count == parts.count ? .sql(sql(fragments)) : .swift(parts, body)
    }

    /// Returns the first value that is not null.
    static func coalescing(_ parts: [Self]) -> Self {
        guard parts.count != 1 else { return parts[0] }
        return combining(parts) {
            "coalesce(\(.list($0)))"
        } _: { arguments in
            for index in parts.indices {
                let value = try arguments[index]
                if value != .null { return value }
            }
            return .null
        }
    }

    /// Returns the sum of counts.
    static func adding(_ counts: [Self]) -> Self {
        guard counts.count != 1 else { return counts[0] }
        return combining(counts) {
            // Statements also sort by the sum, and a plain number after ORDER BY is the position of a column.
            $0.isEmpty ? "CAST(0 AS bigint)" : "(\(.list($0, by: " + ")))"
        } _: { arguments in
            .integer(
                try counts.indices.reduce(0) { sum, index in
                    if case .integer(let count) = try arguments[index] { sum + count } else { sum }
                }
            )
        }
    }
}

/// The columns that a statement returns for the expressions that are computed in Swift.
struct ExpressionColumns {
    private(set) var list: [SQLFragment] = []
    /// The columns as the list of a statement that selects nothing else.
    var selection: SQLFragment { list.isEmpty ? "1" : .list(list) }

    // The positions of the columns without parameters.
    private var known: [String: Int] = [:]

    /// Adds the columns that an expression depends on, and returns the function that computes it.
    mutating func evaluator(of expression: Expression) -> Expression.Evaluator {
        switch expression {
        case .constant(let value): Expression.Evaluator(kind: .constant(value))
        case .sql(let sql): Expression.Evaluator(kind: .column(add(sql)))
        case .swift(let parts, let body):
            Expression.Evaluator(kind: .swift(parts.map { evaluator(of: $0) }, body))
        }
    }

    private mutating func add(_ sql: SQLFragment) -> Int {
        if sql.values.isEmpty, let index = known[sql.text] { return index }
        list.append(sql)
        if sql.values.isEmpty { known[sql.text] = list.count - 1 }
        return list.count - 1
    }
}
