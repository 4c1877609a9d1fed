extension Store {
    /// Returns the names of what migrations have dropped and the file still contains: columns, such as `Patient.note`,
    /// and tables.
    ///
    /// - Returns: The names, in alphabetical order.
    /// - Throws: `StoreError` if the file cannot be read.
    public func keptAside() throws -> [String] {
        try Nesting.check(self)
        return try engine.read { database in
            try (KeptAside.columns(on: database).map { "\($0.table).\($0.name)" } + KeptAside.tables(on: database))
                .sorted()
        }
    }

    /// Permanently removes what migrations have dropped.
    ///
    /// - Throws: `StoreError` if the file cannot be written. The code is `store-changed` if another
    ///   program has migrated the store since it was opened.
    public func discardKeptAside() throws {
        try Nesting.check(self)
        try requireWritable()
        try engine.transact { database in
            try watch.check(schema, on: database)
            try resealing(on: database) {
                try BlobTriggers.dispose(of: KeptAside.blobs, on: database)
                for column in try KeptAside.columns(on: database) {
                    let (table, name) = (SQL.quoted(column.table), SQL.quoted(column.column))
                    try database.run("ALTER TABLE \(table) DROP COLUMN \(name)")
                }
                for table in try KeptAside.tables(on: database) {
                    try database.run("DROP TABLE \(SQL.quoted(table))")
                }
                for table in ["attribute", "entity"] {
                    let name = SQL.quoted("_transformable_\(table)")
                    let sql = "UPDATE \(name) SET \"state\" = 'gone' WHERE \"state\" = 'dropped'"
                    try database.run(sql)
                }
            }
        }
        sweepGarbage()
    }
}
