internal import TransformableStore

/// The functions in a schema that delete external values.
///
/// Those of earlier versions contain the name of the schema, even after it was renamed, and use the search path of their
/// caller.
struct BlobFunctions {
    /// The schema's name.
    let schema: String

    /// The functions of other versions that the role may replace, each with its column, and whether the rows belong to
    /// tenants.
    ///
    /// The condition of a trigger depends on the column.
    private static let outdated = """
        SELECT DISTINCT "proname"::text, "attname"::text, "isOwned" FROM \(PostgresSession.relations(in: "$1"))
        JOIN "pg_catalog"."pg_trigger" AS "trigger" ON "tgrelid" = "table"."oid"
        JOIN "pg_catalog"."pg_proc" AS "function" ON "function"."oid" = "tgfoid"
        JOIN "pg_catalog"."pg_depend" AS "link" ON "link"."objid" = "trigger"."oid"
        AND "link"."classid" = 'pg_catalog.pg_trigger'::regclass AND "link"."refobjid" = "tgrelid"
        AND "link"."refclassid" = 'pg_catalog.pg_class'::regclass
        JOIN "pg_catalog"."pg_attribute" ON "attrelid" = "tgrelid" AND "attnum" = "link"."refobjsubid"
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM "pg_catalog"."pg_attribute" AS "tenant"
        WHERE "tenant"."attrelid" = "tgrelid" AND "tenant"."attname" = $2)) AS "kind" ("isOwned")
        WHERE NOT "tgisinternal" AND starts_with("tgname", '_blob.') AND starts_with("proname", '_blob.')
        AND "pronamespace" = "relnamespace" AND pg_has_role("proowner", 'USAGE')
        AND has_schema_privilege("pronamespace", 'CREATE') AND NOT pg_is_in_recovery()
        AND ("prosrc" <> replace(CASE WHEN "isOwned" THEN $4 ELSE $3 END, '"?"',
        '"' || replace("attname", '"', '""') || '"')
        OR "proconfig" IS DISTINCT FROM ARRAY['\(PostgresTable.blobFunctionSetting)'])
        """

    /// Finds the functions that differ from those of this version, unless the role cannot replace them.
    ///
    /// The server is asked along with the next statement.
    ///
    /// - Parameters:
    ///   - connection: The connection, which is in a transaction.
    ///   - note: A closure that receives the statement that replaces a function.
    /// - Throws: `StoreError` if the connection was lost.
    func findOutdated(on connection: PostgresConnection, noting note: @escaping (String) -> Void) throws {
        let own = PostgresName.quoted(schema)
        let step = PipelineStep(handler: { row in
            let function = PostgresTable.name(try row.value(0, as: String.self), in: own)
            let column = PostgresName.quoted(try row.value(1, as: String.self))
            let body = PostgresTable.blobFunctionBody(of: column, isOwned: try row.value(2, as: Bool.self))
            note(PostgresTable.creation(ofBlobFunction: function, body))
        })
        let bodies = [false, true].map { PostgresTable.blobFunctionBody(of: "\"?\"", isOwned: $0) }
        let values = [PostgresName.shortened(schema), TenantColumn.name.name] + bodies
        let statement = PostgresStatement(Self.outdated, parameters: values.map { _ in PostgresType.text })
        try connection.send(statement, values.map(PostgresValue.text), step)
    }

    /// Replaces functions, while others read and write the store.
    ///
    /// - Parameters:
    ///   - statements: The statements that replace them.
    ///   - connection: The connection.
    /// - Throws: `StoreError` if a function cannot be replaced.
    func replace(_ statements: [String], on connection: PostgresConnection) throws {
        guard !statements.isEmpty else { return }
        try connection.transaction(.readCommitted) {
            // PostgreSQL fails one of two transactions that replace a function at the same time.
            try SchemaState.lockCreation(in: schema, connection)
            // Citus passes on the whole text that a statement is part of.
            for statement in statements { try connection.run(script: statement) }
        }
    }
}
