/// The column that contains the new cells of an attribute while a re-encoding is running or after it was interrupted.
package enum ShadowColumn {
    private static let prefix = "_reencoded."
    private static let disposalSuffix = ".blob"

    static func name(of attribute: UInt32) -> String { "\(prefix)\(attribute)" }

    /// Returns the number of the attribute whose new cells are in a column, or `nil` if there is none.
    package static func attribute(of column: String) -> UInt32? {
        column.hasPrefix(prefix) ? UInt32(column.dropFirst(prefix.count)) : nil
    }

    /// Returns the trigger that empties a new cell when the old one changes, and the trigger that discards its blob.
    static func triggers(of attribute: UInt32) -> (change: String, disposal: String) {
        (SQL.quoted(name(of: attribute)), SQL.quoted("\(name(of: attribute))\(disposalSuffix)"))
    }

    static func exists(for attribute: UInt32, of entity: StoredEntity, on connection: any EngineConnection) throws
        -> Bool
    {
        try all(of: entity.name, on: connection).contains(attribute)
    }

    /// Returns the numbers of the attributes whose new cells may refer to blobs, according to the names of triggers.
    package static func external(on connection: any EngineConnection) throws -> Set<UInt32> {
        let sql = "SELECT \"name\" FROM \(connection.dialect.definitions) WHERE \"type\" = 'trigger'"
        let names = try connection.rows(sql, count: 1).compactMap { $0.text(0) }
        return Set(
            names.filter { $0.hasSuffix(disposalSuffix) }
                .compactMap { attribute(of: String($0.dropLast(disposalSuffix.count))) }
        )
    }

    /// Returns the numbers of the attributes that have a shadow column in a table.
    static func all(of table: String, on connection: any EngineConnection) throws -> [UInt32] {
        let sql = "SELECT \"id\" FROM \"_transformable_attribute\" ORDER BY \"id\""
        let attributes = try connection.rows(sql, count: 1).compactMap { UInt32(exactly: $0.integer(0)) }
        let columns = try connection.tables.columns(of: table, among: attributes.map(name))
        return attributes.filter { columns.contains(name(of: $0)) }
    }
}

// MARK: - Removing

extension ShadowColumn {
    /// Drops the column with its cells and triggers, and discards the blobs that only it refers to.
    static func drop(
        for attribute: UInt32,
        of entity: StoredEntity,
        _ name: String,
        on connection: any EngineConnection
    ) throws {
        try drop(for: attribute, from: entity.table, on: connection)
        guard entity.attributeIfAny(name)?.isExternal == true else { return }
        try BlobTriggers.disposeOfStrays(attribute, entity, SQL.quoted(name), on: connection)
    }

    fileprivate static func drop(for attribute: UInt32, from table: TableName, on connection: any EngineConnection)
        throws
    {
        // The cells may be the plaintext of sealed ones.
        try connection.embedded?.overwriteDeletedContent()
        for trigger in [triggers(of: attribute).change, triggers(of: attribute).disposal] {
            try connection.tables.define("DROP TRIGGER IF EXISTS \(trigger)")
        }
        let column = SQL.quoted(name(of: attribute))
        try connection.tables.define("ALTER TABLE \(table) DROP COLUMN \(column)")
    }
}

// MARK: - Remaining columns

extension ShadowColumn {
    /// A shadow column in the file, of any table.
    struct Place {
        let table: String
        let attribute: UInt32
        let attributeName: String
    }

    /// Finds all shadow columns, including those in tables that migrations have set aside.
    static func places(on connection: any EngineConnection) throws -> [Place] {
        let definitions = connection.dialect.definitions
        let tables = """
            SELECT "name" FROM \(definitions) WHERE "type" = 'table' AND "sql" LIKE '%\(prefix)%' ORDER BY "name"
            """
        return try connection.rows(tables, count: 1).compactMap { $0.text(0) }
            .flatMap { try places(in: $0, on: connection) }
    }

