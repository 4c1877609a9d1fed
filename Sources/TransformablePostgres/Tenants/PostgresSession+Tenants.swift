internal import Synchronization
internal import TransformableModel
internal import TransformableStore

/// The part of the tenants' rows that the statements of a session see.
struct TenantLimit {
    let scope: TenantScope
    let tables: [TenantTable]
    /// The tenant that rows are inserted for.
    var owner: Int64?

    /// Whether all rows can be read.
    var includesAll: Bool { scope == .everything || scope == .importing }
}

// The settings that row-level security compares rows with. They end with the transaction, so connections can be shared
// through PgBouncer, and no setting of a tenant stays on a connection.

extension PostgresSession {
    func limiting<Result>(
        to scope: TenantScope,
        _ tables: [TenantTable],
        _ body: () throws -> Result
    ) throws -> Result {
        let before = limit
        // Elsewhere, the pieces of shared objects are in the same table, and row-level security hides the others.
        let all = engine.isDistributed ? tables + [Self.externalValues] : tables
        limit = TenantLimit(scope: scope, tables: all, owner: scope.tenant)
        let result: Result
        do {
            if connection.isInTransaction { try applyLimit() }
            result = try body()
        } catch {
            limit = before
            throw error
        }
        limit = before
        // After a transaction that only reads, nothing could be written for the wrong tenant.
        if connection.isInTransaction, before != nil || !isReading { try applyLimit() }
        return result
    }

    private static let externalValues = TenantTable(
        name: TableName(PostgresLayout.blobTable),
        columns: ["uuid", "entity", "attribute", "object", "length", "checksum"]
    )

    func setOwner(_ tenant: Int64?) throws {
        limit?.owner = tenant
        try change(PostgresTable.tenantSetting, to: tenant.map { "\($0)" })
    }

    func requireAllRows() throws {
        let sql = "SELECT \"name\" FROM \"\(PostgresLayout.definitionTable)\" WHERE \"type\" = 'table'"
        let tables = try rows(sql, count: 1).compactMap { $0.text(0) }
        try located { try TenantPolicies(engine.schema).requireAllRows(of: tables, on: connection) }
    }

    /// Sets what the current transaction sees.
    func applyLimit() throws {
        let includesAll = limit?.includesAll == true
        if includesAll {
            // The policies may have changed since the last transaction.
            try TenantPolicies(engine.schema).requireScopePolicy(on: connection) { [self] in refusal = $0 }
            if limit?.scope == .importing, engine.isDistributed {
                // Citus refuses to change shared objects after it has read several shards at the same time.
                try connection.send(PostgresStatement(PostgresLayout.sequentialMode))
            }
        }
        try change(PostgresTable.scopeSetting, to: includesAll ? "all" : nil)
        try change(PostgresTable.tenantSetting, to: limit?.owner.map { "\($0)" })
    }

    /// Changes a setting, or clears the value that another part of the transaction needed.
    private func change(_ name: String, to value: String?) throws {
        guard value != nil || tenantSettings.contains(name) else { return }
        try set(name, value ?? "")
    }

    /// Changes a setting until the end of the transaction, without waiting.
    private func set(_ name: String, _ value: String) throws {
        tenantSettings.insert(name)
        guard engine.isDistributed else {
            let statement = PostgresStatement("SELECT set_config($1, $2, true)", .text, .text)
            return try connection.send(statement, [.text(name), .text(value)])
        }
        // Citus tells its workers about SET, but not about set_config.
        var statement = PostgresStatement("SET LOCAL \(name) TO '\(value)'")
        statement.isPrepared = false
        try connection.send(statement)
    }

    /// Returns a statement of the store in PostgreSQL's SQL.
    func text(_ sql: String) -> PostgresText {
        let tagged = engine.tagged(sql)
        let sql = tagged?.sql ?? sql
        var text: PostgresText
        if let limit, limit.owner != nil {
            text = engine.limited(sql, to: limit)
        } else {
            text = PostgresText(sql: engine.translated(sql))
        }
        text.tag = tagged
        return text
    }

