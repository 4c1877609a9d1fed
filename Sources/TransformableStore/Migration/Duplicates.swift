internal import Transformable

/// Duplicates of values that are to be unique, in a table that does not require this.
///
/// Text is compared as in Swift, regardless of the scalars that represent it. SQLite's indexes compare bytes.
struct Duplicates {
    /// The columns.
    ///
    /// If there are none, all objects have the same values.
    let columns: [String]
    /// The cells that replace missing ones, by column.
    var fillings: [String: ColumnValue] = [:]
    let table: String
    /// Whether values must be unique only within a tenant.
    var isWithinTenants = false

    /// The cells that are compared: values that must be unique within a tenant along with it.
    private var key: [SQLFragment] {
        let cells = columns.map { name -> SQLFragment in
            let column = SQL.quoted(name)
            guard let filling = fillings[name] else { return "\(raw: column)" }
            return "coalesce(\(raw: column), \(filling))"
        }
        let owner: [SQLFragment] = isWithinTenants ? ["\(raw: TenantColumn.name.description)"] : []
        return cells + owner
    }

    /// The condition of a row that may be a duplicate.
    ///
    /// A group without a value in one of its columns is not equal to any other.
    private var present: String {
        let tests = columns.filter { fillings[$0] == nil }.map { "\(SQL.quoted($0)) IS NOT NULL" }
        return tests.isEmpty ? "TRUE" : tests.joined(separator: " AND ")
    }

    /// Returns the number of values that occur more than once.
    func count(on connection: any EngineConnection) throws -> Int {
        guard try !mustCompareInSwift(on: connection) else {
            return try counts(on: connection).count { $0.value > 1 }
        }
        let key = key
        guard !key.isEmpty else {
            return try connection.integer("SELECT count(*) FROM \(SQL.quoted(table))") > 1 ? 1 : 0
        }
        let groups: SQLFragment = """
            SELECT count(*) FROM (SELECT 1 FROM \(raw: SQL.quoted(table)) WHERE \(raw: present) \
            GROUP BY \(.list(key)) HAVING count(*) > 1) AS "groups"
            """
        return Int(try connection.integer(groups.text, groups.values))
    }

    /// Returns the numbers of the objects that have the same values as others, in order.
    func objects(on connection: any EngineConnection) throws -> [Int64] {
        guard try !mustCompareInSwift(on: connection) else {
            let counts = try counts(on: connection)
            var numbers: [Int64] = []
            try forEachKey(on: connection) { number, key in
                if counts[key, default: 0] > 1 { numbers.append(number) }
            }
            return numbers.sorted()
        }
        let rows: SQLFragment = """
            SELECT "_id" FROM (SELECT "_id", count(*) OVER (PARTITION BY \(.list(key))) AS "count" \
            FROM \(raw: SQL.quoted(table)) WHERE \(raw: present)) AS "rows" WHERE "count" > 1 ORDER BY "_id"
            """
        return try connection.rows(rows.text, rows.values, count: 1).map { $0.integer(0) }
    }

    /// Whether a column contains text that is equal to other text although its bytes are different.
    private func mustCompareInSwift(on connection: any EngineConnection) throws -> Bool {
        try columns.contains { try TextColumn.hasOthers($0, in: TableName(table), on: connection) }
    }

    private func counts(on connection: any EngineConnection) throws -> [[ColumnValue]: Int] {
        var counts: [[ColumnValue]: Int] = [:]
        try forEachKey(on: connection) { counts[$1, default: 0] += 1 }
        return counts
    }

    private func forEachKey(on connection: any EngineConnection, _ body: (Int64, [ColumnValue]) -> Void) throws {
        let cells: [SQLFragment] = ["\"_id\""] + key
        let statement = try connection.statement(
            "SELECT \(.list(cells)) FROM \(raw: SQL.quoted(table)) WHERE \(raw: present)"
        )
        defer { statement.reset() }
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: cells.count)
            body(row.integer(0), cells.indices.dropFirst().map(row.value))
        }
    }

    /// Returns the reason why this number of duplicates is not allowed.
    static func reason(_ count: Int) -> String {
        "it must be unique, but \(count.counted("value")) \(count == 1 ? "occurs" : "occur") more than once"
    }
}
