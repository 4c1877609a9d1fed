internal import TransformableModel
internal import TransformableStore

/// Compares a store's tables with the definitions that are recorded in the schema.
///
/// A seal covers what is recorded, but the owner of a table can change the table alone.
struct TableCheck {
    /// The tables that only a store on a server has.
    private static let own = [
        PostgresLayout.chunkTable, PostgresLayout.definitionTable, PostgresLayout.sequenceTable,
        PostgresLayout.journalTable,
    ]

    private let session: PostgresSession
    /// The recorded tables, by the names that PostgreSQL gives them.
    private let tables: [String: PostgresTable]

    init(_ session: PostgresSession) throws {
        self.session = session
        let recorded = try TableChanges(session).recordedTables()
        tables = Dictionary(recorded.map { (PostgresName.shortened($0.raw.name), $0) }) { first, _ in first }
    }

    /// The tables with objects and pairs, in the order of their names.
    private var filled: [PostgresTable] {
        tables.values.filter { $0.raw.entity != nil || $0.raw.role == .pairs }.sorted { $0.raw.name < $1.raw.name }
    }

    /// Returns an error for each difference.
    func faults() throws -> [StoreError] {
        try plantedTriggers() + plantedRules() + missingIndexes() + missingReferences() + faultyDeletions()
    }

    private func fault(_ message: String, of table: String) -> StoreError {
        StoreError(.corruptFile, message, entity: tables[table]?.raw.entity ?? table)
    }

    private func isOwn(_ table: String) -> Bool { tables[table] != nil || Self.own.contains(table) }

    // MARK: - What the store has not created

    private func plantedTriggers() throws -> [StoreError] {
        // Citus adds a trigger to each table that it distributes.
        let sql = """
            SELECT "table"."relname"::text, "tgname"::text FROM \(PostgresSession.relationsSource)
            JOIN "pg_catalog"."pg_trigger" ON "tgrelid" = "table"."oid"
            JOIN "pg_catalog"."pg_proc" ON "pg_proc"."oid" = "tgfoid"
            WHERE NOT "tgisinternal" AND NOT (starts_with("tgname", 'truncate_trigger_')
            AND "proname" = 'citus_truncate_trigger' AND "pronamespace" = 'pg_catalog'::regnamespace)
            ORDER BY 1, 2
            """
        return try session.rows(sql, count: 2)
            .compactMap { row in
                let (table, name) = (row.text(0) ?? "", row.text(1) ?? "")
                guard isOwn(table), !triggers(on: table).contains(name) else { return nil }
                let message = "the table has a trigger “\(name)” that the store has not created; examine and drop it"
                return fault(message, of: table)
            }
    }

    /// Returns the names of the store's own triggers on a table: those on external values, and those that empty the new
    /// cells of a re-encoding.
    private func triggers(on name: String) -> Set<String> {
        guard let table = tables[name] else { return [] }
        let shadows = table.columns.filter { table.raw.columns[$0.source].isShadow }.map(\.name)
        let blobs = table.externalColumns.flatMap { PostgresTable.blobTriggerNames(of: $0.name) }
        return Set((shadows + blobs).map(PostgresName.shortened))
    }

    private func plantedRules() throws -> [StoreError] {
        let sql = """
            SELECT "table"."relname"::text, "rulename"::text FROM \(PostgresSession.relationsSource)
            JOIN "pg_catalog"."pg_rewrite" ON "ev_class" = "table"."oid" ORDER BY 1, 2
            """
        return try session.rows(sql, count: 2)
            .compactMap { row in
                let (table, name) = (row.text(0) ?? "", row.text(1) ?? "")
                guard isOwn(table) else { return nil }
                let message = "the table has a rule “\(name)” that the store has not created; examine and drop it"
                return fault(message, of: table)
            }
    }

    // MARK: - What is missing

