package import TransformableStore

/// Reads from a database file of another program.
///
/// It is valid only inside the closure that it was passed to.
package struct ForeignReader {
    /// A column of a table.
    package struct Column: Sendable, Hashable {
        package let name: String
        /// The declared type, as it was written.
        package let type: String
        /// Whether it is the table's whole primary key.
        package let isKey: Bool
    }

    // A file that was made to be slow to read can have any number.
    private static let columnLimit = 100_000

    private let connection: any EngineConnection
    /// The number of rows that fit into the file, as each takes at least this many bytes.
    let rowLimit: Int64
    private static let smallestRow: Int64 = 4

    init(connection: any EngineConnection, size: Int64) {
        self.connection = connection
        rowLimit = size / Self.smallestRow + 1
    }

    /// Returns the file's own tables with their columns, by name.
    ///
    /// Views, virtual tables, and tables with computed columns are left out, because reading one can take any time.
    ///
    /// - Returns: The columns of each table.
    /// - Throws: ``ForeignFailure`` if the file is damaged, or has more than 100,000 columns.
    package func tables() throws -> [String: [Column]] {
        let sql = """
            SELECT "list"."name", "column"."name", "column"."type", "column"."hidden", "column"."pk"
            FROM pragma_table_list AS "list", pragma_table_xinfo("list"."name", 'main') AS "column"
            WHERE "list"."schema" = 'main' AND "list"."type" = 'table' LIMIT \(Self.columnLimit + 1)
            """
        let rows = try rows(sql, count: 5, limit: Self.columnLimit + 1)
        guard rows.count <= Self.columnLimit else {
            throw ForeignFailure(
                cause: StoreError(.limitExceeded, "the file has more than \(Self.columnLimit) columns")
            )
        }
        var tables: [String: [Column]] = [:]
        var (computed, compound): (Set<String>, Set<String>) = ([], [])
        for row in rows {
            guard let table = row.text(0), let name = row.text(1) else { continue }
            tables[table, default: []].append(Column(name: name, type: row.text(2) ?? "", isKey: row.integer(4) == 1))
            if row.integer(4) > 1 { compound.insert(table) }
            if row.integer(3) != 0 { computed.insert(table) }
        }
        for (table, columns) in tables where compound.contains(table) {
            tables[table] = columns.map { Column(name: $0.name, type: $0.type, isKey: false) }
        }
        return tables.filter { !computed.contains($0.key) }
    }

    /// Passes each row of a statement to a closure.
    ///
    /// The pages of a damaged table can lead back to each other, so the number of rows is limited by the size of the
    /// file. This needs statements that return every row that they read.
    ///
    /// - Parameters:
    ///   - sql: A statement that selects.
    ///   - count: The number of its columns.
    ///   - values: The values of its parameters.
    ///   - body: A closure that receives the row, and returns whether to continue.
    /// - Throws: ``ForeignFailure`` if the file is damaged, and errors thrown by the closure.
    package func forEachRow(
        _ sql: String,
        count: Int,
        _ values: [ColumnValue] = [],
        _ body: (PackedRow) throws -> Bool
    ) throws {
        let statement = try ForeignFailure.marking {
            let statement = try connection.statement(sql, cached: false)
            try statement.bind(values)
            return statement
        }
        defer { statement.reset() }
        var rest = rowLimit
        while try ForeignFailure.marking(statement.step) {
            rest -= 1
            guard rest >= 0 else { throw Self.endless }
            guard try body(statement.packedRow(from: 0, count: count)) else { return }
        }
    }

    private static var endless: ForeignFailure {
        let remedy = "restore it from a backup, or rescue its rows with “.recover” of the sqlite3 shell"
        let message = "the file is damaged: a table has more rows than fit into it; \(remedy)"
        return ForeignFailure(cause: StoreError(.corruptFile, message))
    }

    /// Returns the rows of a statement that returns few.
    ///
    /// - Parameters:
    ///   - sql: A statement that selects.
    ///   - count: The number of its columns.
    ///   - values: The values of its parameters.
    ///   - limit: The largest number of rows to return.
    /// - Returns: The rows.
    /// - Throws: ``ForeignFailure`` if the file is damaged.
    package func rows(_ sql: String, count: Int, _ values: [ColumnValue] = [], limit: Int) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        try forEachRow(sql, count: count, values) { row in
            rows.append(row)
            return rows.count < limit
        }
        return rows
    }
}
