internal import TransformableStore

// Row-level security, which keeps the rows of tenants apart even for statements that are not the store's own.

extension PostgresTable {
    /// The setting with the number of the current tenant.
    static let tenantSetting = "transformable.tenant"
    /// The setting that lets a transaction read the rows of all tenants, if it is `all`.
    static let scopeSetting = "transformable.scope"
    /// The policy for the rows of the current tenant.
    static let tenantPolicy = "_tenant"
    /// The policy for reading the rows of all tenants, which can be limited to certain roles.
    static let scopePolicy = "_all_tenants"
    /// The policy for reading the external values of shared objects.
    private static let sharedPolicy = "_shared"

    /// The number of the current tenant, or NULL without one.
    ///
    /// A setting that ended with its transaction is empty.
    static let currentTenant = "nullif(current_setting('\(tenantSetting)', true), '')::bigint"

    /// The statements that let each transaction see and change only rows of its tenant, once the table has its rows.
    ///
    /// They hold for the owner of the table as well. Without a setting, there are no rows.
    var protection: [String] {
        if hasPieces { return security + pieceProtection }
        guard raw.belongsToTenants else { return [] }
        let index = PostgresName.quoted("_tenant.\(raw.name)")
        return ["CREATE INDEX \(index) ON \(name) (\(Self.tenant), \(keyList))"] + security
            + [
                """
                CREATE POLICY \(PostgresName.quoted(Self.tenantPolicy)) ON \(name) USING \
                (\(Self.tenant) = \(Self.currentTenant))
                """
            ]
    }

    /// The policies for external values, among which those of shared objects have no tenant.
    ///
    /// They can be changed only without a tenant, like the shared objects.
    private var pieceProtection: [String] {
        [
            """
            CREATE POLICY \(PostgresName.quoted(Self.tenantPolicy)) ON \(name) USING \
            (\(Self.tenant) IS NOT DISTINCT FROM \(Self.currentTenant))
            """,
            """
            CREATE POLICY \(PostgresName.quoted(Self.sharedPolicy)) ON \(name) FOR SELECT USING \
            (\(Self.tenant) IS NULL)
            """,
        ]
    }

    /// The statements that hide all rows, except from transactions that read those of all tenants.
    ///
    /// Data that migrations have set aside does not record its tenant.
    var security: [String] {
        [
            "ALTER TABLE \(name) ENABLE ROW LEVEL SECURITY",
            "ALTER TABLE \(name) FORCE ROW LEVEL SECURITY",
            """
            CREATE POLICY \(PostgresName.quoted(Self.scopePolicy)) ON \(name) FOR SELECT USING \
            (current_setting('\(Self.scopeSetting)', true) = 'all')
            """,
        ]
    }
}

extension PostgresLayout {
    /// The statements that protect the rows of tenants, once all tables have their rows.
    var protection: [String] {
        guard hasTenants else { return [] }
        return (tables + own).flatMap { $0.raw.role == .aside ? $0.security : $0.protection }
    }
}
