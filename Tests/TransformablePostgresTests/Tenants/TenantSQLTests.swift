import Testing
import TransformableStore

@testable import TransformablePostgres  // The translation is internal.

/// The expressions that limit tables to the current tenant.
private enum Expected {
    static let ward = """
        "Ward" AS NOT MATERIALIZED (SELECT "_id", "name" FROM "clinic"."Ward" WHERE "_tenant" = $1::bigint)
        """
    static let bed = """
        "Bed" AS NOT MATERIALIZED (SELECT "_id" FROM "clinic"."Bed" WHERE "_tenant" = $1::bigint)
        """
    static let visible = """
        "_visible.Ward" AS NOT MATERIALIZED (SELECT "_id", "name" FROM "clinic"."Ward" WHERE "_tenant" = $1::bigint)
        """
}

@Suite struct TenantSQLTests {
    private static let tenants = TenantSQL(
        tables: [
            TenantTable(name: TableName("Ward"), columns: ["_id", "name"]),
            TenantTable(name: TableName("Bed"), columns: ["_id"]),
        ],
        schema: "clinic"
    )
    @Test(arguments: [
        (
            "SELECT * FROM \"Ward\" WHERE \"name\" = ?",
            "WITH \(Expected.ward) SELECT * FROM \"Ward\" WHERE \"name\" = $2"
        ),
        (" select 1 from Bed", "WITH \(Expected.bed)  select 1 from Bed"),
        ("-- Beds\nSELECT * FROM \"Bed\"", "WITH \(Expected.bed) -- Beds\nSELECT * FROM \"Bed\""),
        ("VALUES ((SELECT 1 FROM \"Bed\"))", "WITH \(Expected.bed) VALUES ((SELECT 1 FROM \"Bed\"))"),
        (
            "SELECT ?2, ?1 FROM temp.\"_visible.Ward\", \"Bed\"",
            "WITH \(Expected.visible), \(Expected.bed) SELECT $3, $2 FROM \"_visible.Ward\", \"Bed\""
        ),
        ("WITH x AS (SELECT ?) SELECT * FROM \"Bed\"", "WITH \(Expected.bed), x AS (SELECT $2) SELECT * FROM \"Bed\""),
        (
            "with recursive x AS (TABLE \"Bed\") TABLE x",
            "WITH RECURSIVE \(Expected.bed),  x AS (TABLE \"Bed\") TABLE x"
        ),
        (
            "UPDATE main.\"Ward\" SET \"name\" = ? WHERE \"_id\" = ? AND \"_tenant\" = \(TenantColumn.current)",
            "UPDATE \"clinic\".\"Ward\" SET \"name\" = $2 WHERE \"_id\" = $3 AND \"_tenant\" = $1::bigint"
        ),
    ])
    func limitsStatements(_ sql: String, _ expected: String) {
        let text = Self.tenants.limited(sql)
        #expect(text.sql == expected)
        #expect(text.takesTenant)
    }

    @Test func withoutATenantTheTablesHaveNoRows() {
        var shared = Self.tenants
        shared.hidesAll = true
        let text = shared.limited("SELECT * FROM temp.\"_visible.Bed\" WHERE \"_id\" = ?")
        let bed = "\"_visible.Bed\" AS NOT MATERIALIZED (SELECT \"_id\" FROM \"clinic\".\"Bed\" WHERE false)"
        #expect(text.sql == "WITH \(bed) SELECT * FROM \"_visible.Bed\" WHERE \"_id\" = $1")
        #expect(!text.takesTenant)
    }

    @Test func pendingRowsTakePrecedence() {
        let text = Self.tenants.limited("WITH \"Ward\" (\"_id\", \"name\") AS (SELECT 1, ?) SELECT * FROM \"Ward\"")
        #expect(text.sql == "WITH \"Ward\" (\"_id\", \"name\") AS (SELECT 1, $1) SELECT * FROM \"Ward\"")
        #expect(!text.takesTenant)
    }

    @Test(arguments: [
        ("SELECT * FROM \"Country\" WHERE \"_id\" = ?", "SELECT * FROM \"Country\" WHERE \"_id\" = $1"),
        ("SELECT last_value FROM \"Ward__id_seq\"", "SELECT last_value FROM \"Ward__id_seq\""),
    ])
    func statementsAboutOtherTablesAreNotLimited(_ sql: String, _ expected: String) {
        let text = Self.tenants.limited(sql)
        #expect(text.sql == expected)
        #expect(!text.takesTenant)
    }

    @Test func withoutALimitRowsAreThoseOfTheTable() {
        #expect(PostgresSQL.translated("SELECT 1 FROM temp.\"_visible.Ward\"") == "SELECT 1 FROM \"Ward\"")
    }
}
