/// Lays a context's pending changes over the file's tables while a fetch runs.
///
/// A view in SQLite's temporary schema has the name of a table and takes precedence over it. It contains the table's
/// pending rows, and all other rows from the file. A fetch therefore has the same meaning in SQL with and without
/// pending changes. The temporary tables have no constraints, so objects that cannot be saved yet are found as well.
struct PendingView {
    let context: StoreContext
    let database: any EngineConnection
    /// The prefix of the names of the tables.
    var prefix = "_pending."
    /// The tables with pending changes, each with the statement that creates its view.
    var views: [TableName: String] = [:]

    /// Runs a closure whose SQL sees pending changes.
    static func run<Result>(_ context: StoreContext, _ body: () throws -> Result) throws -> Result {
        // A hook may fetch while a fetch is running.
        guard !context.work.isEmpty, context.connection.overlaidTables == nil else {
            return try context.connected { _ in try body() }
        }
        guard context.store.engine.dialect.has(.temporaryViews) else {
            return try context.connected { _ in
                try context.connection.overlaying(PendingExpressions(context), body)
            }
        }
        guard context.keepsPendingTables, let tables = context.reachPendingTables() else {
            return try context.connected { database in
                try database.rollingBack {
                    var view = PendingView(context: context, database: database)
                    try view.lay(context.work.changed, isNew: true)
                    try view.lay(context.work.pairs.edits.mapValues(Optional.some), isNew: true)
                    return try view.show(body)
                }
            }
        }
        func show(_ database: any EngineConnection) throws -> Result {
            let view = try tables.follow(context, database)
            return try database.rollingBack { try view.show(body) }
        }
        do {
            return try context.isEditing ? context.connection.use(tables.connection, show) : context.connected(show)
        } catch {
            // The error may have rolled back the transaction in which the tables were created or updated.
            context.forgetPendingTables()
            throw error
        }
    }

    private func run(_ sql: String) throws {
        try database.run(sql)
    }

    private func statement(_ sql: String) throws -> any EngineStatement {
        try database.statement(sql, cached: false)
    }

    private func pending(_ table: TableName) -> String {
        "temp.\(TableName(prefix + table.name))"
    }

    /// Runs a closure while the views take precedence over the tables.
    private func show<Result>(_ body: () throws -> Result) throws -> Result {
        for (table, view) in views {
            if context.scope != .undivided { try run("DROP VIEW IF EXISTS temp.\(table)") }
            try run(view)
        }
        return try context.connection.overlaying(Set(views.keys), body)
    }

    /// Creates an empty table like one in the file, unless it exists.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - visible: The rows of the table that the context can see.
    ///   - columns: The columns.
    ///   - key: The columns that identify a row.
    ///   - isReplaced: A condition for rows in the file that have pending changes.
    ///   - check: An expression that checks the tag of a row in the file, if there are tags.
    /// - Throws: `StoreError` if SQLite fails.
    private mutating func make(
        _ table: TableName,
        _ visible: String,
        _ columns: [String],
        key: String,
        isReplaced: String,
        check: String? = nil
    ) throws {
        guard views[table] == nil else { return }
        let pending = pending(table)
        let list = columns.joined(separator: ", ")
        try run("CREATE TABLE \(pending) AS SELECT \(list), 0 AS \"_gone\" FROM \(visible) WHERE 0")
        let index = TableName("_index.\(prefix)\(table.name)")
        try run("CREATE UNIQUE INDEX temp.\(index) ON \(pending.dropFirst("temp.".count)) (\(key))")
        let stored = list + (check.map { ", \($0) AS \(RowSeal.column)" } ?? "")
        let unsaved = list + (check == nil ? "" : ", 1")
        views[table] = """
            CREATE TEMP VIEW \(table) AS SELECT \(stored) FROM \(visible) AS "stored" WHERE NOT \(isReplaced)
            UNION ALL SELECT \(unsaved) FROM \(pending) WHERE "_gone" = 0
            """
    }

    /// Drops the tables.
    static func drop(_ prefix: String, _ tables: some Sequence<TableName>, on database: any EngineConnection) throws {
        for table in tables {
            let name = TableName(prefix + table.name)
            try database.run("DROP TABLE IF EXISTS temp.\(name)")
        }
    }
}

// MARK: - Objects

extension PendingView {
    /// Writes the pending rows of objects to the temporary tables.
    ///
    /// - Parameters:
    ///   - objects: The objects, without duplicates.
    ///   - isNew: Whether none of them has a row there yet.
    /// - Throws: `StoreError` if SQLite fails.
    mutating func lay(_ objects: [ManagedObject], isNew: Bool) throws {
        for (index, objects) in Dictionary(grouping: objects, by: \.entity.index) {
            try lay(objects, of: context.schema.entities[index], isNew)
        }
    }

