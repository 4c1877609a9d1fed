/// A table whose rows belong to tenants.
package struct TenantTable: Sendable, Hashable {
    package let name: TableName
    /// The columns that contexts read.
    package let columns: [String]

    package init(name: TableName, columns: [String]) {
        self.name = name
        self.columns = columns
    }
}

extension Store {
    /// Reads the tables themselves, with the rows of all tenants.
    func readTables<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try engine.read { connection in
            guard schema.model.hasTenants, let tenants = connection.tenants else { return try body(connection) }
            return try tenants.limiting(to: .everything, schema.tenantTables) { try body(connection) }
        }
    }

    /// Changes the tables themselves in a transaction, in which ``EngineConnection/own(_:)`` says whose row comes next.
    func changeRows<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try engine.write { connection in
            func work() throws -> Result { try connection.committing(.immediate) { try body(connection) } }
            guard schema.model.hasTenants, let tenants = connection.tenants else { return try work() }
            return try tenants.limiting(to: .importing, schema.tenantTables) { try work() }
        }
    }
}

extension EngineConnection {
    /// Lets the following statements change rows of a tenant or of none, if the database would hide them otherwise.
    func own(_ tenant: Int64?) throws {
        try tenants?.setOwner(tenant)
    }
}

/// Limits a connection to the rows that a context can see.
///
/// All SQL of contexts names tables without a schema, or names their visible rows (``TenantColumn/visible(_:_:)``). In
/// SQLite, both are views in the temporary schema while a context uses a connection. A server's connection adds the
/// condition to each statement. These are the only places that select rows by tenant. Statements that write name the
/// tables themselves, and compare the tenant again.
struct TenantViews {
    let schema: StoreSchema
    let scope: TenantScope

    /// Runs a closure on a connection that is limited to the scope.
    func run<Result>(on database: any EngineConnection, _ body: () throws -> Result) throws -> Result {
        guard let condition = scope.condition else { return try body() }
        if let tenants = database.tenants { return try tenants.limiting(to: scope, schema.tenantTables, body) }
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

    private func lay(_ condition: String, on database: any EngineConnection) throws {
        // A connection whose last use was interrupted may still have views of another tenant.
        try remove(from: database)
        try database.run(
            "CREATE TEMP TABLE \"_tenant\" AS SELECT \(scope.tenant.map { "\($0)" } ?? "NULL") AS \"number\""
        )
        for table in schema.tenantTables {
            // A program's own statements across tenants need the tenant to decode values.
            let columns = table.columns + (scope == .everything ? [TenantColumn.name.name] : [])
            let list = columns.map(SQL.quoted).joined(separator: ", ")
            let (name, view) = (table.name, TenantColumn.view(table.name))
            try database.run("CREATE TEMP VIEW \(view) AS SELECT \(list) FROM \(SQL.main(name)) WHERE \(condition)")
            try database.run("CREATE TEMP VIEW \(name) AS SELECT * FROM temp.\(view)")
        }
    }

    private func remove(from database: any EngineConnection) throws {
        for table in schema.tenantTables {
            try database.run("DROP VIEW IF EXISTS temp.\(table.name)")
            try database.run("DROP VIEW IF EXISTS temp.\(TenantColumn.view(table.name))")
        }
        try database.run("DROP TABLE IF EXISTS \(TenantColumn.table)")
    }
}
