/// Copies the rows of a table to another, with cells that may be computed in Swift.
struct RowCopy {
    private static let limit = BatchLimit(rows: 500, bytes: 1 << 20)
    private let source: String
    private let expressions: [Expression]
    private let head: String

    /// Creates a copy.
    ///
    /// - Parameters:
    ///   - source: The quoted table to read.
    ///   - expressions: The cells of a new row.
    ///   - target: The quoted table to write.
    ///   - columns: The quoted columns of these cells.
    init(from source: String, _ expressions: [Expression], to target: String, _ columns: [String]) {
        self.source = source
        self.expressions = expressions
        head = "INSERT INTO \(target) (\(columns.joined(separator: ", ")))"
    }

    func run(on connection: any EngineConnection) throws {
        let fragments = expressions.compactMap(\.sql)
        guard fragments.count < expressions.count else {
            return try connection.statement("\(raw: head) SELECT \(.list(fragments)) FROM \(raw: source)").run()
        }
        try copyRows(on: connection)
    }

    private func copyRows(on connection: any EngineConnection) throws {
        var columns = ExpressionColumns()
        let cells = expressions.map { columns.evaluator(of: $0) }
        let marks = expressions.map { _ in "?" }.joined(separator: ", ")
        let insertion = "\(head) VALUES (\(marks))"
        var position: Int64?
        repeat {
            let rows = try batch(of: columns, after: position, on: connection)
            for row in rows {
                let own = row.cells(from: 1, count: columns.list.count)
                try connection.change(insertion, cells.map { try $0(own) }) { _ = try $0.get() }
            }
            position = rows.last?.integer(0)
        } while position != nil
        try connection.settle()
    }

    /// Returns the next rows, with their numbers before the columns.
    ///
    /// An engine may keep all rows of a statement in memory.
    private func batch(
        of columns: ExpressionColumns,
        after position: Int64?,
        on connection: any EngineConnection
    ) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        var size = 0
        while case let count = Self.limit.next(after: rows.count, size), count > 0 {
            let before = rows.count
            let last = rows.last?.integer(0) ?? position
            let start: SQLFragment = last.map { "\"_id\" > \(.integer($0))" } ?? "\"_id\" >= \(.integer(.min))"
            let statement = try connection.statement(
                """
                SELECT "_id", \(columns.selection) FROM \(raw: source) WHERE \(start)
                ORDER BY "_id" LIMIT \(.integer(Int64(count)))
                """
            )
            defer { statement.reset() }
            while size < Self.limit.bytes, try statement.step() {
                let row = statement.packedRow(from: 0, count: columns.list.count + 1)
                rows.append(row)
                size += row.size
            }
            guard rows.count - before == count else { break }
        }
        return rows
    }
}
