internal import TransformableModel
internal import TransformableStore

extension SQLiteConnection: EmbeddedConnection {
    var embedded: (any EmbeddedConnection)? { self }

    // MARK: Traces of deleted content

    func overwriteDeletedContent() throws {
        try run("PRAGMA secure_delete = ON")
        try run("PRAGMA temp_store = MEMORY")
    }

    func emptyLog() throws -> Bool {
        try rows("PRAGMA wal_checkpoint(TRUNCATE)", count: 1).first?.integer(0) == 0
    }

    // MARK: Writing

    func writeHeader(application: Int64, format: Int64) throws {
        try run("PRAGMA user_version = \(format)")
        try run("PRAGMA application_id = \(application)")
    }

    // Rows are appended in order, so without indexes a page is not needed again. The branches of a large index are,
    // in any order: with 64 MB, filling three indexes of 1.5 million rows takes a quarter less time than with 16 MB.
    private static let cacheSize = 8 << 20
    private static let cacheSizeOfIndexes = 64 << 20

    func loading<Result>(_ body: () throws -> Result) throws -> Result {
        let pages = try integer("PRAGMA cache_size")
        // Checking all references at the end costs less than checking each row.
        try run("PRAGMA foreign_keys = OFF")
        try run("PRAGMA cache_size = -\((hasIndexes() ? Self.cacheSizeOfIndexes : Self.cacheSize) / 1024)")
        defer {
            try? run("PRAGMA cache_size = \(pages)")
            try? run("PRAGMA foreign_keys = ON")
        }
        return try body()
    }

    /// Returns whether any table of objects or pairs has an index.
    private func hasIndexes() throws -> Bool {
        let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name NOT GLOB '_transformable*'"
        return try integer(sql) != 0
    }

    func durably(_ body: () throws -> Void) throws {
        let before = try integer("PRAGMA synchronous")
        try run("PRAGMA synchronous = FULL")
        defer { try? run("PRAGMA synchronous = \(before)") }
        try body()
    }

    // MARK: Checks

    func danglingReferences() throws -> [DanglingReference] {
        var keys: [String: [PackedRow]] = [:]
        return try rows("PRAGMA foreign_key_check", count: 4)
            .map { row in
                let table = row.text(0) ?? ""
                let list = try keys[table] ?? rows("PRAGMA main.foreign_key_list(\(TableName(table)))", count: 4)
                keys[table] = list
                return DanglingReference(
                    table: table,
                    number: row.kind(1) == .integer ? row.integer(1) : nil,
                    column: list.first { $0.integer(0) == row.integer(3) }?.text(3),
                    destination: row.text(2)
                )
            }
    }

    func damage(of table: TableName?) throws -> [String] {
        try rows("PRAGMA integrity_check(\(table?.description ?? "100"))", count: 1).compactMap { $0.text(0) }
            .filter { $0 != "ok" }
    }

    func dataVersion() throws -> Int64 {
        try integer("PRAGMA data_version")
    }

    func hasHadRows() throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM \"sqlite_sequence\" WHERE \"name\" NOT GLOB '_transformable_*')"
        guard try integer(sql) == 0 else { return true }
        let list = """
            SELECT "name" FROM pragma_table_list
            WHERE "schema" = 'main' AND "type" = 'table' AND "name" NOT GLOB '_transformable_*'
            """
        return try rows(list, count: 1).compactMap { $0.text(0) }.filter { !$0.hasPrefix("sqlite_") }
            .contains { try integer("SELECT EXISTS (SELECT 1 FROM \(SQL.quoted($0)))") == 1 }
    }
}
