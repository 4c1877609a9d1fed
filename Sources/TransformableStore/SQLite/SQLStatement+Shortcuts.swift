internal import GRDB

extension SQLStatement {
    /// Runs a statement that returns no rows.
    static func run(_ sql: String, _ values: [ColumnValue] = [], on database: Database) throws {
        let statement = try SQLStatement(sql, on: database, cached: false)
        try statement.bind(values)
        try statement.run()
    }

    /// Runs a statement that returns no rows, with the given values.
    func run(_ values: [ColumnValue]) throws {
        try bind(values)
        try run()
    }

    /// Returns the number that a statement selects, or 0 if there is no row.
    ///
    /// A statement that often runs should be cached, because preparing it takes longer than running it.
    static func integer(
        _ sql: String,
        _ values: [ColumnValue] = [],
        on database: Database,
        cached: Bool = false
    ) throws -> Int64 {
        let statement = try SQLStatement(sql, on: database, cached: cached)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Creates an uncached statement with its parameters bound.
    convenience init(_ fragment: SQLFragment, on database: Database) throws {
        try self.init(fragment.text, on: database, cached: false)
        try bind(fragment)
    }

    /// Returns all rows of a statement that returns few.
    static func rows(
        _ sql: String,
        _ values: [ColumnValue] = [],
        count: Int,
        on database: Database
    ) throws -> [PackedRow] {
        let statement = try SQLStatement(sql, on: database, cached: false)
        try statement.bind(values)
        defer { statement.reset() }
        var rows: [PackedRow] = []
        while try statement.step() {
            rows.append(statement.packedRow(from: 0, count: count))
        }
        return rows
    }
}