    /// Returns the values of a statement's parameters, among them the tenant and the tag of a new row.
    func cells(_ values: [ColumnValue], for text: PostgresText) throws -> [ColumnValue] {
        let values = try text.tag.map { values + [try engine.tag(of: values[...], by: $0, limit?.owner)] } ?? values
        guard text.takesTenant, let owner = limit?.owner else { return values }
        return [.integer(owner)] + values
    }
}

// MARK: - Changes of tables

extension PostgresSession {
    /// Lets the owner of the tables see and change the rows of all tenants, until `separateTenants()` is called.
    ///
    /// This is part of the transaction, so nobody else notices it. A statement from which a policy hides rows nevertheless
    /// fails, instead of leaving them behind.
    func joinTenants() throws {
        try connection.send(PostgresStatement("SET LOCAL row_security TO off"))
        try forcePolicies(false)
        if engine.isDistributed { try checkPiecesImmediately() }
    }

    /// Replaces the reference from the pieces of external values in a distributed store that was created when it was
    /// checked at the end of transactions.
    private func checkPiecesImmediately() throws {
        let sql = """
            SELECT count(*) FROM "pg_catalog"."pg_constraint"
            WHERE "conrelid" = to_regclass(?) AND "conname" = ? AND "condeferrable"
            """
        let (table, name) = (engine.qualified(PostgresLayout.chunkTable), PostgresLayout.chunkReferenceName)
        guard try integer(sql, [.text(table), .text(name)]) > 0 else { return }
        try run(script: [
            "ALTER TABLE \(table) DROP CONSTRAINT \(PostgresName.quoted(name))",
            PostgresLayout.chunkReference(in: PostgresName.quoted(engine.schema), isOwned: true),
        ])
    }

    /// Binds the owner by the policies again.
    func separateTenants() throws {
        try forcePolicies(true)
    }

    private func forcePolicies(_ isForced: Bool) throws {
        let sql = """
            SELECT "relname"::text FROM \(Self.tables) WHERE "relforcerowsecurity" = ?
            AND pg_has_role("relowner", 'USAGE') AND EXISTS (SELECT 1
            FROM "pg_catalog"."pg_policy" WHERE "polrelid" = "table"."oid" AND "polname" = ?)
            """
        let values: [ColumnValue] = [.integer(isForced ? 0 : 1), .text(PostgresTable.scopePolicy)]
        let verb = isForced ? "FORCE" : "NO FORCE"
        let statements = try rows(sql, values, count: 1)
            .map { "ALTER TABLE \(engine.qualified($0.text(0) ?? "")) \(verb) ROW LEVEL SECURITY" }
        if !statements.isEmpty { try run(script: statements) }
    }
}

// MARK: - Statements of tenants

extension PostgresEngine {
    /// Returns a statement that is limited to the rows of the current tenant, or that inserts rows for it.
    func limited(_ sql: String, to limit: TenantLimit) -> PostgresText {
        limitedTexts.withLock { texts in
            let key = LimitedStatement(sql: sql, seesAll: limit.includesAll)
            if let text = texts[key] { return text }
            if texts.count >= Self.capacity { texts = [:] }
            let tenants = TenantSQL(tables: limit.includesAll ? [] : limit.tables, schema: schema)
            let text = tenants.limited(sql)
            texts[key] = text
            return text
        }
    }

    /// Throws an error unless row-level security keeps tenants apart for the role.
    func requireTenantPolicies() throws {
        try pooled { connection in
            try connection.transaction(.snapshot) { try TenantPolicies(schema).require(on: connection) }
        }
    }
}

/// A statement, and whether it sees the rows of all tenants.
struct LimitedStatement: Hashable {
    let sql: String
    let seesAll: Bool
}
