internal import GRDB
internal import Transformable

/// Values of some columns that are to occur once, in a table that has had no such rule.
///
/// Text is equal as Swift compares it, whichever scalars write it; SQLite's indexes compare bytes.
struct Duplicates {
    let columns: [String]
    let table: String

    /// How many values occur more than once.
    ///
    /// What has no value in one of the columns equals nothing.
    func count(on database: Database) throws -> Int {
        let names = columns.map(SQL.quoted)
        let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let keys = SQLFragment.list(names.map { TextColumn.composed(SQLFragment($0)) })
        let groups: SQLFragment = """
            SELECT count(*) FROM (SELECT 1 FROM \(raw: SQL.quoted(table)) WHERE \(raw: present) GROUP BY \(keys) \
            HAVING count(*) > 1)
            """
        let statement = try SQLStatement(groups, on: database)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// Why a number of such values cannot be.
    static func reason(_ count: Int) -> String {
        "\(count.counted("value")) would have to occur once, and \(count == 1 ? "occurs" : "occur") more often"
    }
}
