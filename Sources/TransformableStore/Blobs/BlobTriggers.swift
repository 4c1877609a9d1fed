internal import Foundation
internal import GRDB

/// Triggers that hand a blob over to the garbage when its cell changes or its row goes, whoever does that:
/// a cascade, a batch, or an SQLite shell.
enum BlobTriggers {
    private static let attributePrefix = "_blob.attribute."
    private static let entityPrefix = "_blob.entity."
    private static let list = """
        SELECT "name", "sql" FROM "sqlite_master" WHERE "type" = 'trigger' AND "name" GLOB '_blob.*'
        """

    /// What the names of the triggers say: which attributes and entities have, or had, external blobs.
    static func read(on database: Database) throws -> (attributes: Set<UInt32>, entities: Set<UInt32>) {
        let names = try SQLStatement.rows(list, count: 2, on: database).compactMap { $0.text(0) }
        func numbers(_ prefix: String) -> Set<UInt32> {
            Set(names.filter { $0.hasPrefix(prefix) }.compactMap { UInt32($0.dropFirst(prefix.count)) })
        }
        return (numbers(attributePrefix), numbers(entityPrefix))
    }

    /// Drops all, before tables are made anew.
    static func drop(on database: Database) throws {
        for row in try SQLStatement.rows(list, count: 2, on: database) {
            try SQLStatement.run("DROP TRIGGER \(SQL.quoted(row.text(0) ?? ""))", on: database)
        }
    }

    /// Makes those that are missing.
    static func install(_ schema: StoreSchema, _ metadata: Metadata, on database: Database) throws {
        let wanted = schema.entities.flatMap { statements(for: $0, metadata) }
        guard !wanted.isEmpty else { return }
        let present = Set(try SQLStatement.rows(list, count: 2, on: database).compactMap { $0.text(1) })
        guard !wanted.allSatisfy(present.contains) else { return }
        try SQLStatement.run(
            """
            CREATE INDEX IF NOT EXISTS "_transformable_blob_object" ON "_transformable_blob" ("entity", "object")
            """,
            on: database
        )
        for statement in wanted where !present.contains(statement) {
            try SQLStatement.run(statement, on: database)
        }
    }

    private static func statements(for entity: StoredEntity, _ metadata: Metadata) -> [String] {
        let external = entity.columns.filter(\.isExternal)
        let changes = external.map { change(of: $0, entity) }
        // Cells of attributes that were dropped still name blobs.
        guard !external.isEmpty || metadata.externalEntities.contains(entity.id) else { return [] }
        return changes + [deletion(of: entity)]
    }

    private static func change(of attribute: StoredAttribute, _ entity: StoredEntity) -> String {
        let column = SQL.quoted(attribute.name)
        let blob = """
            "uuid" = substr(OLD.\(column), 6) AND "entity" = \(entity.id) AND "attribute" = \(attribute.id) \
            AND "object" = OLD."_id"
            """
        return """
            CREATE TRIGGER \(SQL.quoted("\(attributePrefix)\(attribute.id)")) AFTER UPDATE OF \(column) ON \(entity.table) \
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

    /// Moves blobs to the garbage, with the seconds since 2001.
    private static func disposal(of condition: String) -> String {
        """
        INSERT OR IGNORE INTO "_transformable_garbage" SELECT "uuid", (julianday('now') - 2451910.5) * 86400.0 \
        FROM "_transformable_blob" WHERE \(condition); DELETE FROM "_transformable_blob" WHERE \(condition);
        """
    }
}

extension Metadata {
    /// Reads where external blobs are, and what has them.
    mutating func readBlobs(_ database: Database) throws {
        (externalAttributes, externalEntities) = try BlobTriggers.read(on: database)
        // The name that SQLite resolved, so that all who open the file through links agree on the folder.
        let databases = try SQLStatement.rows("PRAGMA database_list", count: 3, on: database)
        file = databases.first { $0.text(1) == "main" }?.text(2) ?? ""
    }
}
