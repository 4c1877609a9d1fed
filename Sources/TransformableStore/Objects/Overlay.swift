internal import GRDB

/// What is pending in a context, laid over the file's tables for as long as a fetch runs.
///
/// A view in SQLite's temporary schema bears the name of a table and stands before it: it has the table's
/// rows as they are pending, and all others from the file. So one fetch has one meaning, in SQL. The
/// temporary tables have no constraints: what cannot be saved yet is found all the same.
struct Overlay {
    let context: StoreContext
    let database: Database

    /// Runs a body whose SQL sees what is pending.
    static func run<Result>(_ context: StoreContext, _ body: () throws -> Result) throws -> Result {
        try context.connected { database in
            guard context.hasPending else { return try body() }
            return try database.rollingBack {
                let overlay = Overlay(context: context, database: database)
                for (entity, objects) in Dictionary(grouping: context.changed, by: \.entity.index) {
                    try overlay.lay(objects, of: context.schema.entities[entity])
                }
                for (table, edits) in Dictionary(grouping: context.pairs.edits, by: \.key.table) {
                    try overlay.lay(edits, table)
                }
                return try body()
            }
        }
    }

    private func run(_ sql: String, _ values: [ColumnValue] = []) throws {
        try SQLStatement.run(sql, values, on: database)
    }

    private static func pending(_ table: String) -> String {
        "temp." + SQL.quoted("_pending." + table.dropFirst().dropLast())
    }

    /// Makes an empty table like one of the file, and the view of both.
    private func make(_ table: String, _ columns: [String], isReplaced: String) throws {
        let pending = Self.pending(table)
        let list = columns.joined(separator: ", ")
        try run("CREATE TABLE \(pending) AS SELECT \(list), 0 AS \"_gone\" FROM \(SQL.main(table)) WHERE 0")
        try run(
            """
            CREATE TEMP VIEW \(table) AS SELECT \(list) FROM \(SQL.main(table)) AS "stored" WHERE NOT \(isReplaced)
            UNION ALL SELECT \(list) FROM \(pending) WHERE "_gone" = 0
            """
        )
    }
}

// MARK: - Objects

extension Overlay {
    private func lay(_ objects: [ManagedObject], of entity: StoredEntity) throws {
        let computed = entity.projected.flatMap { $0.projections.map(\.name) } + entity.compounds.map(\.name)
        let names = entity.columns.map(\.name) + computed
        let columns = ["\"_id\"", "\"_version\""] + names.map(SQL.quoted)
        let pending = Self.pending(entity.table)
        try make(entity.table, columns, isReplaced: "\"_id\" IN (SELECT \"_id\" FROM \(pending))")
        for object in objects {
            switch object.state {
            case .inserted:
                try run("INSERT INTO \(pending) (\"_id\", \"_version\", \"_gone\") VALUES (?, 0, 0)", object)
            case .stored:
                let list = columns.joined(separator: ", ")
                try run(
                    "INSERT INTO \(pending) SELECT \(list), 0 FROM \(SQL.main(entity.table)) WHERE \"_id\" = ?",
                    object
                )
            case .deleted: try run("INSERT INTO \(pending) (\"_id\", \"_gone\") VALUES (?, 1)", object)
            case .gone: continue
            }
            if !object.isDeleted { try update(object, in: pending) }
        }
    }

    private func run(_ sql: String, _ object: ManagedObject) throws {
        try run(sql, [.integer(object.number)])
    }

    private func update(_ object: ManagedObject, in pending: String) throws {
        let cells = object.pendingCells()
        guard !cells.isEmpty else { return }
        let list = cells.map { "\(SQL.quoted($0.column)) = ?" }.joined(separator: ", ")
        let values = cells.map(\.value) + [.integer(object.number)]
        try run("UPDATE \(pending) SET \(list) WHERE \"_id\" = ?", values)
    }
}

extension ManagedObject {
    /// What was set and is not written yet, as cells.
    ///
    /// A value that cannot be encoded stays out: nothing can find it, and the save says why.
    fileprivate func pendingCells() -> [(column: String, value: ColumnValue)] {
        var cells: [(column: String, value: ColumnValue)] = []
        var touched: [StoredAttribute] = []
        for attribute in entity.columns {
            guard let slot = slots[attribute.index], slot.isDirty || isWatched, slot.failure == nil,
                let value = try? slot.encoded ?? attribute.draft(slot, in: place(attribute))
            else { continue }
            cells.append((attribute.name, value))
            let projected = try? attribute.project(slot, in: place(attribute))
            cells += zip(attribute.projections.map(\.name), projected ?? []).map { ($0, $1) }
            touched.append(attribute)
        }
        for compound in entity.compounds(of: touched) {
            if let value = try? self.projected(compound) { cells.append((compound.name, value)) }
        }
        return cells
    }
}

// MARK: - Pairs

extension Overlay {
    private func lay(_ edits: [(key: PairEdits.Key, value: PairEdits.Edit)], _ table: String) throws {
        let pending = Self.pending(table)
        let match = "\"new\".\"first\" = \"stored\".\"first\" AND \"new\".\"second\" = \"stored\".\"second\""
        let columns = ["\"first\"", "\"second\""]
        try make(table, columns, isReplaced: "EXISTS (SELECT 1 FROM \(pending) AS \"new\" WHERE \(match))")
        for (key, edit) in edits {
            let values = [key.first, key.second, edit.isPresent ? 0 : 1].map(ColumnValue.integer)
            try run("INSERT INTO \(pending) VALUES (?, ?, ?)", values)
        }
    }
}
