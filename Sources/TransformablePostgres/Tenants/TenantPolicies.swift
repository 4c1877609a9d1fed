internal import TransformableModel
internal import TransformableStore

/// What row-level security does in a schema for the role of a connection.
struct TenantPolicies {
    private let schema: String

    /// - Parameter schema: The schema's name.
    init(_ schema: String) {
        self.schema = PostgresName.shortened(schema)
    }

    private static let tables = PostgresSession.relations(in: "$1") + " AND \"relkind\" IN ('r', 'p')"

    /// The statement that applies the policies to the rest of a transaction.
    ///
    /// If an administrator has turned row-level security off for the role, the server refuses statements instead of hiding
    /// rows from them.
    static let application = "SET LOCAL row_security TO on"

    /// Throws an error unless the role can see and change only what the policies allow.
    static func requireBoundRole(on connection: PostgresConnection) throws {
        let sql = """
            SELECT "rolname"::text FROM "pg_catalog"."pg_roles"
            WHERE "rolname" = current_user AND ("rolsuper" OR "rolbypassrls")
            """
        let names = try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        guard let name = names.first else { return }
        throw StoreError(
            .accessDenied,
            """
            the role “\(name)” bypasses row-level security, so nothing would keep the tenants apart; connect with a role \
            that is not a superuser and does not have BYPASSRLS
            """
        )
    }

    /// Throws an error unless the tables of tenants are protected, and the role is bound by that.
    func require(on connection: PostgresConnection) throws {
        try Self.requireBoundRole(on: connection)
        let sql = """
            SELECT "table"."relname"::text FROM \(Self.tables) WHERE EXISTS (SELECT 1 FROM "pg_catalog"."pg_attribute"
            WHERE "attrelid" = "table"."oid" AND "attname" = '\(TenantColumn.name.name)' AND NOT "attisdropped")
            AND NOT ("relrowsecurity" AND "relforcerowsecurity") ORDER BY 1 LIMIT 1
            """
        guard let name = try first(sql, connection) else { return }
        throw StoreError(
            .accessDenied,
            """
            the table does not enforce row-level security, so nothing would keep the tenants apart; restore it with \
            ALTER TABLE … ENABLE ROW LEVEL SECURITY and FORCE ROW LEVEL SECURITY
            """,
            entity: name
        )
    }

    /// Makes the next statements fail unless the role can read the rows of all tenants when it asks for them.
    ///
    /// Otherwise, the rows would seem to be missing. The server is asked along with those statements.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - note: A closure that receives the error. A caller that ignores it would read on without the rows.
    /// - Throws: `StoreError` if the connection was lost.
    func requireScopePolicy(
        on connection: PostgresConnection,
        noting note: @escaping (StoreError) -> Void = { _ in }
    ) throws {
        let sql = """
            SELECT "table"."relname"::text FROM \(Self.tables)
            WHERE "relrowsecurity" AND row_security_active("table"."oid")
            AND EXISTS (SELECT 1 FROM "pg_catalog"."pg_policy"
            WHERE "polrelid" = "table"."oid" AND "polname" = '\(PostgresTable.tenantPolicy)')
            AND NOT EXISTS (SELECT 1 FROM "pg_catalog"."pg_policy", unnest("polroles") AS "role"
            WHERE "polrelid" = "table"."oid" AND "polname" = '\(PostgresTable.scopePolicy)'
            AND CASE WHEN "role" = 0 THEN true ELSE pg_has_role("role", 'USAGE') END) ORDER BY 1 LIMIT 1
            """
        let refusal = PipelineStep(handler: { row in
            let error = StoreError(
                .accessDenied,
                """
                the role cannot read the rows of all tenants, because the policy “\(PostgresTable.scopePolicy)” is for \
                other roles; connect with one of them
                """,
                entity: try row.value(0, as: String.self)
            )
            note(error)
            throw error
        })
        try connection.send(PostgresStatement(sql, .text), [.text(schema)], refusal)
    }

    /// Finds the tables with policies that apply to the role, which refuse COPY.
    ///
    /// The server is asked along with the next statement.
    ///
    /// - Parameters:
    ///   - connection: The connection, which is in a transaction.
    ///   - note: A closure that receives the name of a table.
    /// - Throws: `StoreError` if the connection was lost.
    func findRestricted(on connection: PostgresConnection, noting note: @escaping (String) -> Void) throws {
        let sql = """
            SELECT "table"."relname"::text FROM \(Self.tables)
            WHERE "relrowsecurity" AND row_security_active("table"."oid")
            """
        let step = PipelineStep(handler: { row in note(try row.value(0, as: String.self)) })
        try connection.send(PostgresStatement(sql, .text), [.text(schema)], step)
    }

    /// Throws an error if a policy may hide rows of a store's tables from a role that reads the rows of all tenants.
    ///
    /// - Parameters:
    ///   - tables: The tables that a file of the store has.
    ///   - connection: The connection.
    /// - Throws: `StoreError` with the code `access-denied`.
    func requireAllRows(of tables: [String], on connection: PostgresConnection) throws {
        let isApplied = """
            EXISTS (SELECT 1 FROM unnest("polroles") AS "role"
            WHERE CASE WHEN "role" = 0 THEN true ELSE pg_has_role("role", 'USAGE') END)
            """
        let sql = """
            SELECT "table"."relname"::text FROM \(Self.tables)
            WHERE "relrowsecurity" AND row_security_active("table"."oid")
            AND (EXISTS (SELECT 1 FROM "pg_catalog"."pg_policy" WHERE "polrelid" = "table"."oid"
            AND NOT "polpermissive" AND "polcmd" IN ('r', '*') AND \(isApplied))
            OR NOT EXISTS (SELECT 1 FROM "pg_catalog"."pg_policy" WHERE "polrelid" = "table"."oid"
            AND "polpermissive" AND "polname" = '\(PostgresTable.scopePolicy)' AND \(isApplied))) ORDER BY 1
            """
        let own = PostgresLayout([], in: schema).own.map(\.raw.name)
        let names = Set((tables + own).map(PostgresName.shortened))
        let hidden = try connection.rows(PostgresStatement(sql, .text), [.text(schema)]) {
            try $0.value(0, as: String.self)
        }
        guard let name = hidden.first(where: names.contains) else { return }
        throw StoreError(
            .accessDenied,
            """
            row-level security may hide rows of the table from the role, so not all of the store can be read; drop the \
            policy, or connect with a role that it does not apply to
            """,
            entity: name
        )
    }

    /// Lets a transaction read the rows of all tenants.
    func readAll(on connection: PostgresConnection) throws {
        try requireScopePolicy(on: connection)
        // The first one is for the workers of Citus, and has no effect elsewhere.
        try connection.send(PostgresStatement("SET LOCAL citus.propagate_set_commands TO 'local'"))
        try connection.send(PostgresStatement("SET LOCAL \(PostgresTable.scopeSetting) TO 'all'"))
        try connection.send(PostgresStatement(Self.application))
    }

    private func first(_ sql: String, _ connection: PostgresConnection) throws -> String? {
        try connection.rows(PostgresStatement(sql, .text), [.text(schema)]) { try $0.value(0, as: String.self) }.first
    }
}
