internal import GRDB

extension Store {
    /// Names what migrations have dropped and the file still has: columns as `Patient.note`, and tables.
    ///
    /// - Returns: The names, in the order of the alphabet.
    /// - Throws: ``StoreError``.
    public func keptAside() throws -> [String] {
        try Failure.translate {
            try database.read { database in
                try (KeptAside.columns(on: database).map { "\($0.table).\($0.name)" } + KeptAside.tables(on: database))
                    .sorted()
            }
        }
    }

    /// Removes what migrations have dropped for good.
    ///
    /// - Throws: ``StoreError``.
    public func discardKeptAside() throws {
        try Nesting.check(self)
        try requireWritable()
        try Failure.translate {
            try database.write { database in
                try BlobTriggers.dispose(of: KeptAside.blobs, on: database)
                for column in try KeptAside.columns(on: database) {
                    let (table, name) = (SQL.quoted(column.table), SQL.quoted(column.column))
                    try SQLStatement.run("ALTER TABLE \(table) DROP COLUMN \(name)", on: database)
                }
                for table in try KeptAside.tables(on: database) {
                    try SQLStatement.run("DROP TABLE \(SQL.quoted(table))", on: database)
                }
                for table in ["attribute", "entity"] {
                    let sql = "UPDATE \"_transformable_\(table)\" SET \"state\" = 'gone' WHERE \"state\" = 'dropped'"
                    try SQLStatement.run(sql, on: database)
                }
            }
        }
        sweepGarbage()
    }
}

/// What the file has beyond its model.
private enum KeptAside {
    static func columns(on database: Database) throws -> [(table: String, name: String, column: String)] {
        let sql = """
            SELECT "e"."name", "a"."name", "a"."column" FROM "_transformable_attribute" AS "a"
            JOIN "_transformable_entity" AS "e" ON "e"."id" = "a"."entity"
            WHERE "a"."state" = 'dropped' AND "e"."state" = 'live'
            """
        return try SQLStatement.rows(sql, count: 3, on: database)
            .map { ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? "") }
    }

    /// The blobs of attributes and entities that were dropped.
    static let blobs = """
        EXISTS (SELECT 1 FROM "_transformable_attribute" AS "a" JOIN "_transformable_entity" AS "e" \
        ON "e"."id" = "a"."entity" WHERE "a"."id" = "_transformable_blob"."attribute" \
        AND (("a"."state" = 'dropped' AND "e"."state" = 'live') OR "e"."state" = 'dropped'))
        """

    static func tables(on database: Database) throws -> [String] {
        let sql = "SELECT \"name\" FROM \"sqlite_master\" WHERE \"type\" = 'table' AND \"name\" GLOB '_dropped.*'"
        return try SQLStatement.rows(sql, count: 1, on: database).compactMap { $0.text(0) }
    }
}
