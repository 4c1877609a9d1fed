internal import GRDB
internal import Transformable

/// Computes projections anew whose expression is no longer the one in the file.
enum ProjectionRebuild {
    static func run(_ schema: StoreSchema, _ metadata: Metadata, on database: Database) throws {
        for entity in schema.entities {
            for attribute in entity.projected where attribute.failure == nil {
                let known = metadata.projections[attribute.id] ?? [:]
                for (index, projection) in attribute.projections.enumerated() where projection.failure == nil {
                    guard let entry = known[projection.name], entry.fingerprint != projection.fingerprint else {
                        continue
                    }
                    try replaceColumn(projection, of: entity, on: database)
                    try fill(index, of: attribute, entity, schema, on: database)
                    try SQLStatement.run(
                        """
                        UPDATE "_transformable_projection" SET "expression" = ?, "fingerprint" = ? WHERE "id" = ?
                        """,
                        [
                            .text(projection.description.transformer), .text(projection.fingerprint),
                            .integer(Int64(entry.id)),
                        ],
                        on: database
                    )
                }
            }
        }
    }

    /// The new expression may give another type, so the column is made anew.
    private static func replaceColumn(
        _ projection: StoredProjection,
        of entity: StoredEntity,
        on database: Database
    ) throws {
        let column = SQL.quoted(projection.name)
        let index = TableDefinition.indexName(entity.name, [projection.name])
        try SQLStatement.run("DROP INDEX IF EXISTS \(index)", on: database)
        try SQLStatement.run("ALTER TABLE \(entity.table) DROP COLUMN \(column)", on: database)
        let type = projection.columnType
        try SQLStatement.run("ALTER TABLE \(entity.table) ADD COLUMN \(column) \(type)", on: database)
        guard projection.description.isIndexed else { return }
        let statement = TableDefinition.index(entity.name, [projection.name], isUnique: false)
        try SQLStatement.run(statement, on: database)
    }

    /// Decodes a cell, or the blob that it names.
    private static func load(
        _ attribute: StoredAttribute,
        _ row: PackedRow,
        in place: TransformContext,
        _ schema: StoreSchema,
        _ database: Database
    ) throws -> Slot {
        guard attribute.isExternal, let blobs = schema.blobs, let uuid = BlobRecord.uuid(in: row, 0) else {
            return attribute.load(row, 0, in: place)
        }
        return attribute.load(
            {
                let blob = try BlobFile(BlobRecord.find(uuid, at: place, on: database), in: blobs)
                let source = ValueSource(
                    bytes: .file(blob),
                    tail: attribute.tail,
                    context: place,
                    entity: attribute.entity,
                    attribute: attribute.name
                )
                return try ValueStream(source).readAll()
            },
            in: place
        )
    }

    /// Computes the column of every row; a value that cannot be decoded has no projection.
    private static func fill(
        _ index: Int,
        of attribute: StoredAttribute,
        _ entity: StoredEntity,
        _ schema: StoreSchema,
        on database: Database
    ) throws {
        let column = SQL.quoted(attribute.projections[index].name)
        let rows = try SQLStatement(entity.selectWhole, on: database, cached: false)
        let sql = "UPDATE \(entity.table) SET \(column) = ? WHERE \"_id\" = ?"
        let update = try SQLStatement(sql, on: database, cached: false)
        defer { rows.reset() }
        while try rows.step() {
            let number = rows.integer(0)
            let place = TransformContext(
                store: schema.uuid,
                entity: entity.id,
                attribute: attribute.id,
                object: number
            )
            guard let cell = attribute.cell else { continue }
            let slot = try load(attribute, rows.packedRow(from: 2 + cell, count: 1), in: place, schema, database)
            guard slot.failure == nil else { continue }
            try update.bind(attribute.project(slot, in: place)[index], at: 1)
            try update.bind(number, at: 2)
            try update.run()
        }
    }
}
