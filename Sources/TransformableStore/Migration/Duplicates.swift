internal import Transformable

/// Duplicates of values that are to be unique, in a table that did not require this before.
///
/// Text is compared as in Swift, regardless of the scalars that represent it. SQLite's indexes compare bytes.
struct Duplicates {
    let columns: [String]
    let table: String

    /// Returns the number of values that occur more than once.
    ///
    /// A group without a value in one of its columns is not equal to any other.
    func count(on database: any EngineConnection) throws -> Int {
        let names = columns.map(SQL.quoted)
        let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let keys = SQLFragment.list(names.map { TextColumn.composed(SQLFragment($0)) })
        let groups: SQLFragment = """
            SELECT count(*) FROM (SELECT 1 FROM \(raw: SQL.quoted(table)) WHERE \(raw: present) GROUP BY \(keys) \
            HAVING count(*) > 1)
            """
        let statement = try database.statement(groups)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// Returns the reason why this number of duplicates is not allowed.
    static func reason(_ count: Int) -> String {
        "it must be unique, but \(count.counted("value")) \(count == 1 ? "occurs" : "occur") more than once"
    }
}
