internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// The changes of tables within a transaction.
///
/// The store says what it changes in SQLite's SQL. SQLite's catalog, in memory and without rows, says what the tables
/// and the recorded definitions are from then on.
final class TableChanges {
    /// A store with more tables, indexes, and triggers than this cannot be one of a model.
    private static let limit = 1_000_000

    private let session: PostgresSession
    private var engine: PostgresEngine { session.engine }
    /// SQLite's catalog, and the definitions that are recorded, or `nil` if they have to be read again.
    private var known: RecordedDefinitions?
    /// The tables that may lack an index or a reference.
    private var incomplete: Set<String> = []
    /// The tables that were created from rows of other tables, whose columns have the types of those.
    private var copied: Set<String> = []
    /// The policies of tables that were rebuilt.
    private var policies: [String: TablePolicies] = [:]

    init(_ session: PostgresSession) {
        self.session = session
    }

    /// Forgets what is known after the transaction went back to a savepoint.
    func invalidate() {
        known = nil
    }

    private func recorded() throws -> RecordedDefinitions {
        if let known { return known }
        let table = PostgresLayout.definitionTable
        let sql = "SELECT \"type\", \"name\", \"table\", \"sql\" FROM \"\(table)\" ORDER BY \"id\" LIMIT \(Self.limit)"
        let definitions = try session.rows(sql, count: 4).map { RawDefinition($0) }
        let recorded = try RecordedDefinitions(RawCatalog(definitions))
        known = recorded
        return recorded
    }

    // MARK: - Statements

    /// Does what a statement in SQLite's SQL means.
    func run(_ sql: String) throws {
        guard let statement = DefinitionStatement(sql) else {
            throw StoreError(.misuse, "the statement does not change a table")
        }
        if case .renameTable(let table, _) = statement { try convert(table) }
        let recorded = try recorded()
        let before = index(of: statement, recorded)
        let changes = try recorded.run(sql, statement)
        // There may have been nothing to create or to drop.
        guard !changes.isEmpty else { return }
        try record(changes)
        // An attribute may have become external in a table that does not change otherwise.
        if case .createTrigger = statement { incomplete.formUnion(changes.added.map(\.table)) }
        if case .copyTable(let name, let rows) = statement {
            incomplete.insert(name)
            copied.insert(name)
            return try copy(engine.translated(rows), to: name)
        }
        try run(statement, before)
    }

    /// Returns the table of an index that is about to be dropped.
    private func index(of statement: DefinitionStatement, _ recorded: RecordedDefinitions) -> String? {
        guard case .dropIndex(let name) = statement else { return nil }
        return recorded.index(name)?.table
    }

    private func run(_ statement: DefinitionStatement, _ indexed: String?) throws {
        switch statement {
        case .createTable(let name):
            guard let table = try table(name) else { return }
            incomplete.insert(name)
            try session.tableEditor.run(script: table.creation + table.placement)
        case .createIndex(let name, let table): try createIndex(name, of: table)
        case .dropTable(let name): try drop(name)
        case .dropIndex(let name):
            // Not all of SQLite's indexes are there.
            guard indexed != nil else { return }
            try session.tableEditor.run(script: ["DROP INDEX IF EXISTS \(engine.qualified(name))"])
        case .dropTrigger(let name): try dropTrigger(name)
        case .renameTable(let table, let name): try rename(table, to: name)
        case .addColumn(let column, let table): try add(column, to: table)
        case .dropColumn(let column, let table): try drop(column, of: table)
        case .renameColumn(let column, let name, let table): try rename(column, to: name, in: table)
        // Triggers of a file are only recorded, for a copy of the store. Those of the table are added at the end.
        case .createTrigger, .copyTable: return
        }
    }

    /// Records the definitions as a file would contain them, because a seal covers them.
    private func record(_ changes: RecordedDefinitions.Changes) throws {
        let table = "\"\(PostgresLayout.definitionTable)\""
        for own in changes.removed {
            try change("DELETE FROM \(table) WHERE \"type\" = ? AND \"name\" = ?", [own.type, own.name])
        }
        for own in changes.replaced {
            let sql = "UPDATE \(table) SET \"table\" = ?, \"sql\" = ? WHERE \"type\" = ? AND \"name\" = ?"
            try change(sql, [own.table, own.sql, own.type, own.name])
        }
        for own in changes.added {
            let number = "(SELECT coalesce(max(\"id\"), 0) + 1 FROM \(table))"
            try change("INSERT INTO \(table) VALUES (\(number), ?, ?, ?, ?)", [own.type, own.name, own.table, own.sql])
        }
    }

    private func change(_ sql: String, _ texts: [String]) throws {
        try session.change(sql, texts.map(ColumnValue.text)) { _ = try $0.get() }
    }

    /// Returns all tables as they are recorded.
    func recordedTables() throws -> [PostgresTable] { try tables(recorded().tableNames) }

