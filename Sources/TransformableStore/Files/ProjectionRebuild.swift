internal import GRDB
internal import Transformable

/// Computes projections anew whose expression is no longer the one in the file.
enum ProjectionRebuild {
    /// Computes one cell of the column from a row whose cells begin after its number and version.
    private typealias Cell = (SQLStatement, Int64) throws -> ColumnValue?

    static func run(_ schema: StoreSchema, _ metadata: Metadata, on database: Database) throws {
        for entity in schema.entities {
            for attribute in entity.projected where attribute.failure == nil {
                for (index, projection) in attribute.projections.enumerated() {
                    try rebuild(projection, attribute.id, of: entity, metadata, on: database) { row, number in
                        let place = place(schema, entity, attribute, number)
                        guard let cell = attribute.cell else { return nil }
                        let row = row.packedRow(from: 2 + cell, count: 1)
                        let slot = attribute.load(row, 0, in: place, schema.blobs, on: database)
                        return slot.failure == nil ? try attribute.project(slot, in: place)[index] : nil
                    }
                }
            }
            for compound in entity.compounds {
                try rebuild(compound.projection, compound.id, of: entity, metadata, on: database) { row, number in
                    try compound.project(in: TransformContext(store: schema.uuid, entity: entity.id)) { attribute in
                        guard let cell = attribute.cell else { return Slot() }
                        let place = place(schema, entity, attribute, number)
                        let row = row.packedRow(from: 2 + cell, count: 1)
                        return attribute.load(row, 0, in: place, schema.blobs, on: database)
                    }
                }
            }
        }
    }

    private static func place(
        _ schema: StoreSchema,
        _ entity: StoredEntity,
        _ attribute: StoredAttribute,
        _ number: Int64
    ) -> TransformContext {
        TransformContext(store: schema.uuid, entity: entity.id, attribute: attribute.id, object: number)
    }

    /// Computes a projection anew if the file has it by another expression.
    private static func rebuild(
        _ projection: StoredProjection,
        _ owner: UInt32,
        of entity: StoredEntity,
        _ metadata: Metadata,
        on database: Database,
        _ cell: Cell
    ) throws {
        guard projection.failure == nil, let entry = metadata.projections[owner]?[projection.name],
            entry.fingerprint != projection.fingerprint
        else { return }
        try replaceColumn(projection, of: entity, on: database)
        try fill(projection, of: entity, on: database, cell)
        try makeGroups(with: projection, of: entity, on: database)
        try SQLStatement.run(
            """
            UPDATE "_transformable_projection" SET "expression" = ?, "fingerprint" = ?, "keys" = ? WHERE "id" = ?
            """,
            [
                .text(projection.description.transformer), .text(projection.fingerprint),
                .text(projection.keys?.current ?? ""), .integer(Int64(entry.id)),
            ],
            on: database
        )
    }

    /// The new expression may give another type, so the column is made anew.
    private static func replaceColumn(
        _ projection: StoredProjection,
        of entity: StoredEntity,
        on database: Database
    ) throws {
        let column = SQL.quoted(projection.name)
        let groups = entity.description.uniqueness.filter { $0.contains(projection.name) }
        for names in groups + [[projection.name]] {
            let index = TableDefinition.indexName(entity.name, names)
            try SQLStatement.run("DROP INDEX IF EXISTS \(index)", on: database)
        }
        try SQLStatement.run("DROP INDEX IF EXISTS \(TextIndex.indexName(entity.name, projection.name))", on: database)
        try SQLStatement.run("ALTER TABLE \(entity.table) DROP COLUMN \(column)", on: database)
        let type = projection.columnType
        try SQLStatement.run("ALTER TABLE \(entity.table) ADD COLUMN \(column) \(type)", on: database)
        guard projection.description.isIndexed, !groups.contains([projection.name]) else { return }
        let statement = TableDefinition.index(entity.name, [projection.name], isUnique: false)
        try SQLStatement.run(statement, on: database)
    }

    /// Makes the indexes of the groups of unique values that the column is part of, now that it is filled.
    private static func makeGroups(
        with projection: StoredProjection,
        of entity: StoredEntity,
        on database: Database
    ) throws {
        for names in entity.description.uniqueness where names.contains(projection.name) {
            try SQLStatement.run(TableDefinition.index(entity.name, names, isUnique: true), on: database)
        }
    }

    /// Computes the column of every row; a value that cannot be decoded has no projection.
    private static func fill(
        _ projection: StoredProjection,
        of entity: StoredEntity,
        on database: Database,
        _ cell: Cell
    ) throws {
        let rows = try SQLStatement("\(entity.selectWhole) ORDER BY \"_id\"", on: database, cached: false)
        let sql = "UPDATE \(entity.table) SET \(SQL.quoted(projection.name)) = ? WHERE \"_id\" = ?"
        let update = try SQLStatement(sql, on: database, cached: false)
        defer { rows.reset() }
        var order = PassGuard(entity.name)
        while try rows.step() {
            let number = rows.integer(0)
            try order.advance(to: number)
            guard let value = try cell(rows, number) else { continue }
            try update.bind(value, at: 1)
            try update.bind(number, at: 2)
            try update.run()
        }
    }
}