    private mutating func lay(_ objects: [ManagedObject], of entity: StoredEntity, _ isNew: Bool) throws {
        let columns = ["\"_id\"", "\"_version\""] + entity.insertedColumns.map(SQL.quoted)
        let pending = pending(entity.table)
        let isReplaced = "\"_id\" IN (SELECT \"_id\" FROM \(pending))"
        try make(
            entity.table,
            entity.visible,
            columns,
            key: "\"_id\"",
            isReplaced: isReplaced,
            check: entity.rowSeal?.check()
        )
        let rows = try Rows(
            insertion: statement(
                "INSERT OR REPLACE INTO \(pending) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")), 0)"
            ),
            copy: statement(
                """
                INSERT OR REPLACE INTO \(pending) SELECT \(columns.joined(separator: ", ")), 0 FROM \(entity.visible) \
                WHERE "_id" = ?\(entity.rowSeal.map { " AND \($0.check())" } ?? "")
                """
            ),
            marking: statement("INSERT OR REPLACE INTO \(pending) (\"_id\", \"_gone\") VALUES (?, 1)"),
            places: Dictionary(zip(entity.insertedColumns, 2...)) { first, _ in first },
            count: columns.count
        )
        let removal = try statement("DELETE FROM \(pending) WHERE \"_id\" = ?")
        for object in objects {
            if !isNew { try removal.run([.integer(object.number)]) }
            if isNew || object.isNoted { try lay(object, rows, pending) }
        }
    }

    /// The statements that fill a table.
    private struct Rows {
        let insertion: any EngineStatement
        let copy: any EngineStatement
        let marking: any EngineStatement
        /// The positions of columns among the values of the insertion.
        let places: [String: Int]
        let count: Int
    }

    private func lay(_ object: ManagedObject, _ rows: Rows, _ pending: String) throws {
        let number = ColumnValue.integer(object.number)
        switch object.state {
        case .inserted:
            var values = [number, .integer(0)] + Array(repeating: ColumnValue.null, count: rows.count - 2)
            for cell in object.pendingCells() {
                if let place = rows.places[cell.column] { values[place] = cell.value }
            }
            try rows.insertion.run(values)
        case .stored:
            try rows.copy.run([number])
            try update(object, in: pending)
        case .deleted: try rows.marking.run([number])
        case .gone: break
        }
    }

    private func update(_ object: ManagedObject, in pending: String) throws {
        let cells = object.pendingCells()
        guard !cells.isEmpty else { return }
        let list = cells.map { "\(SQL.quoted($0.column)) = ?" }.joined(separator: ", ")
        let statement = try database.statement("UPDATE \(pending) SET \(list) WHERE \"_id\" = ?")
        try statement.run(cells.map(\.value) + [.integer(object.number)])
    }
}

// MARK: - Pairs

extension PendingView {
    /// Writes the pending pairs to the temporary tables.
    ///
    /// - Parameters:
    ///   - edits: The edits of the pairs. An edit that was reverted is `nil`.
    ///   - isNew: Whether none of them has a row there yet.
    /// - Throws: `StoreError` if SQLite fails.
    mutating func lay(_ edits: [PairEdits.Key: PairEdits.Edit?], isNew: Bool) throws {
        for (table, edits) in Dictionary(grouping: edits, by: \.key.table) {
            let pending = pending(table)
            let match = "\"new\".\"first\" = \"stored\".\"first\" AND \"new\".\"second\" = \"stored\".\"second\""
            let columns = ["\"first\"", "\"second\""]
            let isReplaced = "EXISTS (SELECT 1 FROM \(pending) AS \"new\" WHERE \(match))"
            try make(
                table,
                context.schema.visiblePairs(table),
                columns,
                key: columns.joined(separator: ", "),
                isReplaced: isReplaced
            )
            let insertion = try statement("INSERT INTO \(pending) VALUES (?, ?, ?)")
            let removal = try statement("DELETE FROM \(pending) WHERE \"first\" = ? AND \"second\" = ?")
            for (key, edit) in edits {
                let numbers = [key.first, key.second].map(ColumnValue.integer)
                if !isNew { try removal.run(numbers) }
                // Conditions do not see the positions of pairs.
                if let edit, !edit.isStored { try insertion.run(numbers + [.integer(edit.isPresent ? 0 : 1)]) }
            }
        }
    }
}
