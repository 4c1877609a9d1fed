import Testing

@testable import TransformablePostgres  // The translation is internal.

@Suite struct PostgresSQLTests {
    @Test(arguments: [
        ("SELECT ? WHERE \"a\" = ?", "SELECT $1 WHERE \"a\" = $2"),
        ("VALUES (?1, ?12)", "VALUES ($1, $12)"),
        ("SELECT '?', 'it''s ?', ?", "SELECT '?', 'it''s ?', $1"),
        ("SELECT \"a?\"\"b?\" FROM t -- ?\nWHERE ?", "SELECT \"a?\"\"b?\" FROM t -- ?\nWHERE $1"),
        ("SELECT /* ? */ ?", "SELECT /* ? */ $1"),
        ("SELECT * FROM main.\"Patient\"", "SELECT * FROM \"Patient\""),
        ("SELECT \"main.\"", "SELECT \"main.\""),
        ("SELECT domain.\"x\"", "SELECT domain.\"x\""),
        ("SELECT \"xmin\"", "SELECT \"xmin~\""),
        ("SELECT 'open", "SELECT 'open"),
        ("SELECT /* open ?", "SELECT /* open ?"),
    ])
    func translates(_ sql: String, _ expected: String) {
        #expect(PostgresSQL.translated(sql) == expected)
    }

    @Test(arguments: [
        ("WITH \"a\" AS (SELECT 1 FROM main.\"a\") SELECT 2", "WITH \"a\" AS (SELECT 1 FROM \"a\") SELECT 2"),
        (
            "WITH RECURSIVE \"a\" AS (SELECT 1 FROM main.\"a\", temp.\"_visible.b\") SELECT 2",
            "WITH RECURSIVE \"a\" AS (SELECT 1 FROM \"s\".\"a\", \"s\".\"b\") SELECT 2"
        ),
    ])
    func namesTheSchemaInARecursiveStatement(_ sql: String, _ expected: String) {
        #expect(PostgresSQL.translated(sql, in: "s") == expected)
    }

    @Test func shortensNamesAsTheTablesDo() {
        let name = String(repeating: "ä", count: 40)
        #expect(PostgresSQL.translated("SELECT \"\(name)\"") == "SELECT \(PostgresName.quoted(name))")
    }
}
