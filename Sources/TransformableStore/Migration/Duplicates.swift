internal import Transformable

/// Duplicates of values that are to be unique, in a table that did not require this before.
///
/// Text is compared as in Swift, regardless of the scalars that represent it. SQLite's indexes compare bytes.
struct Duplicates {
    let columns: [String]
    let table: String
    /// Whether values must be unique only within a tenant.
    var isWithinTenants = false

    /// Returns the number of values that occur more than once.
    ///
    /// A group without a value in one of its columns is not equal to any other.
    func count(on connection: any EngineConnection) throws -> Int {
        let names = columns.map(SQL.quoted)
        let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        // Values that must be unique within a tenant are compared along with it.
        let owner = isWithinTenants ? [TenantColumn.name.description] : []
        guard try !columns.contains(where: { try TextColumn.hasOthers($0, in: TableName(table), on: connection) })
        else {
            return try countInSwift(names + owner, where: present, on: connection)
        }
        let groups = """
            SELECT count(*) FROM (SELECT 1 FROM \(SQL.quoted(table)) WHERE \(present) \
            GROUP BY \((names + owner).joined(separator: ", ")) HAVING count(*) > 1) AS "groups"
            """
        return Int(try connection.integer(groups))
    }

    private func countInSwift(
        _ names: [String],
        where present: String,
        on connection: any EngineConnection
    ) throws -> Int {
        let sql = "SELECT \(names.joined(separator: ", ")) FROM \(SQL.quoted(table)) WHERE \(present)"
        let statement = try connection.statement(sql, cached: false)
        defer { statement.reset() }
        var counts: [[ColumnValue]: Int] = [:]
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: names.count)
            counts[names.indices.map(row.value), default: 0] += 1
        }
        return counts.count { $0.value > 1 }
    }

    /// Returns the reason why this number of duplicates is not allowed.
    static func reason(_ count: Int) -> String {
        "it must be unique, but \(count.counted("value")) \(count == 1 ? "occurs" : "occur") more than once"
    }
}