    private func table(_ name: String) throws -> PostgresTable? {
        try tables([name]).first
    }

    private func tables(_ names: [String]) throws -> [PostgresTable] {
        try recorded().catalog.tables(names, describedBy: session)
            .map { PostgresTable($0, in: engine.schema, isDistributed: engine.isDistributed) }
    }
}

// MARK: - Tables and columns

extension TableChanges {
    /// Drops a table with the functions of its triggers, which PostgreSQL would keep.
    private func drop(_ name: String) throws {
        try dropReferences(of: name)
        try change("DELETE FROM \"\(PostgresLayout.sequenceTable)\" WHERE \"table\" = ?", [name])
        let sql = """
            SELECT DISTINCT "tgfoid"::regprocedure::text FROM "pg_catalog"."pg_trigger" JOIN "pg_catalog"."pg_proc"
            ON "pg_proc"."oid" = "tgfoid" WHERE "tgrelid" = to_regclass(?) AND NOT "tgisinternal"
            AND "pronamespace" = to_regnamespace(?)
            AND (starts_with("proname", '_blob.') OR starts_with("proname", '_reencoded.'))
            """
        let schema = PostgresName.quoted(engine.schema)
        let functions = try session.rows(sql, [.text(engine.qualified(name)), .text(schema)], count: 1)
            .map { "DROP FUNCTION \($0.text(0) ?? "")" }
        try session.tableEditor.run(script: ["DROP TABLE \(engine.qualified(name))"] + functions)
    }

    /// Creates a table with the rows of a query.
    ///
    /// Rows of tenants stay on the servers that have them.
    private func copy(_ rows: String, to name: String) throws {
        let own = engine.qualified(name)
        guard let table = try table(name), table.isDistributed,
            table.raw.hasTenantColumn
        else {
            return try session.tableEditor.run(script: ["CREATE TABLE \(own) AS \(rows)"])
        }
        let partner = PostgresTable.literal(PostgresLayout.blobTable, in: table.schema)
        try session.tableEditor.run(script: [
            "CREATE TABLE \(own) AS \(rows) WITH NO DATA", table.distribution(with: partner),
            "INSERT INTO \(own) \(rows)",
        ])
    }

    private func drop(_ column: String, of table: String) throws {
        try prepareToUpdateAgain(table)
        incomplete.insert(table)
        let dropping = "ALTER TABLE \(engine.qualified(table)) DROP COLUMN \(PostgresName.quoted(column))"
        try session.tableEditor.run(script: withoutTriggers(column, of: table) + [dropping])
    }

    private func rename(_ column: String, to name: String, in table: String) throws {
        incomplete.insert(table)
        let renaming = "RENAME COLUMN \(PostgresName.quoted(column)) TO \(PostgresName.quoted(name))"
        let statement = "ALTER TABLE \(engine.qualified(table)) \(renaming)"
        try session.tableEditor.run(script: withoutTriggers(column, of: table) + [statement])
    }

    /// Drops the references of a distributed table whose rows are about to be updated more than once.
    ///
    /// Each column that is replaced updates the rows, and so does each renewal of their tags. PostgreSQL checks the
    /// references of rows that are updated twice in a transaction at its end, and creates no index until then.
    /// `SET CONSTRAINTS` does not reach the workers.
    private func prepareToUpdateAgain(_ table: String) throws {
        guard engine.isDistributed else { return }
        let tag = RowSeal.column.name
        let isNext = try incomplete.contains(table) || !session.tables.columns(of: table, among: [tag]).isEmpty
        if isNext { try dropReferences(of: table) }
    }

    /// Returns the statements that drop the triggers on the external values of a column, whose function names it.
    private func withoutTriggers(_ column: String, of table: String) -> [String] {
        let function = engine.qualified(PostgresTable.blobFunction(of: column, table))
        let triggers = PostgresTable.blobTriggerNames(of: column).map(PostgresName.quoted)
        return triggers.map { "DROP TRIGGER IF EXISTS \($0) ON \(engine.qualified(table))" }
            + ["DROP FUNCTION IF EXISTS \(function)()"]
    }

    /// Converts the columns of a table that was changed.
    ///
    /// A table that is renamed is about to be rebuilt, and PostgreSQL copies its rows only to columns of the same types. A
    /// re-encoding in the same transaction may have left the decoded values of a column as text.
    private func convert(_ name: String) throws {
        guard incomplete.contains(name), let table = try table(name) else { return }
        try TableCompletion(of: table, session).convert(isCopied: false)
    }

