internal import Transformable

extension StoreContext {
    /// Returns the rows of an SQL statement, for queries that conditions and aggregates cannot express.
    ///
    /// ```swift
    /// let rows = try context.rows(
    ///     "SELECT ward, count(*) AS beds FROM Patient WHERE age > ? GROUP BY ward HAVING count(*) > 1",
    ///     arguments: [18]
    /// )
    /// for row in rows { print(try row.value("ward", as: String.self), try row.value("beds", as: Int.self)) }
    /// ```
    ///
    /// Only statements that read are run: `SELECT`, `WITH`, `VALUES`, and `EXPLAIN`. The statement sees the pending
    /// changes of the context. For the tables and columns, see <doc:ReadingBySQL>.
    ///
    /// - Parameters:
    ///   - sql: A single statement.
    ///   - arguments: A value for each `?`, in the form that a column holds. `nil` is `NULL`.
    /// - Returns: The rows, which are valid outside of the context's block.
    /// - Throws: `StoreError` with the code `read-only` if the statement does more than read, or with
    ///   the code `invalid-statement` if the database rejects the statement or if the number of arguments is wrong.
    public func rows(_ sql: String, arguments: [(any PlainValue)?] = []) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try forEachRow(sql, arguments: arguments) { rows.append($0) }
        return rows
    }

    /// Calls a closure with each row of an SQL statement, using a constant amount of memory.
    ///
    /// See ``rows(_:arguments:)``. The closure must not change objects of the context.
    ///
    /// - Parameters:
    ///   - sql: A single statement.
    ///   - arguments: A value for each `?`, in the form that a column holds. `nil` is `NULL`.
    ///   - body: A closure that is called with each row.
    /// - Throws: `StoreError` with the code `read-only` if the statement does more than read, or with
    ///   the code `invalid-statement` if the database rejects the statement or if the number of arguments is wrong.
    ///   Errors thrown by the closure.
    public func forEachRow(
        _ sql: String,
        arguments: [(any PlainValue)?] = [],
        _ body: (SQLRow) throws -> Void
    ) throws {
        let values = try arguments.map { try $0?.column() ?? .null }
        try requireOwnTables(sql)
        try withPending {
            let connection = try database()
            // Whatever the statement could do, the connection cannot write in the meantime.
            try connection.readingOnly {
                let query = try ReadingStatement(sql, on: connection)
                try query.bind(values)
                defer { query.reset() }
                let names = SQLRow.Names(query.columnNames)
                while try query.step() {
                    try body(SQLRow(names: names, cells: query.row(), schema: schema, tenant: scope.tenant))
                }
            }
        }
    }
}

/// A statement of a program's own, which can only read.
private struct ReadingStatement {
    private static let verbs = ["SELECT", "WITH", "VALUES", "EXPLAIN"]
    /// The codes of errors that another statement would cause as well, or the same one at another time would not.
    private static let others: Set<StoreError.Code> = [
        .accessDenied, .busy, .canceled, .connectionFailed, .connectionLost, .outcomeUnknown, .transactionConflict,
    ]

    private let statement: any EngineStatement
    let columnNames: [String]

    init(_ sql: String, on connection: any EngineConnection) throws {
        // Check the first word, because SQLite considers transactions, ATTACH, and PRAGMA as reading.
        guard Self.verbs.contains(FirstWord(of: sql[...]).text) else { throw Self.refusal }
        do {
            statement = try connection.ownStatement(sql)
        } catch let error as StoreError where !Self.others.contains(error.code) {
            throw Self.invalid(error)
        }
        guard statement.isReadOnly else { throw Self.refusal }
        columnNames = statement.columnNames
    }

    func bind(_ values: [ColumnValue]) throws(StoreError) {
        let count = statement.parameterCount
        guard values.count == count else {
            let message = "it has \(count.counted("parameter")), but there are \(values.count.counted("argument"))"
            throw StoreError(.invalidStatement, message)
        }
        do { try statement.bind(values) } catch { throw StoreError(.invalidStatement, "\(error)") }
    }

    func step() throws -> Bool {
        do {
            return try statement.step()
        } catch let error as StoreError where [.statementFailed, .corruptFile].contains(error.code) {
            throw error.code == .statementFailed ? Self.invalid(error) : error
        }
    }

    func row() -> PackedRow { statement.packedRow(from: 0, count: columnNames.count) }

    func reset() { statement.reset() }

    private static var refusal: StoreError {
        StoreError(.readOnly, "the statement does not only read; use SELECT here, and objects to change the store")
    }

    private static func invalid(_ error: StoreError) -> StoreError {
        let message = "the statement cannot be run: \(error.message)"
        return StoreError(.invalidStatement, message, underlying: error.underlying)
    }
}

/// The first word of a statement, or of a part of it, after whitespace and comments.
package struct FirstWord {
    /// The word in uppercase.
    package let text: String
    /// What follows the word.
    package let rest: Substring

    package init(of sql: Substring) {
        var rest = sql
        while true {
            rest = rest.drop { $0.isWhitespace }
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*"), let end = rest.firstRange(of: "*/") {
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        text = word.uppercased()
        self.rest = rest[word.endIndex...]
    }
}
