extension Store {
    /// Returns the names of the columns and tables that migrations have dropped and the file still contains, such as
    /// `Patient.note`.
    ///
    /// - Returns: The names, in alphabetical order.
    /// - Throws: `StoreError` if the file cannot be read.
    public func namesSetAside() throws -> [String] {
        try Nesting.check(self)
        return try engine.read { connection in
            try (SetAside.columns(on: connection).map { "\($0.table).\($0.name)" } + SetAside.tables(on: connection))
                .sorted()
        }
    }

    /// Permanently removes what migrations have dropped.
    ///
    /// - Throws: `StoreError` if the file cannot be written. The code is `store-changed` if another
    ///   program has migrated the store since it was opened.
    public func discardSetAside() throws {
        try Nesting.check(self)
        try requireWritable()
        try engine.changeTables { connection in
            try watch.check(schema, on: connection)
            try resealing(on: connection) {
                try BlobTriggers.dispose(of: SetAside.blobs(on: connection), on: connection)
                for column in try SetAside.columns(on: connection) {
                    let (table, name) = (SQL.quoted(column.table), SQL.quoted(column.column))
                    try connection.define("ALTER TABLE \(table) DROP COLUMN \(name)")
                }
                for table in try SetAside.tables(on: connection) {
                    try connection.define("DROP TABLE \(SQL.quoted(table))")
                }
                for table in ["attribute", "entity"] {
                    let name = SQL.quoted("_transformable_\(table)")
                    let sql = "UPDATE \(name) SET \"state\" = 'gone' WHERE \"state\" = 'dropped'"
                    try connection.run(sql)
                }
            }
        }
        sweepGarbage()
    }
}
