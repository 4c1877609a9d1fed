/// Triggers that discard a blob when its cell changes or its row is deleted, whatever the cause: a cascade, a batch, or
/// an SQLite shell.
enum BlobTriggers {
    private static let attributePrefix = "_blob.attribute."
    private static let entityPrefix = "_blob.entity."

    /// Returns the names and the statements of the triggers.
    private static func list(on connection: any EngineConnection) throws -> [PackedRow] {
        let sql = """
            SELECT "name", "sql" FROM \(connection.dialect.definitions)
            WHERE "type" = 'trigger' AND substr("name", 1, 6) = '_blob.'
            """
        return try connection.rows(sql, count: 2)
    }

    /// Returns the names of the triggers.
    fileprivate static func names(on connection: any EngineConnection) throws -> [String] {
        try list(on: connection).compactMap { $0.text(0) }
    }

    /// Returns the attributes and entities that have, or have had, external blobs, according to the names of the
    /// triggers.
    fileprivate static func read(_ names: [String]) -> (attributes: Set<UInt32>, entities: Set<UInt32>) {
        func numbers(_ prefix: String) -> Set<UInt32> {
            Set(names.filter { $0.hasPrefix(prefix) }.compactMap { UInt32($0.dropFirst(prefix.count)) })
        }
        return (numbers(attributePrefix), numbers(entityPrefix))
    }

    /// Drops all triggers, before tables are rebuilt.
    static func drop(on connection: any EngineConnection) throws {
        for row in try list(on: connection) {
            try connection.tables.define("DROP TRIGGER \(SQL.quoted(row.text(0) ?? ""))")
        }
    }

    /// Creates the triggers that are missing.
    static func install(_ schema: StoreSchema, _ metadata: Metadata, on connection: any EngineConnection) throws {
        let wanted = schema.entities.flatMap { statements(for: $0, metadata) }
        guard !wanted.isEmpty else { return }
        let present = Set(try list(on: connection).compactMap { $0.text(1) })
        guard !wanted.allSatisfy(present.contains) else { return }
        try connection.tables.define(
            """
            CREATE INDEX IF NOT EXISTS "_transformable_blob_object" ON "_transformable_blob" ("entity", "object")
            """
        )
        for statement in wanted where !present.contains(statement) {
            try connection.tables.define(statement)
        }
        // A server does not count triggers as changes.
        try SchemaWatch.alert(on: connection)
    }

    private static func statements(for entity: StoredEntity, _ metadata: Metadata) -> [String] {
        let external = entity.columns.filter(\.isExternal)
        let changes = external.map { change(of: $0, entity) }
        // Cells of dropped attributes still refer to blobs.
        guard !external.isEmpty || metadata.externalEntities.contains(entity.id) else { return [] }
        return changes + [deletion(of: entity)]
    }

    private static func change(of attribute: StoredAttribute, _ entity: StoredEntity) -> String {
        change(of: SQL.quoted(attribute.name), attribute.id, entity, trigger: name(of: attribute.id))
    }

    /// Returns the quoted name of the trigger on an attribute's own column.
    static func name(of attribute: UInt32) -> String { SQL.quoted("\(attributePrefix)\(attribute)") }

    /// Returns the statement that creates a trigger on a column with an attribute's cells.
    static func change(of column: String, _ attribute: UInt32, _ entity: StoredEntity, trigger: String) -> String {
        let blob = """
            "uuid" = substr(OLD.\(column), 6) AND "entity" = \(entity.id) AND "attribute" = \(attribute) \
            AND "object" = OLD."_id"
            """
        return """
            CREATE TRIGGER \(trigger) AFTER UPDATE OF \(column) ON \(entity.table) \
            WHEN typeof(OLD.\(column)) = 'text' AND OLD.\(column) IS NOT NEW.\(column) \
            BEGIN \(disposal(of: blob)) END
            """
    }

