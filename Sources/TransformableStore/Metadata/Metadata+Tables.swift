extension Metadata {
    /// Throws an error unless the tables of metadata, and the seal, are real tables.
    ///
    /// A view can take any time and any memory, so this comes before any of them is read.
    static func requireTables(on database: any EngineConnection) throws {
        if let found = try computed(on: database).first(where: { $0.table.hasPrefix("_transformable_") }) {
            throw StoreError.computedTable(found.table)
        }
    }

    /// Throws an error unless the tables of all entities and pairs are real tables.
    ///
    /// Computed columns that somebody has added for queries of their own are never read.
    func requireTables(on database: any EngineConnection) throws {
        let computed = try Self.computed(on: database)
        guard !computed.isEmpty else { return }
        let plan = RelationshipPlan(model: model)
        let pairs = model.entities.filter { !$0.isAbstract }.flatMap(plan.pairTables).map(\.name)
        let own = Set(entities.keys.map { SQL.quoted($0.asciiLowercased) } + pairs.map(\.asciiLowercased))
        let names = attributes.values.flatMap(\.keys) + projections.values.flatMap(\.keys)
        let columns = Set(names.map(\.asciiLowercased))
        let isOwn = { (column: String) in column.hasPrefix("_") || columns.contains(column) }
        for found in computed where own.contains(SQL.quoted(found.table)) && found.column.map(isOwn) != false {
            throw StoreError.computedTable(found.table)
        }
    }

    /// Whether any view, virtual table, or computed column can be in the file.
    ///
    /// Their declarations contain certain keywords. SQLite takes long to list all tables and columns, and every opening
    /// asks twice, so that is done only if a keyword occurs, which may be in a name or a comment.
    private static let hasKeywords = """
        SELECT EXISTS (SELECT 1 FROM "sqlite_master" WHERE "sql" LIKE '%virtual%' OR (
        lower("sql") GLOB '*[^0-9a-z_$]as[^0-9a-z_$]*' AND "sql" NOT LIKE 'CREATE TRIGGER %'
        AND "sql" NOT LIKE 'CREATE INDEX %' AND "sql" NOT LIKE 'CREATE UNIQUE INDEX %'))
        """

    /// Returns the views, the virtual tables, and the computed columns of tables, in lowercase.
    private static func computed(on database: any EngineConnection) throws -> [(table: String, column: String?)] {
        guard try database.integer(hasKeywords) == 1 else { return [] }
        let sql = """
            SELECT "name", NULL FROM pragma_table_list WHERE "schema" = 'main' AND "type" IN ('view', 'virtual')
            UNION ALL SELECT "list"."name", "column"."name" FROM pragma_table_list AS "list",
            pragma_table_xinfo("list"."name", 'main') AS "column"
            WHERE "list"."schema" = 'main' AND "list"."type" = 'table' AND "column"."hidden" <> 0
            AND "list"."name" IN (SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "sql" LIKE '%as%')
            """
        return try database.rows(sql, count: 2)
            .map { ($0.text(0)?.asciiLowercased ?? "", $0.text(1)?.asciiLowercased) }
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
