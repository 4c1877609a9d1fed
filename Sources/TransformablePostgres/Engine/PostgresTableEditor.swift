internal import TransformableModel
internal import TransformableStore

/// Changes the tables of a store in the transactions of a session.
///
/// The session says when a transaction begins and ends.
final class PostgresTableEditor: TableEditor {
    // The session owns this object.
    private unowned let session: PostgresSession
    private var engine: PostgresEngine { session.engine }
    private var connection: PostgresConnection { session.connection }
    /// Whether transactions keep all others out, because they change tables.
    private(set) var isChanging = false
    /// The changes in the current transaction.
    private var changes: TableChanges?
    /// The number of changes to rows whose references have been checked.
    private var checkedCount = 0

    init(_ session: PostgresSession) {
        self.session = session
    }

    // MARK: - Transactions

    /// Prepares for a transaction, which has no references to check yet.
    func prepareForTransaction() {
        checkedCount = session.totalChangedCount
    }

    /// Makes the rows of all tenants accessible if the transaction changes tables.
    func begin() throws {
        if isChanging { try joinTenants() }
    }

    /// Forgets what is known about tables, after the transaction went back to a savepoint.
    func invalidate() {
        changes?.invalidate()
    }

    /// Completes the tables, and separates the tenants again, before the commit.
    func finish() throws {
        try changes?.finish()
        if isChanging { try separateTenants() }
    }

    /// Forgets the changes of a transaction, which was committed or rolled back.
    func endTransaction() {
        if changes != nil { engine.forgetTables() }
        changes = nil
    }

    // MARK: - Changes

    func withoutReferences<Result>(_ body: () throws -> Result) throws -> Result {
        try changing(body)
    }

    func changing<Result>(_ body: () throws -> Result) throws -> Result {
        let wasChanging = isChanging
        isChanging = true
        defer { isChanging = wasChanging }
        return try body()
    }

    func define(_ statement: String) throws {
        guard connection.isInTransaction else {
            return try changing { try session.committing { try define(statement) } }
        }
        let changes = changes ?? TableChanges(session)
        self.changes = changes
        try changes.run(statement)
    }

    /// Runs statements in PostgreSQL's SQL that change tables, whose rows may have been changed in the same transaction.
    func run(script statements: [String]) throws {
        engine.forgetTables()
        connection.statements.removeAll()
        // Only changes that have been answered are counted.
        try session.settle()
        // With references that have yet to be checked, PostgreSQL does not change a table.
        let isChecked = checkedCount == session.totalChangedCount
        let checks = isChecked ? [] : ["IMMEDIATE", "DEFERRED"].map { "SET CONSTRAINTS ALL \($0)" }
        checkedCount = session.totalChangedCount
        engine.noteStatement()
        let all = checks + statements
        // Citus passes on the whole text that a statement is part of.
        let scripts = engine.isDistributed ? all : [all.joined(separator: ";\n")]
        try session.located { for script in scripts { try connection.run(script: script) } }
    }

    func replicate(_ table: String) throws {
        guard engine.isDistributed else { return }
        let literal = PostgresTable.literal(table, in: PostgresName.quoted(engine.schema))
        try run(script: [PostgresTable.replication(of: literal)])
    }

    func columns(of table: String, among names: [String]) throws -> Set<String> {
        let sql = """
            SELECT "attname"::text FROM "pg_catalog"."pg_attribute"
            WHERE "attrelid" = to_regclass(?) AND "attnum" > 0 AND NOT "attisdropped"
            """
        let rows = try session.rows(sql, [.text(engine.qualified(table))], count: 1)
        let present = Set(rows.compactMap { $0.text(0) })
        return Set(names.filter { present.contains(PostgresName.shortened($0)) })
    }

    func requireValues(in column: String, of table: String) throws {
        let (table, column) = (engine.qualified(table), PostgresName.quoted(column))
        try run(script: ["ALTER TABLE \(table) ALTER COLUMN \(column) SET NOT NULL"])
    }

    func clear(_ column: String, of table: String, whenChanging other: String) throws {
        let (name, source) = (PostgresName.quoted(column), PostgresName.quoted(other))
        let (function, table) = (engine.qualified(column), engine.qualified(table))
        try run(script: [
            """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.\(name) := NULL; RETURN NEW; END $$
            """,
            "DROP TRIGGER IF EXISTS \(name) ON \(table)",
            """
            CREATE TRIGGER \(name) BEFORE UPDATE OF \(source) ON \(table) FOR EACH ROW
            WHEN (OLD.\(source) IS DISTINCT FROM NEW.\(source)) EXECUTE FUNCTION \(function)()
            """,
        ])
    }

    func clears(_ column: String, of table: String) throws -> Bool {
        let sql = """
            SELECT count(*) FROM "pg_catalog"."pg_trigger"
            WHERE "tgrelid" = to_regclass(?) AND "tgname" = ?::text AND NOT "tgisinternal"
            """
        return try session.integer(sql, [.text(engine.qualified(table)), .text(PostgresName.shortened(column))]) > 0
    }
}

