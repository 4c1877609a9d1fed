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
            known[attribute.name].map { (column: SetAside.name(attribute.name, $0.id), source: attribute.name) }
        }
        let sql = """
            SELECT "column" FROM "_transformable_attribute" WHERE "entity" = ? AND "state" = 'dropped' ORDER BY "id"
            """
        let all = try connection.rows(sql, [.integer(Int64(changed.id))], count: 1).compactMap { $0.text(0) }
        let earlier = all.filter { name in !now.contains { $0.column == name } }
        return now + earlier.map { (column: $0, source: $0) }
    }
}

/// Copies the rows of a table to another, with cells that may be computed in Swift.
private struct RowCopy {
    private static let limit = BatchLimit(rows: 500, bytes: 1 << 20)
    private let source: String
    private let expressions: [Expression]
    private let head: String

    /// Creates a copy.
    ///
    /// - Parameters:
    ///   - source: The quoted table to read.
    ///   - expressions: The cells of a new row.
    ///   - target: The quoted table to write.
    ///   - columns: The quoted columns of these cells.
    init(from source: String, _ expressions: [Expression], to target: String, _ columns: [String]) {
        self.source = source
        self.expressions = expressions
        head = "INSERT INTO \(target) (\(columns.joined(separator: ", ")))"
    }

    func run(on connection: any EngineConnection) throws {
        let fragments = expressions.compactMap(\.sql)
        guard fragments.count < expressions.count else {
            return try connection.statement("\(raw: head) SELECT \(.list(fragments)) FROM \(raw: source)").run()
        }
        try copyRows(on: connection)
    }

    private func copyRows(on connection: any EngineConnection) throws {
        var columns = ExpressionColumns()
        let cells = expressions.map { columns.evaluator(of: $0) }
        let marks = expressions.map { _ in "?" }.joined(separator: ", ")
        let insertion = "\(head) VALUES (\(marks))"
        var position: Int64?
        repeat {
            let rows = try batch(of: columns, after: position, on: connection)
            for row in rows {
                let own = row.cells(from: 1, count: columns.list.count)
                try connection.change(insertion, cells.map { try $0(own) }) { _ = try $0.get() }
            }
            position = rows.last?.integer(0)
        } while position != nil
        try connection.settle()
    }

    /// Returns the next rows, with their numbers before the columns.
    ///
    /// An engine may keep all rows of a statement in memory.
    private func batch(
        of columns: ExpressionColumns,
        after position: Int64?,
        on connection: any EngineConnection
    ) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        var size = 0
        while case let count = Self.limit.next(after: rows.count, size), count > 0 {
            let before = rows.count
            let last = rows.last?.integer(0) ?? position
            let start: SQLFragment = last.map { "\"_id\" > \(.integer($0))" } ?? "\"_id\" >= \(.integer(.min))"
            let statement = try connection.statement(
                """
                SELECT "_id", \(columns.selection) FROM \(raw: source) WHERE \(start)
                ORDER BY "_id" LIMIT \(.integer(Int64(count)))
                """
            )
            defer { statement.reset() }
            while size < Self.limit.bytes, try statement.step() {
                let row = statement.packedRow(from: 0, count: columns.list.count + 1)
                rows.append(row)
                size += row.size
            }
            guard rows.count - before == count else { break }
        }
        return rows
    }
}
