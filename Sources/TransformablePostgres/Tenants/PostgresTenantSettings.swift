internal import TransformableModel
internal import TransformableStore

/// The part of the tenants' rows that the statements of a session see.
private struct TenantLimit {
    let scope: TenantScope
    let tables: [TenantTable]
    /// The tenant that rows are inserted for.
    var owner: Int64?

    /// Whether all rows can be read.
    var includesAll: Bool { scope == .everything || scope == .importing }
    /// Whether no rows can be read.
    var excludesAll: Bool { scope == .shared }
    /// Whether shared objects can be changed.
    var changesShared: Bool { scope == .shared || scope == .importing }
}

/// What a session sees of the tenants' rows, and the settings that row-level security compares rows with.
///
/// The settings end with the transaction, so connections can be shared through PgBouncer, and no setting of a tenant stays
/// on a connection.
final class PostgresTenantSettings: TenantLimiter {
    // The session owns this object.
    private unowned let session: PostgresSession
    private var engine: PostgresEngine { session.engine }
    private var connection: PostgresConnection { session.connection }
    /// The part of the tenants' rows that statements see, or `nil` outside of contexts and without tenants.
    private var limit: TenantLimit?
    /// The settings that may have a value in the current transaction.
    private var changed: Set<String> = []
    /// Whether the current transaction has stated all settings.
    private var areStated = false
    /// Why the current transaction cannot read the rows of all tenants, after it asked for them.
    private var refusal: StoreError?

    init(_ session: PostgresSession) {
        self.session = session
    }

    /// The tenant whose rows are read, or `nil` if there is none.
    var tenant: Int64? { limit?.scope.tenant }
    /// The tenant that rows are inserted for, or `nil` if there is none.
    var owner: Int64? { limit?.owner }

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
            if connection.isInTransaction { try apply() }
            result = try body()
        } catch {
            limit = before
            throw error
        }
        limit = before
        // After a transaction that only reads, nothing could be written for the wrong tenant.
        if connection.isInTransaction, before != nil || !session.isReading { try apply() }
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
        let tables = try session.rows(sql, count: 1).compactMap { $0.text(0) }
        try session.located { try TenantPolicies(engine.schema).requireAllRows(of: tables, on: connection) }
    }

    // MARK: - Transactions

    /// Forgets what the last transaction has set and was refused.
    func forgetTransaction() {
        changed = []
        areStated = false
        refusal = nil
    }

    /// Throws an error if the server has refused to show the rows of all tenants.
    func requireNoRefusal() throws(StoreError) {
        if let refusal { throw refusal }
    }

    /// Sets what the current transaction sees.
    func apply() throws {
        let includesAll = limit?.includesAll == true
        if includesAll {
            // The policies may have changed since the last transaction.
            try TenantPolicies(engine.schema).requireScopePolicy(on: connection) { [self] in refusal = $0 }
        }
        if engine.isDistributed, limit?.changesShared == true {
            // Citus refuses to change shared objects after it has read several shards at the same time.
            try connection.send(PostgresStatement(PostgresLayout.sequentialMode))
        }
        // Someone may have left a value in a connection that PgBouncer shares, or given one to the role.
        let isFirst = limit != nil && !areStated
        if isFirst { areStated = true }
        try change(PostgresTable.scopeSetting, to: includesAll ? "all" : nil, always: isFirst)
        try change(PostgresTable.tenantSetting, to: limit?.owner.map { "\($0)" }, always: isFirst)
    }

    /// Changes a setting, or clears the value that another part of the transaction needed.
    private func change(_ name: String, to value: String?, always: Bool = false) throws {
        guard value != nil || always || changed.contains(name) else { return }
        try set(name, value ?? "")
    }

    /// Changes a setting until the end of the transaction, without waiting.
    private func set(_ name: String, _ value: String) throws {
        if !value.isEmpty { changed.insert(name) }
        guard engine.isDistributed else {
            let statement = PostgresStatement("SELECT set_config($1, $2, true)", .text, .text)
            return try connection.send(statement, [.text(name), .text(value)])
        }
        // Citus tells its workers about SET, but not about set_config.
        var statement = PostgresStatement("SET LOCAL \(name) TO '\(value)'")
        statement.isPrepared = false
        try connection.send(statement)
    }

    /// Returns a statement that is limited to the rows of the current tenant or to shared objects, or that inserts rows for
    /// the tenant, or `nil` if there is no limit.
    func limited(_ sql: String) -> PostgresText? {
        guard let limit, limit.owner != nil || limit.excludesAll else { return nil }
        return engine.limited(sql, to: limit)
    }
}

// MARK: - Statements of tenants

extension PostgresEngine {
    /// Returns a statement that is limited to the rows of the current tenant or to shared objects, or that inserts rows for
    /// the tenant.
    fileprivate func limited(_ sql: String, to limit: TenantLimit) -> PostgresText {
        let (seesAll, seesNone) = (limit.includesAll, limit.excludesAll)
        return limitedTexts.value(of: LimitedStatement(sql: sql, seesAll: seesAll, seesNone: seesNone)) {
            TenantSQL(tables: seesAll ? [] : limit.tables, schema: schema, hidesAll: seesNone).limited(sql)
        }
    }

    /// Throws an error unless row-level security keeps tenants apart for the role.
    func requireTenantPolicies() throws {
        try pooled { connection in
            try connection.transaction(.snapshot) { try TenantPolicies(schema).require(on: connection) }
        }
    }
}

/// A statement, and whether it sees the rows of all tenants or those of none.
struct LimitedStatement: Hashable {
    let sql: String
    let seesAll: Bool
    let seesNone: Bool
}