// MARK: - Rows of tenants

extension PostgresTableEditor {
    /// Lets the owner of the tables see and change the rows of all tenants, until `separateTenants()` is called.
    ///
    /// This is part of the transaction, so nobody else notices it. A statement from which a policy hides rows nevertheless
    /// fails, instead of leaving them behind.
    private func joinTenants() throws {
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
        guard try session.integer(sql, [.text(table), .text(name)]) > 0 else { return }
        try run(script: [
            "ALTER TABLE \(table) DROP CONSTRAINT \(PostgresName.quoted(name))",
            PostgresLayout.chunkReference(in: PostgresName.quoted(engine.schema), isOwned: true),
        ])
    }

    /// Binds the owner by the policies again.
    private func separateTenants() throws {
        try forcePolicies(true)
    }

    private func forcePolicies(_ isForced: Bool) throws {
        let sql = """
            SELECT "relname"::text FROM \(PostgresSession.relationsSource) WHERE "relforcerowsecurity" = ?
            AND pg_has_role("relowner", 'USAGE') AND EXISTS (SELECT 1
            FROM "pg_catalog"."pg_policy" WHERE "polrelid" = "table"."oid" AND "polname" = ?)
            """
        let values: [ColumnValue] = [.integer(isForced ? 0 : 1), .text(PostgresTable.scopePolicy)]
        let verb = isForced ? "FORCE" : "NO FORCE"
        let statements = try session.rows(sql, values, count: 1)
            .map { "ALTER TABLE \(engine.qualified($0.text(0) ?? "")) \(verb) ROW LEVEL SECURITY" }
        if !statements.isEmpty { try run(script: statements) }
    }
}

// MARK: - Privileges

extension PostgresTableEditor {
    func copyPrivileges(from old: String, to new: String) throws {
        var statements = try revocations(of: engine.qualified(new), "TABLE") + owner(of: old, for: new)
        statements += try grants(of: engine.qualified(old))
            .map { "\($0.privilege) ON TABLE \(engine.qualified(new)) \($0.target)" }
        if let former = try sequenceName(of: old), let own = try sequenceName(of: new) {
            statements = try revocations(of: own, "SEQUENCE") + statements
            statements += try grants(of: former).map { "\($0.privilege) ON SEQUENCE \(own) \($0.target)" }
        }
        if !statements.isEmpty { try run(script: statements) }
        changes?.carry(try TablePolicies(of: old, session), to: new)
    }

    private func sequenceName(of table: String) throws -> String? {
        guard try !columns(of: table, among: ["_id"]).isEmpty else { return nil }
        let sql = "SELECT pg_get_serial_sequence(?, '_id')"
        return try session.rows(sql, [.text(engine.qualified(table))], count: 1).first?.text(0)
    }

    /// Returns the statements that revoke the default privileges of a new table or sequence.
    ///
    /// An administrator may have revoked them from the old one.
    private func revocations(of name: String, _ kind: String) throws -> [String] {
        let sql = """
            SELECT DISTINCT CASE "grantee" WHEN 0 THEN 'PUBLIC' ELSE "grantee"::regrole::text END
            FROM "pg_catalog"."pg_class", aclexplode("relacl") WHERE "oid" = to_regclass(?) AND "grantee" <> "relowner"
            """
        return try session.rows(sql, [.text(name)], count: 1)
            .map { "REVOKE ALL ON \(kind) \(name) FROM \($0.text(0) ?? "")" }
    }

    /// Returns the beginnings and the ends of the statements that grant the privileges of a table or a sequence.
    private func grants(of name: String) throws -> [(privilege: String, target: String)] {
        let sql = """
            SELECT "privilege_type", CASE "grantee" WHEN 0 THEN 'PUBLIC' ELSE "grantee"::regrole::text END, "is_grantable"
            FROM "pg_catalog"."pg_class", aclexplode("relacl") WHERE "oid" = to_regclass(?) AND "grantee" <> "relowner"
            """
        return try session.rows(sql, [.text(name)], count: 3)
            .map { row in
                let option = row.integer(2) == 1 ? " WITH GRANT OPTION" : ""
                return ("GRANT \(row.text(0) ?? "")", "TO \(row.text(1) ?? "")\(option)")
            }
    }

    /// Returns the statement that gives a new table the owner of an old one, if the role is another one.
    private func owner(of old: String, for new: String) throws -> [String] {
        let sql = """
            SELECT "relowner"::regrole::text FROM "pg_catalog"."pg_class"
            WHERE "oid" = to_regclass(?) AND pg_get_userbyid("relowner") <> current_user
            """
        return try session.rows(sql, [.text(engine.qualified(old))], count: 1)
            .map { "ALTER TABLE \(engine.qualified(new)) OWNER TO \($0.text(0) ?? "")" }
    }
}
