internal import TransformableModel
internal import TransformableStore

/// Adds what a table lacks after it was changed: the types of its attributes, indexes, references, triggers, and policies.
struct TableCompletion {
    private enum Kind: String {
        case index
        case reference
        case trigger
        case policy
    }

    private let table: PostgresTable
    private let session: PostgresSession
    /// The names of what the table has.
    private let present: [Kind?: Set<String>]

    /// The table's name in the store's file.
    var name: String { table.raw.name }

    /// Describes a table, and reads what it has, in one round trip.
    init(of table: PostgresTable, _ session: PostgresSession) throws {
        self.table = table
        self.session = session
        let sql = """
            SELECT 'index'::text, "relname"::text FROM "pg_catalog"."pg_index" JOIN "pg_catalog"."pg_class"
            ON "oid" = "indexrelid" WHERE "indrelid" = to_regclass(?)
            UNION ALL SELECT 'reference', "conname"::text FROM "pg_catalog"."pg_constraint"
            WHERE "contype" = 'f' AND "conrelid" = to_regclass(?)
            UNION ALL SELECT 'trigger', "tgname"::text FROM "pg_catalog"."pg_trigger"
            WHERE "tgrelid" = to_regclass(?) AND NOT "tgisinternal"
            UNION ALL SELECT 'policy', "polname"::text FROM "pg_catalog"."pg_policy" WHERE "polrelid" = to_regclass(?)
            """
        let rows = try session.rows(sql, Array(repeating: .text(table.name), count: 4), count: 2)
        present = Dictionary(grouping: rows) { Kind(rawValue: $0.text(0) ?? "") }
            .mapValues { Set($0.compactMap { $0.text(1) }) }
    }

    /// Returns a Boolean value that indicates whether the table had something when it was read.
    private func has(_ kind: Kind, _ name: String) -> Bool {
        present[kind]?.contains(PostgresName.shortened(name)) == true
    }

    /// Converts columns that have a different type than their attributes, as after a re-encoding.
    ///
    /// The tenant of rows that were set aside stays a number, because policies compare it, and Citus distributes by it.
    ///
    /// - Parameter isCopied: Whether the table was created from the rows of another one, which had no cells of any kind.
    /// - Throws: `StoreError` if a value has no counterpart in the new type.
    func convert(isCopied: Bool) throws {
        let rows = try session.rows(PostgresTable.columnTypes(of: "?"), [.text(table.name)], count: 2)
        let types = Dictionary(rows.map { ($0.text(0) ?? "", $0.text(1) ?? "") }) { first, _ in first }
        for column in table.columns where column.name != TenantColumn.name.name {
            guard let type = types[PostgresName.shortened(column.name)],
                let value = Self.conversion(of: column, from: type, isCopied: isCopied)
            else { continue }
            let conversion = "TYPE \(column.type.sql) USING (\(value))::\(column.type.name)"
            let statement = "ALTER TABLE \(table.name) ALTER COLUMN \(column.quoted) \(conversion)"
            try session.tableEditor.run(script: [statement])
        }
    }

    /// Returns the expression that converts a column, or `nil` if it has its type.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - type: The name of the type that it has.
    ///   - isCopied: Whether the table was created from the rows of another one, which had no cells of any kind.
    /// - Returns: The expression in SQL.
    private static func conversion(of column: PostgresTable.Column, from type: String, isCopied: Bool) -> String? {
        guard column.type == .cell else {
            guard type != column.type.name else { return nil }
            return type == "bigint" && column.type == .boolean ? "\(column.quoted) <> 0" : column.quoted
        }
        return isCopied ? ColumnType.anyCell(column.quoted, of: type) : nil
    }

    /// Creates the indexes that are missing.
    ///
    /// An index cannot hold values of more than some 2,700 bytes. Without it, rows are found all the same, unless it
    /// makes values unique.
    func addIndexes() throws {
        let missing = zip(table.raw.indexes, table.indexCreation).filter { !has(.index, $0.0.name) }
        guard !missing.isEmpty else { return }
        do {
            try create(missing.map(\.1))
        } catch let error as StoreError where error.concernsSize {
            try session.tableEditor.run(script: ["ROLLBACK TO \"_index\""])
            for (index, statement) in missing { try addIndex(index.isUnique, statement) }
        }
    }

    private func addIndex(_ isUnique: Bool, _ statement: String) throws {
        do {
            try create([statement])
        } catch let error as StoreError where error.concernsSize && !isUnique {
            try session.tableEditor.run(script: ["ROLLBACK TO \"_index\""])
        }
    }

    private func create(_ indexes: [String]) throws {
        try session.tableEditor.run(script: ["SAVEPOINT \"_index\""] + indexes + ["RELEASE \"_index\""])
    }

    /// Creates the triggers on external values that are missing.
    func addTriggers() throws {
        guard !table.externalColumns.isEmpty else { return }
        for column in table.externalColumns {
            let triggers = PostgresTable.blobTriggerNames(of: column.name)
            guard !triggers.allSatisfy({ has(.trigger, $0) }) else { continue }
            let dropping = triggers.map { "DROP TRIGGER IF EXISTS \(PostgresName.quoted($0)) ON \(table.name)" }
            try session.tableEditor.run(script: dropping + table.blobTriggers(on: column))
        }
    }

    /// Adds the references that are missing.
    func addReferences() throws {
        let missing = zip(table.raw.references, table.referenceCreation)
            .filter { !has(.reference, table.constraintName($0.0)) }
        if !missing.isEmpty { try session.tableEditor.run(script: missing.map(\.1)) }
    }

    /// Hides the rows of tenants if the table is new.
    ///
    /// Rows that were set aside are hidden if those of the table that they come from were.
    ///
    /// - Parameter former: The policies of the table that it replaces, if there is one.
    /// - Throws: `StoreError` if the policies cannot be created.
    func protect(like former: TablePolicies?) throws {
        guard present[.policy] == nil else { return }
        let isHidden = table.raw.role == .aside && former?.hidesTenants == true
        let own = isHidden ? table.security : table.protection
        let rest = former?.statements(for: table, isAside: table.raw.role == .aside) ?? []
        if !(own + rest).isEmpty { try session.tableEditor.run(script: own + rest) }
    }
}