    private static func deletion(of entity: StoredEntity) -> String {
        """
        CREATE TRIGGER \(SQL.quoted("\(entityPrefix)\(entity.id)")) AFTER DELETE ON \(entity.table) \
        BEGIN \(disposal(of: "\"entity\" = \(entity.id) AND \"object\" = OLD.\"_id\"")) END
        """
    }

    /// Moves the blobs of an attribute that its column does not refer to to the garbage.
    ///
    /// A column whose type is not that of bytes cannot refer to any, unless every cell has a type of its own.
    static func disposeOfStrays(
        _ attribute: UInt32,
        _ entity: StoredEntity,
        _ column: String,
        hasBytes: Bool = true,
        on connection: any EngineConnection
    ) throws {
        let hasNames = hasBytes || connection.dialect.has(.dynamicTypes)
        let isOwned = entity.belongsToTenant
        let reference = hasNames ? reference(in: column, of: entity.table, isOwned, connection.dialect) : "FALSE"
        let strays = "\"entity\" = \(entity.id) AND \"attribute\" = \(attribute) AND NOT \(reference)"
        try dispose(of: strays, on: connection)
    }

    /// Returns the condition that a column refers to a blob.
    ///
    /// - Parameters:
    ///   - column: The quoted name of the column.
    ///   - table: Its table.
    ///   - isOwned: Whether the rows belong to tenants. On a server, so do their blobs then.
    ///   - dialect: The dialect.
    /// - Returns: The condition.
    static func reference(in column: String, of table: TableName, _ isOwned: Bool, _ dialect: Dialect) -> String {
        let cell = BlobRecord.cell(referringTo: "\"_transformable_blob\".\"uuid\"", dialect)
        // A distributed database joins only rows of the same tenant.
        let tenant = TenantColumn.name
        let owner =
            isOwned && dialect.has(.externalPieces) ? " AND \"row\".\(tenant) = \"_transformable_blob\".\(tenant)" : ""
        return """
            EXISTS (SELECT 1 FROM \(table) AS "row" WHERE "row"."_id" = "_transformable_blob"."object" \
            AND "row".\(column) = \(cell)\(owner))
            """
    }

    /// Moves the blobs that satisfy a condition to the garbage.
    static func dispose(of condition: String, on connection: any EngineConnection) throws {
        let statements = disposals(of: condition)
        // Without files, there is nothing left to be swept.
        let isSwept = connection.dialect.has(.externalFiles)
        for statement in isSwept ? statements : [statements[1]] { try connection.run(statement) }
    }

    private static func disposal(of condition: String) -> String {
        disposals(of: condition).map { "\($0);" }.joined(separator: " ")
    }

    /// Returns the statements that move blobs to the garbage, along with the number of seconds since 2001.
    private static func disposals(of condition: String) -> [String] {
        [
            """
            INSERT OR IGNORE INTO "_transformable_garbage" SELECT "uuid", (julianday('now') - 2451910.5) * 86400.0 \
            FROM "_transformable_blob" WHERE \(condition)
            """,
            "DELETE FROM \"_transformable_blob\" WHERE \(condition)",
        ]
    }
}

extension Metadata {
    /// Reads the location of external blobs, and the attributes and entities that have them.
    ///
    /// - Parameters:
    ///   - triggers: The names of the file's triggers, if they have been read already.
    ///   - connection: The connection.
    /// - Throws: `StoreError` if the file cannot be read.
    mutating func readBlobs(_ triggers: [String]? = nil, on connection: any EngineConnection) throws {
        (externalAttributes, externalEntities) = BlobTriggers.read(try triggers ?? BlobTriggers.names(on: connection))
        file = try connection.filePath()
        guard !connection.dialect.has(.externalPieces) else {
            // Row-level security may hide the rows of the table, and they may be on servers that are down.
            hasBlobs = true
            return
        }
        let any = """
            SELECT EXISTS (SELECT 1 FROM "_transformable_blob") OR EXISTS (SELECT 1 FROM "_transformable_garbage")
            """
        // A crash may have left files that no table mentions any more.
        hasBlobs = try connection.integer(any) == 1 || !file.isEmpty && BlobFolder(of: file).hasFiles
    }
}
