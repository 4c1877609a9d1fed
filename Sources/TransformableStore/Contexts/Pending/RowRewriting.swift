/// Moves unique values between rows in databases whose columns cannot hold a placeholder of another type.
///
/// Each row is deleted and inserted again with its new values. References to it are checked at the end of the transaction.
struct RowRewriting {
    private let update: RowUpdate
    private let entity: StoredEntity
    /// All cells of the new row, beginning with its number and version.
    private let cells: [ColumnValue]
    /// The columns that migrations have set aside, and their cells, which the new row keeps.
    private let (asideColumns, asideCells): ([String], [ColumnValue])
    /// The new cells of a re-encoding, which are computed again if the row changes.
    private let shadows: [String]

    fileprivate init(_ update: RowUpdate, _ columns: ExtraColumns, on database: any EngineConnection) throws {
        self.update = update
        entity = update.object.entity
        shadows = columns.shadows
        cells = try update.newRow(on: database)
        asideColumns = columns.aside
        asideCells = try Self.cells(of: asideColumns, update.object, on: database)
    }

    private static func cells(
        of columns: [String],
        _ object: ManagedObject,
        on database: any EngineConnection
    ) throws -> [ColumnValue] {
        guard !columns.isEmpty else { return [] }
        let list = columns.map(SQL.quoted).joined(separator: ", ")
        let sql = "SELECT \(list) FROM \(object.entity.written) WHERE \(isOwn(object.entity))"
        let row = try database.rows(sql, [.integer(object.number)], count: columns.count).first
        guard let row else { throw object.conflict }
        return columns.indices.map(row.value)
    }

    private static func isOwn(_ entity: StoredEntity) -> String {
        "\"_id\" = ?\(TenantColumn.isCurrent(entity.belongsToTenant))"
    }

    /// Gives the row a number that no object has, and then deletes it.
    ///
    /// The engine deletes an external value along with the row, but only if it is recorded for the row's number. The values
    /// that the new row refers to therefore stay. Those that it replaces go when their cells change.
    fileprivate func delete(on database: any EngineConnection) throws {
        let (replaced, other) = (update.externalCells, ColumnValue.integer(~update.object.number))
        let columns = ["_id"] + replaced.map(\.column)
        let new = columns.map { "\(SQL.quoted($0)) = ?" } + shadows.map { "\(SQL.quoted($0)) = NULL" }
        let isOwn = Self.isOwn(entity)
        try database.change(
            "UPDATE \(entity.written) SET \(new.joined(separator: ", ")) WHERE \(isOwn)",
            [other] + replaced.map(\.cell) + [.integer(update.object.number)],
            update.object.requireChange
        )
        try database.change("DELETE FROM \(entity.written) WHERE \(isOwn)", [other], update.object.requireChange)
    }

    fileprivate func insert(on database: any EngineConnection) throws {
        try update.object.located { try database.statement(entity.statements.insert).run(cells) }
        guard !asideColumns.isEmpty else { return }
        let list = asideColumns.map { "\(SQL.quoted($0)) = ?" }.joined(separator: ", ")
        try database.change(
            "UPDATE \(entity.written) SET \(list) WHERE \(Self.isOwn(entity))",
            asideCells + [.integer(update.object.number)],
            update.object.requireChange
        )
    }
}

/// The columns of an entity's table that its attributes do not have.
private struct ExtraColumns {
    let aside: [String]
    let shadows: [String]

    init(_ entity: StoredEntity, on database: any EngineConnection) throws {
        aside = try SetAside.columns(on: database).filter { $0.table == entity.name }.map(\.column)
        shadows = try ShadowColumn.all(of: entity.name, on: database).map(ShadowColumn.name)
    }
}

extension RowUpdate {
    /// The new cells that may refer to external values.
    fileprivate var externalCells: [(column: String, cell: ColumnValue)] {
        let unique = object.entity.uniqueColumns(of: changed)
        return zip(changed, cells).filter { $0.0.isExternal && !unique.contains($0.0.name) }.map { ($0.0.name, $0.1) }
    }
}

extension StoreContext {
    /// Deletes rows and inserts them again with their new values.
    func rewrite(_ updates: [RowUpdate], on database: any EngineConnection) throws {
        var extra: [Int: ExtraColumns] = [:]
        let rows = try updates.map { update in
            let entity = update.object.entity
            let columns = try extra[entity.index] ?? ExtraColumns(entity, on: database)
            extra[entity.index] = columns
            return try RowRewriting(update.withBlobs(), columns, on: database)
        }
        for row in rows { try row.delete(on: database) }
        for row in rows { try row.insert(on: database) }
    }
}
