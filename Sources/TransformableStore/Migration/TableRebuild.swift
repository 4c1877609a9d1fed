/// Rebuilds the table of an entity that has changed, with the rows of the old table.
struct TableRebuild {
    let record: MigrationRecord
    let connection: any EngineConnection
    let changed: Migration.ChangedEntity
    /// The columns of the new table.
    let pairs: [Migration.Pair]
    /// The compound projections of the new table.
    let compounds: [StoredCompound]
    /// The attributes of the old table that nothing continues.
    let dropped: [AttributeDescription]

    var model: Model { record.succession.model }

    func run() throws {
        let entity = changed.entity
        let table = SQL.quoted(entity.name)
        let former = SQL.quoted(changed.table)
        let last = try connection.lastNumber(of: changed.table)
        let aside = try columnsAside()
        let owner = model.belongsToTenants(entity.name) ? [TenantColumn.name.description] : []
        let kept = ["\"_id\"", "\"_version\""] + owner
        let targets = kept + pairs.map { SQL.quoted($0.new.name) } + aside.map { SQL.quoted($0.column) }
        let sources =
            try kept.map { .sql(SQLFragment($0)) } + pairs.map { try source(of: $0) }
            + aside.map { Expression.sql(SQLFragment(SQL.quoted($0.source))) }
        let statements = TableDefinition.statements(
            for: entity,
            pairs.map(\.new),
            compounds,
            in: model,
            aside: aside.map(\.column),
            isEmpty: { record.isLeftToSteps($0, of: entity.name) }
        )
        for statement in statements { try connection.tables.define(statement) }
        try RowCopy(from: former, sources, to: table, targets).run(on: connection)
        try disposeOfShadows()
        try connection.tables.copyPrivileges(from: changed.table, to: entity.name)
        try connection.tables.define("DROP TABLE \(former)")
        try connection.recordNumber(last, of: entity.name)
    }

    /// Discards the results of an interrupted re-encoding, which are dropped along with the old table and its blobs.
    private func disposeOfShadows() throws {
        let external = try ShadowColumn.external(on: connection)
        for attribute in try ShadowColumn.all(of: changed.table, on: connection) where external.contains(attribute) {
            let column = SQL.quoted(ShadowColumn.name(of: attribute))
            let isOwned = model.belongsToTenants(changed.entity.name)
            let table = TableName(changed.table)
            let reference = BlobTriggers.reference(in: column, of: table, isOwned, connection.dialect)
            let blobs = "\"entity\" = \(changed.id) AND \"attribute\" = \(attribute) AND \(reference)"
            try BlobTriggers.dispose(of: blobs, on: connection)
        }
    }

    /// Returns the columns of attributes that are dropped now or were dropped earlier, and the source of their cells.
    private func columnsAside() throws -> [(column: String, source: String)] {
        let known = record.old.attributes[changed.id] ?? [:]
        let now = dropped.compactMap { attribute in
            known[attribute.name].map { (column: Migration.aside(attribute.name, $0.id), source: attribute.name) }
        }
        let sql = """
            SELECT "column" FROM "_transformable_attribute" WHERE "entity" = ? AND "state" = 'dropped' ORDER BY "id"
            """
        let all = try connection.rows(sql, [.integer(Int64(changed.id))], count: 1).compactMap { $0.text(0) }
        let earlier = all.filter { name in !now.contains { $0.column == name } }
        return now + earlier.map { (column: $0, source: $0) }
    }
}
