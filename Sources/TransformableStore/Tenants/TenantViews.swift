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
///
/// Creating the views takes milliseconds if there are many tables. Therefore, they stay when a context ends, and the next
/// one only sets its tenant. Before a connection is lent for anything else, the engine removes them.
package struct TenantViews {
    let schema: StoreSchema
    let scope: TenantScope

    /// Runs a closure on a connection that is limited to the scope.
    func run<Result>(on database: any EngineConnection, _ body: () throws -> Result) throws -> Result {
        guard let condition = scope.condition else { return try body() }
        if let tenants = database.tenants { return try tenants.limiting(to: scope, schema.tenantTables, body) }
        let result: Result
        do {
            if try !setTenant(on: database) { try lay(condition, on: database) }
            result = try body()
        } catch {
            Interruption.ignored { try? Self.remove(from: database) }
            throw error
        }
        if database.embedded?.keepsViews != true { try Interruption.ignored { try Self.remove(from: database) } }
        return result
    }

    /// The kind of the scope, by which the views of a store differ.
    private var kind: String {
        switch scope {
        case .undivided, .tenant: "tenant"
        case .shared: "shared"
        case .everything: "everything"
        case .importing: "importing"
        }
    }

    private var tenant: ColumnValue { scope.tenant.map { .integer($0) } ?? .null }

    /// Sets the tenant if the connection has all views of a former context with the same kind of scope.
    private func setTenant(on database: any EngineConnection) throws -> Bool {
        guard try Self.countViews(on: database) == 2 * schema.tenantTables.count,
            try database.integer(Self.hasTable, cached: true) == 1
        else { return false }
        let sql = "UPDATE \(TenantColumn.table) SET \"number\" = ? WHERE \"kind\" = ?"
        try database.statement(sql, cached: true).run([tenant, .text(kind)])
        return database.changedCount == 1
    }

    private static let hasTable = "SELECT EXISTS (SELECT 1 FROM sqlite_temp_master WHERE \"name\" = '_tenant')"

    private static func countViews(on database: any EngineConnection) throws -> Int64 {
        try database.integer("SELECT count(*) FROM sqlite_temp_master WHERE \"type\" = 'view'", cached: true)
    }

    private func lay(_ condition: String, on database: any EngineConnection) throws {
        try Self.remove(from: database)
        try database.run("CREATE TEMP TABLE \"_tenant\" (\"number\" INTEGER, \"kind\" TEXT)")
        for table in schema.tenantTables {
            // A program's own statements across tenants need the tenant to decode values.
            let columns = table.columns + (scope == .everything ? [TenantColumn.name.name] : [])
            let list = columns.map(SQL.quoted).joined(separator: ", ")
            let (name, view) = (table.name, TenantColumn.view(table.name))
            try database.run("CREATE TEMP VIEW \(view) AS SELECT \(list) FROM \(SQL.main(name)) WHERE \(condition)")
            try database.run("CREATE TEMP VIEW \(name) AS SELECT * FROM temp.\(view)")
        }
        // Last, so that nobody uses views of which some could not be created.
        try database.run("INSERT INTO \(TenantColumn.table) VALUES (?, ?)", [tenant, .text(kind)])
    }

    /// Removes all temporary views from a connection, so that the names of tables lead to the tables themselves.
    package static func remove(from database: any EngineConnection) throws {
        try database.run("DROP TABLE IF EXISTS \(TenantColumn.table)")
        guard try countViews(on: database) > 0 else { return }
        let sql = "SELECT \"name\" FROM sqlite_temp_master WHERE \"type\" = 'view'"
        for name in try database.rows(sql, count: 1).compactMap({ $0.text(0) }) {
            try database.run("DROP VIEW temp.\(SQL.quoted(name))")
        }
    }
}
