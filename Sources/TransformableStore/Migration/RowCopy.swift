/// Copies the rows of a table to another, with cells that may be computed in Swift.
struct RowCopy {
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
        let insertion = try connection.statement("\(head) VALUES (\(marks))", cached: false)
        let rows = try connection.statement("SELECT \(columns.selection) FROM \(raw: source)")
        defer { rows.reset() }
        while try rows.step() {
            let row = rows.packedRow(from: 0, count: columns.list.count)
            try insertion.run(cells.map { try $0(row) })
        }
    }
}
