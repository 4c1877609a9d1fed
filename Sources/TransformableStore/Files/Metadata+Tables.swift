internal import GRDB

extension Metadata {
    /// Throws an error unless the tables of metadata, and the seal, are real tables.
    ///
    /// A view can take any time and any memory, so this comes before any of them is read.
    static func requireTables(on database: Database) throws {
        if let name = try computedTables(on: database).first(where: { $0.hasPrefix("_transformable_") }) {
            throw StoreError.computedTable(name)
        }
    }

    /// Throws an error unless the tables of all entities and pairs are real tables.
    func requireTables(on database: Database) throws {
        let computed = try Self.computedTables(on: database)
        guard !computed.isEmpty else { return }
        let plan = RelationshipPlan(model: model)
        let pairs = model.entities.filter { !$0.isAbstract }.flatMap(plan.pairTables).map(\.name)
        let own = Set(entities.keys.map { SQL.quoted($0.asciiLowercased) } + pairs.map(\.asciiLowercased))
        if let name = computed.first(where: { own.contains(SQL.quoted($0)) }) { throw StoreError.computedTable(name) }
    }

    /// Returns the names of views, of virtual tables, and of tables with computed columns, in lowercase.
    private static func computedTables(on database: Database) throws -> [String] {
        let sql = """
            SELECT "name" FROM pragma_table_list AS "list" WHERE "schema" = 'main' AND ("type" IN ('view', 'virtual')
            OR "name" IN (SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "sql" LIKE '%as%')
            AND EXISTS (SELECT 1 FROM pragma_table_xinfo("list"."name", 'main') WHERE "hidden" <> 0))
            """
        return try SQLStatement.rows(sql, count: 1, on: database).compactMap { $0.text(0)?.asciiLowercased }
    }
}

extension String {
    /// The form in which SQLite compares names.
    fileprivate var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}

extension StoreError {
    fileprivate static func computedTable(_ name: String) -> Self {
        let message = "“\(name)” is a view or computes its columns, as no table of a store does; restore a backup"
        return Self(.corruptFile, message)
    }
}
