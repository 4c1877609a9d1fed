import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// How many rows the server reads to answer a tenant's fetches.
@Suite(.needsPostgres) struct TenantIndexTests {
    private let clinic: TenantClinic

    /// Tenants 1 and 2 have 2,000 tags each.
    init() throws {
        clinic = try TenantClinic()
        for tenant: Int64 in [1, 2] {
            _ = try clinic.store.write(tenant: tenant) { context in
                try context.insert(many: 0..<1999, into: "Tag") { try $0.setValue("tag \($1)", for: "name") }
            }
        }
        try PostgresServer.connect().run(script: "ANALYZE \"\(clinic.schema)\".\"Tag\"")
    }

    /// The number of rows of tags that the current transaction has read.
    private func readCount(_ context: StoreContext) throws -> Int64 {
        let sql = """
            SELECT coalesce("seq_tup_read", 0) + coalesce("idx_tup_fetch", 0) AS "count"
            FROM "pg_stat_xact_user_tables" WHERE "relname" = ? AND "schemaname" = ?
            """
        let row = try #require(try context.rows(sql, arguments: ["Tag", clinic.schema]).first)
        return try row.value("count", as: Int64.self)
    }

    /// The server must not look for text that is not in composed form in all rows of the tenant.
    @Test(arguments: [[.ascending("name")], [.descending("name")]] as [[SortKey]])
    func aSortByTextReadsFewRows(order: [SortKey]) throws {
        try clinic.store.read(tenant: 2) { context in
            let before = try readCount(context)
            #expect(try context.fetch("Tag", sortedBy: order, limit: 3).count == 3)
            let after = try readCount(context)
            #expect(after - before < 100)
        }
    }

    /// Its bytes begin with those of “e”, but it is sorted as “é”.
    @Test func textThatIsNotComposedIsFound() throws {
        let texts = ["\u{E9}1", "e\u{301}2", "\u{E9}3"]
        try clinic.store.write(tenant: 1) { context in
            for text in texts { try context.insert("Tag").setValue(text, for: "name") }
        }
        let names = try clinic.store.read(tenant: 1) { context in
            try context.fetch("Tag", sortedBy: [.descending("name")], limit: 3)
                .map { try $0.value("name", as: String.self) }
        }
        #expect(names == Array(texts.reversed()))
    }
}