    private func missingIndexes() throws -> [StoreError] {
        let columns = """
            SELECT string_agg('"' || replace("attname"::text, '"', '""') || '"', ', ' ORDER BY "position")
            FROM unnest("indkey"::int2[]) WITH ORDINALITY AS "key" ("number", "position")
            JOIN "pg_catalog"."pg_attribute" ON "attrelid" = "indrelid" AND "attnum" = "number"
            WHERE "position" <= "indnkeyatts"
            """
        let sql = """
            SELECT "table"."relname"::text, (\(columns)) FROM \(PostgresSession.relationsSource)
            JOIN "pg_catalog"."pg_index" ON "indrelid" = "table"."oid"
            WHERE "indisunique" AND "indisvalid" AND "indpred" IS NULL AND "indexprs" IS NULL
            """
        let rows = try session.rows(sql, count: 2)
        let present = Dictionary(grouping: rows) { $0.text(0) ?? "" }.mapValues { Set($0.compactMap { $0.text(1) }) }
        return filled.flatMap { table in
            let name = PostgresName.shortened(table.raw.name)
            return table.uniqueLists.filter { present[name]?.contains($0) != true }
                .map { fault("the table lacks a unique index of the columns \($0); restore a backup", of: name) }
        }
    }

    private func missingReferences() throws -> [StoreError] {
        let sql = """
            SELECT "table"."relname"::text, "conname"::text, "target"."relname"::text FROM \(PostgresSession.relationsSource)
            JOIN "pg_catalog"."pg_constraint" ON "conrelid" = "table"."oid"
            JOIN "pg_catalog"."pg_class" AS "target" ON "target"."oid" = "confrelid"
            WHERE "contype" = 'f' AND "convalidated" AND "confdeltype" = 'a' AND "confupdtype" = 'a'
            """
        let present = Set(try session.rows(sql, count: 3).map { row in (0..<3).map { row.text($0) ?? "" } })
        return filled.flatMap { table in
            let name = PostgresName.shortened(table.raw.name)
            return table.raw.references
                .filter { reference in
                    let names = [table.raw.name, table.constraintName(reference), reference.table]
                    return !present.contains(names.map(PostgresName.shortened))
                }
                .map { fault("the column “\($0.column)” lacks its foreign key; restore a backup", of: name) }
        }
    }

    // MARK: - What deletes external values

    private func faultyDeletions() throws -> [StoreError] {
        let sql = """
            SELECT "table"."relname"::text, "tgname"::text,
            CASE WHEN "proconfig" = ARRAY['\(PostgresTable.blobFunctionSetting)'] THEN "prosrc" ELSE '' END
            FROM \(PostgresSession.relationsSource)
            JOIN "pg_catalog"."pg_trigger" ON "tgrelid" = "table"."oid"
            JOIN "pg_catalog"."pg_proc" ON "pg_proc"."oid" = "tgfoid"
            WHERE NOT "tgisinternal" AND starts_with("tgname", '_blob.') AND "tgenabled" IN ('O', 'A')
            """
        let rows = try session.rows(sql, count: 3).map { row in (0..<3).map { row.text($0) ?? "" } }
        let bodies = Dictionary(rows.map { ([$0[0], $0[1]], $0[2]) }) { first, _ in first }
        return filled.flatMap { table in
            let name = PostgresName.shortened(table.raw.name)
            return table.externalColumns.compactMap { column in
                let triggers = PostgresTable.blobTriggerNames(of: column.name).map(PostgresName.shortened)
                let expected = table.blobFunctionBody(of: column)
                return Self.problem(of: triggers.map { bodies[[name, $0]] }, expected)
                    .map { fault("the \($0.what) that deletes values of “\(column.name)” \($0.problem)", of: name) }
            }
        }
    }

    /// Returns what is wrong with triggers, whose functions should have a body.
    ///
    /// - Parameters:
    ///   - bodies: The body of each trigger's function, or `nil` if there is no such trigger.
    ///   - expected: The expected body.
    /// - Returns: What is faulty and how, or `nil` if nothing is.
    private static func problem(of bodies: [String?], _ expected: String) -> (what: String, problem: String)? {
        if bodies.contains(nil) {
            let remedy = "enable it with ALTER TABLE, or copy the store to another schema"
            return ("trigger", "is missing or disabled; \(remedy)")
        }
        guard bodies.contains(where: { $0 != expected }) else { return nil }
        return ("function", "was changed or is from another version; open the store once as the role that owns it")
    }
}
