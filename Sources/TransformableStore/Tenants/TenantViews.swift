/// Limits a connection to the rows that a context can see.
///
/// All SQL of contexts names tables without a schema, or names their visible rows (``TenantColumn/visible(_:_:)``). Both
/// are views in SQLite's temporary schema while a context uses a connection, so this is the only place that selects
/// rows by tenant. Statements that write name the file's own tables, and compare the tenant again.
struct TenantViews {
    let schema: StoreSchema
    let scope: TenantScope

    /// Runs a closure on a connection that is limited to the scope.
    func run<Result>(on database: any EngineConnection, _ body: () throws -> Result) throws -> Result {
        guard let condition = scope.condition else { return try body() }
        let result: Result
        do {
            try lay(condition, on: database)
            result = try body()
        } catch {
            Interruption.ignored { try? remove(from: database) }
            throw error
        }
        try Interruption.ignored { try remove(from: database) }
        return result
    }

    private var tables: [(table: String, columns: [String])] {
        let entities = schema.entities.filter(\.belongsToTenant)
            .map { ($0.table, ["_id", "_version"] + $0.insertedColumns) }
        let pairs = schema.pairTables.filter(\.value.belongsToTenant)
            .map { ($0.key, ["first", "second"] + $0.value.positions.map(\.positionName)) }
        return entities + pairs
    }

    private func lay(_ condition: String, on database: any EngineConnection) throws {
        // A connection whose last use was interrupted may still have views of another tenant.
        try remove(from: database)
        try database.run(
            "CREATE TEMP TABLE \"_tenant\" AS SELECT \(scope.tenant.map { "\($0)" } ?? "NULL") AS \"number\""
        )
        for (table, columns) in tables {
            let list = columns.map(SQL.quoted).joined(separator: ", ")
            let view = TenantColumn.view(table)
            try database.run("CREATE TEMP VIEW \(view) AS SELECT \(list) FROM \(SQL.main(table)) WHERE \(condition)")
            try database.run("CREATE TEMP VIEW \(table) AS SELECT * FROM temp.\(view)")
        }
    }

    private func remove(from database: any EngineConnection) throws {
        for (table, _) in tables {
            try database.run("DROP VIEW IF EXISTS temp.\(table)")
            try database.run("DROP VIEW IF EXISTS temp.\(TenantColumn.view(table))")
        }
        try database.run("DROP TABLE IF EXISTS \(TenantColumn.table)")
    }
}
