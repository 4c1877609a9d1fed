internal import TransformableStore

/// The row-level security of a table, so that the table that replaces it hides the same rows.
struct TablePolicies {
    private struct Policy {
        let name: String
        let isPermissive: Bool
        let command: String
        /// The list of roles, in SQL.
        let roles: String
        let using: String?
        let check: String?

        var isOfStore: Bool { [PostgresTable.tenantPolicy, PostgresTable.scopePolicy].contains(name) }
    }

    private let policies: [Policy]
    private let isEnabled: Bool
    private let isForced: Bool

    /// Reads the policies of a table.
    init(of table: String, _ session: PostgresSession) throws {
        let name = ColumnValue.text(session.engine.qualified(table))
        let state = """
            SELECT "relrowsecurity", "relforcerowsecurity" FROM "pg_catalog"."pg_class" WHERE "oid" = to_regclass(?)
            """
        let row = try session.rows(state, [name], count: 2).first
        isEnabled = row?.integer(0) == 1
        isForced = row?.integer(1) == 1
        let roles = """
            SELECT string_agg(CASE WHEN "role" = 0 THEN 'PUBLIC' ELSE "role"::regrole::text END, ', ')
            FROM unnest("polroles") AS "role"
            """
        let commands = """
            CASE "polcmd" WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE'
            ELSE 'ALL' END
            """
        let sql = """
            SELECT "polname"::text, "polpermissive", \(commands), (\(roles)), pg_get_expr("polqual", "polrelid"),
            pg_get_expr("polwithcheck", "polrelid")
            FROM "pg_catalog"."pg_policy" WHERE "polrelid" = to_regclass(?) ORDER BY 1
            """
        policies = try session.rows(sql, [name], count: 6)
            .map { row in
                Policy(
                    name: row.text(0) ?? "",
                    isPermissive: row.integer(1) == 1,
                    command: row.text(2) ?? "",
                    roles: row.text(3) ?? "",
                    using: row.text(4),
                    check: row.text(5)
                )
            }
    }

    /// Whether the rows are those of tenants.
    var hidesTenants: Bool { policies.contains { $0.name == PostgresTable.scopePolicy } }

    /// Returns the statements that complete the policies of the table that replaces this one.
    ///
    /// The store has created its own ones for all roles. If another one concerns a column that is no longer there, its
    /// statement fails, and with it the migration.
    ///
    /// - Parameters:
    ///   - table: The new table.
    ///   - isAside: Whether the table contains data that a migration has set aside, and therefore has no policy for the
    ///     rows of one tenant.
    /// - Returns: The statements.
    func statements(for table: PostgresTable, isAside: Bool) -> [String] {
        let kept = policies.filter { !isAside || $0.name != PostgresTable.tenantPolicy }
        let parts = kept.compactMap { $0.isOfStore ? limit($0, on: table) : creation(of: $0, on: table) }
        let security = isEnabled ? ["ALTER TABLE \(table.name) ENABLE ROW LEVEL SECURITY"] : []
        let force = isForced ? ["ALTER TABLE \(table.name) FORCE ROW LEVEL SECURITY"] : []
        return parts + security + force
    }

    private func limit(_ policy: Policy, on table: PostgresTable) -> String? {
        guard policy.roles != "PUBLIC" else { return nil }
        return "ALTER POLICY \(PostgresName.quoted(policy.name)) ON \(table.name) TO \(policy.roles)"
    }

    private func creation(of policy: Policy, on table: PostgresTable) -> String {
        let kind = policy.isPermissive ? "PERMISSIVE" : "RESTRICTIVE"
        let using = policy.using.map { " USING (\($0))" } ?? ""
        let check = policy.check.map { " WITH CHECK (\($0))" } ?? ""
        return """
            CREATE POLICY \(PostgresName.quoted(policy.name)) ON \(table.name) AS \(kind) FOR \(policy.command) \
            TO \(policy.roles)\(using)\(check)
            """
    }
}