    /// Renames a table, along with its key and its sequence, whose names a new table needs.
    private func rename(_ table: String, to name: String) throws {
        try dropReferences(of: table)
        try change("UPDATE \"\(PostgresLayout.sequenceTable)\" SET \"table\" = ? WHERE \"table\" = ?", [name, table])
        incomplete.insert(name)
        var script = ["ALTER TABLE \(engine.qualified(table)) RENAME TO \(PostgresName.quoted(name))"]
        let key = """
            SELECT "conname"::text FROM "pg_catalog"."pg_constraint" WHERE "contype" = 'p' AND "conrelid" = to_regclass(?)
            """
        // The constraint is renamed along with its index. Citus refuses to rename the constraint.
        for row in try session.rows(key, [.text(engine.qualified(table))], count: 1) {
            let old = engine.qualified(row.text(0) ?? "")
            script.append("ALTER INDEX \(old) RENAME TO \(PostgresName.quoted("\(name)_pkey"))")
        }
        let sequence = "SELECT pg_get_serial_sequence(?, '_id')"
        for row in try session.rows(sequence, [.text(engine.qualified(table))], count: 1) {
            guard let old = row.text(0) else { continue }
            script.append("ALTER SEQUENCE \(old) RENAME TO \(PostgresName.quoted("\(name)__id_seq"))")
        }
        try session.tableEditor.run(script: script)
    }

    private func add(_ column: String, to name: String) throws {
        guard let table = try table(name), let own = table.columns.first(where: { $0.name == column }) else { return }
        incomplete.insert(name)
        try session.tableEditor.run(script: ["ALTER TABLE \(table.name) ADD COLUMN \(own.quoted) \(own.type.sql)"])
    }

    private func dropTrigger(_ name: String) throws {
        let sql = """
            SELECT "table"."relname"::text FROM \(PostgresSession.relationsSource)
            JOIN "pg_catalog"."pg_trigger" ON "tgrelid" = "table"."oid" WHERE "tgname" = ?::text AND NOT "tgisinternal"
            """
        let own = PostgresName.quoted(name)
        for row in try session.rows(sql, [.text(PostgresName.shortened(name))], count: 1) {
            let table = engine.qualified(row.text(0) ?? "")
            try session.tableEditor.run(script: [
                "DROP TRIGGER \(own) ON \(table)", "DROP FUNCTION IF EXISTS \(engine.qualified(name))()",
            ])
        }
    }
}

// MARK: - Indexes and references

extension TableChanges {
    /// Creates an index if values must be unique, and otherwise at the end, when all rows are there.
    private func createIndex(_ name: String, of table: String) throws {
        incomplete.insert(table)
        let isUnique = known?.index(name)?.sql.hasPrefix("CREATE UNIQUE ") == true
        guard isUnique, let own = try self.table(table) else { return }
        for (index, statement) in zip(own.raw.indexes, own.indexCreation) where index.name == name {
            try session.tableEditor.run(script: [statement])
        }
    }

    /// Drops the references from and to a table.
    ///
    /// They depend on columns of both tables. No index of `pg_constraint` begins with the table that is referred to. Those of
    /// tables in other schemas belong to other programs.
    private func dropReferences(of table: String) throws {
        let sql = """
            SELECT DISTINCT "table"."relname"::text, "conname"::text FROM "pg_catalog"."pg_depend"
            JOIN "pg_catalog"."pg_constraint" AS "reference" ON "reference"."oid" = "objid"
            JOIN "pg_catalog"."pg_class" AS "table" ON "table"."oid" = "conrelid"
            WHERE "classid" = 'pg_catalog.pg_constraint'::regclass AND "refclassid" = 'pg_catalog.pg_class'::regclass
            AND "refobjid" = to_regclass(?) AND "contype" = 'f' AND "table"."relnamespace" = to_regnamespace(?)
            """
        let names = [engine.qualified(table), PostgresName.quoted(engine.schema)]
        for row in try session.rows(sql, names.map(ColumnValue.text), count: 2) {
            let name = row.text(0) ?? ""
            let constraint = PostgresName.quoted(row.text(1) ?? "")
            try session.tableEditor.run(script: ["ALTER TABLE \(engine.qualified(name)) DROP CONSTRAINT \(constraint)"])
            incomplete.insert(known?.table(shortened: name) ?? name)
        }
    }

    /// Adds what the tables lack: the types of their attributes, indexes, and references.
    ///
    /// With references, PostgreSQL would not change a table any more in the same transaction.
    func finish() throws {
        guard !incomplete.isEmpty else { return }
        let tables = try tables(incomplete.sorted()).map { try TableCompletion(of: $0, session) }
        for table in tables {
            try table.convert(isCopied: copied.remove(table.name) != nil)
            try table.addIndexes()
        }
        for table in tables {
            try table.addReferences()
            try table.addTriggers()
        }
        // References are checked as the role, which must still see all rows.
        for table in tables { try table.protect(like: policies[table.name]) }
    }
}

// MARK: - Policies

extension TableChanges {
    /// Gives a table the policies of the one that it replaces, once both are complete.
    func carry(_ policies: TablePolicies, to table: String) {
        self.policies[table] = policies
    }
}
