internal import Transformable

/// Duplicates of values that are to be unique, in a table that does not require this.
///
/// Text is compared as in Swift, regardless of the scalars that represent it. SQLite's indexes compare bytes.
struct Duplicates {
    let columns: [String]
    let table: String
    /// Whether values must be unique only within a tenant.
    var isWithinTenants = false

    /// The columns that are compared: values that must be unique within a tenant along with it.
    private var key: [String] { columns.map(SQL.quoted) + (isWithinTenants ? [TenantColumn.name.description] : []) }

    /// The condition of a row that may be a duplicate.
    ///
    /// A group without a value in one of its columns is not equal to any other.
    private var present: String { columns.map { "\(SQL.quoted($0)) IS NOT NULL" }.joined(separator: " AND ") }

    /// Returns the number of values that occur more than once.
    func count(on connection: any EngineConnection) throws -> Int {
        guard try !mustCompareInSwift(on: connection) else {
            return try counts(on: connection).count { $0.value > 1 }
        }
        let groups = """
            SELECT count(*) FROM (SELECT 1 FROM \(SQL.quoted(table)) WHERE \(present) \
            GROUP BY \(key.joined(separator: ", ")) HAVING count(*) > 1) AS "groups"
            """
        return Int(try connection.integer(groups))
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
        let rows = """
            SELECT "_id" FROM (SELECT "_id", count(*) OVER (PARTITION BY \(key.joined(separator: ", "))) AS "count" \
            FROM \(SQL.quoted(table)) WHERE \(present)) AS "rows" WHERE "count" > 1 ORDER BY "_id"
            """
        return try connection.rows(rows, count: 1).map { $0.integer(0) }
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
        let names = ["\"_id\""] + key
        let sql = "SELECT \(names.joined(separator: ", ")) FROM \(SQL.quoted(table)) WHERE \(present)"
        let statement = try connection.statement(sql, cached: false)
        defer { statement.reset() }
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: names.count)
            body(row.integer(0), names.indices.dropFirst().map(row.value))
        }
    }

    /// Returns the reason why this number of duplicates is not allowed.
    static func reason(_ count: Int) -> String {
        "it must be unique, but \(count.counted("value")) \(count == 1 ? "occurs" : "occur") more than once"
    }
}
