internal import GRDB
internal import TransformableStore

// What SQLite keeps outside of tables, or in tables of its own.

extension SQLiteConnection {
    var dialect: Dialect { .sqlite }

    func header() throws -> EngineHeader {
        EngineHeader(
            application: try integer("PRAGMA application_id"),
            format: try integer("PRAGMA user_version"),
            tableCount: try integer("SELECT count(*) FROM sqlite_master")
        )
    }

    func filePath() throws -> String {
        // SQLite has resolved this name, so everyone who opens the file through links uses the same folder.
        let databases = try rows("PRAGMA database_list", count: 3)
        let path = databases.first { $0.text(1) == "main" }?.text(2) ?? ""
        return StoreFile.isInMemory(path) ? "" : path
    }

    func schemaVersion() throws -> Int64 {
        try integer("PRAGMA schema_version", cached: true)
    }

    func advanceSchemaVersion() throws {
        // SQLite keeps 32 bits, and compares only for equality.
        try run("PRAGMA schema_version = \(Int32(truncatingIfNeeded: schemaVersion() &+ 1))")
    }

    func makeEmptyDatabase() throws -> (any Engine)? {
        try Failure.translate { SQLiteEngine(try DatabaseQueue()) }
    }
}

// MARK: - Changes to tables

extension SQLiteConnection: TableEditor {
    var tables: any TableEditor { self }

    func withoutReferences<Result>(_ body: () throws -> Result) throws -> Result {
        // The tables that refer to one that is rebuilt continue to name it.
        for pragma in ["foreign_keys = OFF", "legacy_alter_table = ON"] { try run("PRAGMA \(pragma)") }
        defer {
            for pragma in ["foreign_keys = ON", "legacy_alter_table = OFF"] { try? run("PRAGMA \(pragma)") }
        }
        return try body()
    }

    // Writers keep each other out, and readers see a snapshot with its tables.
    func changing<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    func define(_ statement: String) throws { try run(statement) }

    func columns(of table: String, among names: [String]) throws -> Set<String> {
        // A view of a context's tenant hides a table, and columns that were set aside.
        let sql = "SELECT \"name\" FROM pragma_table_info(?, 'main')"
        let rows = try rows(sql, [.text(table)], count: 1)
        return Set(rows.compactMap { $0.text(0) }).intersection(names)
    }

    // Triggers require values and empty cells.
    func requireValues(in column: String, of table: String) {}
    func clear(_ column: String, of table: String, whenChanging other: String) {}
    func clears(_ column: String, of table: String) -> Bool { true }

    // A file has all rows in one place, and no privileges.
    func replicate(_ table: String) {}
    func copyPrivileges(from old: String, to new: String) {}
}

// MARK: - Views and computed columns

extension SQLiteConnection {
    /// Whether any view, virtual table, or computed column can be in the file.
    ///
    /// Their declarations contain certain keywords. SQLite takes long to list all tables and columns, and every opening
    /// asks twice, so that is done only if a keyword occurs, which may be in a name or a comment.
    private static let hasKeywords = """
        SELECT EXISTS (SELECT 1 FROM "sqlite_master" WHERE "sql" LIKE '%virtual%' OR (
        lower("sql") GLOB '*[^0-9a-z_$]as[^0-9a-z_$]*' AND "sql" NOT LIKE 'CREATE TRIGGER %'
        AND "sql" NOT LIKE 'CREATE INDEX %' AND "sql" NOT LIKE 'CREATE UNIQUE INDEX %'))
        """

    func computedTables() throws -> [(table: String, column: String?)] {
        guard try integer(Self.hasKeywords) == 1 else { return [] }
        let sql = """
            SELECT "name", NULL FROM pragma_table_list WHERE "schema" = 'main' AND "type" IN ('view', 'virtual')
            UNION ALL SELECT "list"."name", "column"."name" FROM pragma_table_list AS "list",
            pragma_table_xinfo("list"."name", 'main') AS "column"
            WHERE "list"."schema" = 'main' AND "list"."type" = 'table' AND "column"."hidden" <> 0
            AND "list"."name" IN (SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "sql" LIKE '%as%')
            """
        return try rows(sql, count: 2)
            .map { ($0.text(0)?.asciiLowercased ?? "", $0.text(1)?.asciiLowercased) }
    }
}

// MARK: - Numbers of new objects

extension SQLiteConnection {
    /// Returns the highest number that an object in a table has ever had.
    ///
    /// SQLite's record of it may be missing or too low in a file that was repaired or edited.
    func lastNumber(of table: String) throws -> Int64 {
        let recorded = "SELECT max(CAST(\"seq\" AS INTEGER)) FROM \"sqlite_sequence\" WHERE \"name\" = ?"
        let present = "SELECT max(\"_id\") FROM \(SQL.main(TableName(table)))"
        return try integer(
            "SELECT max(0, coalesce((\(recorded)), 0), coalesce((\(present)), 0))",
            [.text(table)],
            cached: true
        )
    }

    func recordNumber(_ last: Int64, of table: String) throws {
        let values: [ColumnValue] = [.integer(last), .text(table)]
        try run("UPDATE \"sqlite_sequence\" SET \"seq\" = ? WHERE \"name\" = ?", values)
        guard changedCount == 0 else { return }
        try run("INSERT INTO \"sqlite_sequence\" (\"seq\", \"name\") VALUES (?, ?)", values)
    }

    func reserveNumbers(_ count: Int64, of table: String) throws -> Int64? {
        let last = try lastNumber(of: table)
        guard last < Int64.max - count else { return nil }
        try recordNumber(last + count, of: table)
        return last + 1
    }
}