    /// Finds the shadow columns of a table.
    static func places(in table: String, on connection: any EngineConnection) throws -> [Place] {
        try all(of: table, on: connection)
            .map { attribute in
                let sql = "SELECT \"name\" FROM \"_transformable_attribute\" WHERE \"id\" = ?"
                let names = try connection.rows(sql, [.integer(Int64(attribute))], count: 1)
                let name = names.first?.text(0) ?? "attribute \(attribute)"
                return Place(table: table, attribute: attribute, attributeName: name)
            }
    }
}

extension ShadowColumn.Place {
    private var column: String { SQL.quoted(ShadowColumn.name(of: attribute)) }
    /// The table itself, because the column is not in a tenant's view of it.
    var source: String { SQL.main(TableName(table)) }

    /// Returns a Boolean value that indicates whether the new cells are bytes, according to the table's definition.
    func hasBytes(on connection: any EngineConnection) throws -> Bool {
        let sql = """
            SELECT "sql" FROM \(connection.dialect.definitions) WHERE "type" = 'table' AND "name" = ?
            """
        let definitions = try connection.rows(sql, [.text(table)], count: 1).compactMap { $0.text(0) }
        return definitions.contains { $0.contains("\(column) BLOB") }
    }

    func count(on connection: any EngineConnection) throws -> Int {
        try Int(connection.integer("SELECT count(\(column)) FROM \(source)"))
    }

    func forEachValue(on connection: any EngineConnection, _ body: (ColumnValue) throws -> Void) throws {
        let sql = "SELECT \(column) FROM \(source) WHERE \(column) IS NOT NULL"
        let statement = try connection.statement(sql, cached: false)
        defer { statement.reset() }
        while try statement.step() { try body(statement.packedRow(from: 0, count: 1).value(0)) }
    }

    /// Drops the column with its cells and triggers, and discards the blobs that only it refers to.
    func drop(_ schema: StoreSchema, on connection: any EngineConnection) throws {
        let entity = schema.entities.first { $0.name == table }
        if let entity, entity.attributeIfAny(attributeName)?.id == attribute {
            try ShadowColumn.drop(for: attribute, of: entity, attributeName, on: connection)
        } else {
            try drop(on: connection)
        }
    }

    /// Drops the column of an attribute that is not in the model, or no longer.
    ///
    /// - Parameters:
    ///   - isExternal: Whether new cells may refer to blobs.
    ///   - connection: The connection.
    /// - Throws: `StoreError` if the column cannot be dropped.
    func drop(isExternal: Bool = true, on connection: any EngineConnection) throws {
        if isExternal { try disposeOfBlobs(on: connection) }
        try ShadowColumn.drop(for: attribute, from: TableName(table), on: connection)
    }

    /// Discards the blobs that only the new cells refer to.
    private func disposeOfBlobs(on connection: any EngineConnection) throws {
        let sql = "SELECT \"column\" FROM \"_transformable_attribute\" WHERE \"id\" = ?"
        let names = try connection.rows(sql, [.integer(Int64(attribute))], count: 1).compactMap { $0.text(0) }
        let present = try connection.tables.columns(of: table, among: names)
        // Columns that have a single type may have different ones, but all values have text.
        let isComparable = connection.dialect.has(.dynamicTypes)
        let compared = { (value: String) in isComparable ? value : "CAST(\(value) AS text)" }
        let cell = compared(BlobRecord.cell(referringTo: "\"_transformable_blob\".\"uuid\"", connection.dialect))
        // A table that was set aside has no index, so it is read once instead of being searched for each blob.
        let cells = { (column: String) in
            "(SELECT \(compared(column)) FROM \(source) WHERE \(column) IS NOT NULL)"
        }
        let kept = present.map { " AND \(cell) NOT IN \(cells(SQL.quoted($0)))" }.joined()
        let blobs = "\"attribute\" = \(attribute) AND \(cell) IN \(cells(column))\(kept)"
        try BlobTriggers.dispose(of: blobs, on: connection)
    }
}
