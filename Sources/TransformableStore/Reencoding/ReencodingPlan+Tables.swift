internal import Foundation
internal import Transformable

extension ReencodingPlan {
    /// Adds the shadow columns that hold new cells, where they are needed and do not exist yet.
    ///
    /// A program that does not know about the job continues to write old cells. A trigger then empties the new cell.
    func prepare(on database: any EngineConnection) throws {
        guard !isInPlace else { return }
        for column in columns {
            let type = description.type.columnType
            let (table, name, shadow) = (column.entity.table, column.name, column.shadow)
            if try !column.hasShadow(on: database) {
                try database.run("ALTER TABLE \(table) ADD COLUMN \(shadow) \(type)")
            }
            try database.run(
                """
                CREATE TRIGGER IF NOT EXISTS \(shadow) AFTER UPDATE OF \(name) ON \(table)
                WHEN old.\(name) IS NOT new.\(name)
                BEGIN UPDATE \(table) SET \(shadow) = NULL WHERE "_id" = new."_id"; END
                """
            )
            guard column.new.isExternal else { continue }
            try database.run("DROP TRIGGER IF EXISTS \(column.disposal)")
            let disposal = BlobTriggers.change(of: shadow, column.old.id, column.entity, trigger: column.disposal)
            try database.run(disposal)
        }
    }

    /// Drops what `prepare` has added.
    func dropShadows(on database: any EngineConnection) throws {
        for column in columns where try column.hasShadow(on: database) {
            try ShadowColumn.drop(for: column.old.id, of: column.entity, column.old.name, on: database)
        }
    }

    /// Replaces the old columns with the new ones.
    func switchColumns(on database: any EngineConnection) throws {
        for column in columns {
            let table = column.entity.table
            try column.dropTriggers(on: database)
            try column.entity.rowSeal?.ignoreWrites(on: database)
            try database.run("DROP TRIGGER IF EXISTS \(BlobTriggers.name(of: column.old.id))")
            let index = TableDefinition.indexName(column.entity.name, [column.old.name])
            try database.run("DROP INDEX IF EXISTS \(index)")
            try CompoundIndex.drop(column.old.name, of: column.entity, on: database)
            let others = TextIndex.indexName(column.entity.name, column.old.name)
            try database.run("DROP INDEX IF EXISTS \(others)")
            try database.run("ALTER TABLE \(table) DROP COLUMN \(column.name)")
            try database.run("ALTER TABLE \(table) RENAME COLUMN \(column.shadow) TO \(column.name)")
            if !column.old.description.isOptional {
                try RequiredColumn(entity: column.entity, attribute: column.old).demandValues(on: database)
            }
            try column.entity.rowSeal?.renewAll(on: database)
            guard column.old.isExternal else { continue }
            try BlobTriggers.disposeOfStrays(column.old.id, column.entity, column.name, on: database)
            // Cells that were kept may refer to blobs, regardless of the current threshold.
            guard [.data, .transformed].contains(description.type) else { continue }
            let trigger = BlobTriggers.name(of: column.old.id)
            let disposal = BlobTriggers.change(of: column.name, column.old.id, column.entity, trigger: trigger)
            try database.run(disposal)
        }
    }

    /// Records the transformers of the columns, and the keys of their projections.
    ///
    /// If no row is left whose projections may use another key, only the current keys are recorded.
    func note(allAreCurrent: Bool, on database: any EngineConnection) throws {
        for column in columns {
            let resolved = column.new.transformer
            try database.run(
                """
                UPDATE "_transformable_attribute" SET "type" = ?, "expression" = ?, "signature" = ? WHERE "id" = ?
                """,
                [
                    .text(description.type.rawValue), ColumnValue(resolved?.expression.description),
                    ColumnValue(resolved?.signature.description), .integer(Int64(column.old.id)),
                ]
            )
            for index in column.projections where allAreCurrent && column.new.projections[index].failure == nil {
                try note(column.new.projections[index], of: column.old.id, on: database)
            }
            for compound in column.compounds where allAreCurrent {
                try note(compound.projection, of: compound.id, on: database)
            }
        }
        let metadata = try Metadata(reading: database)
        let model = try metadata.model.replacing(fileDescription(metadata.model), of: owner)
        try database.run(
            "UPDATE \"_transformable_model\" SET \"json\" = ? WHERE \"version\" = ?",
            [.text(String(decoding: model.json, as: UTF8.self)), .integer(Int64(model.version))]
        )
        try SchemaWatch.alert(on: database)
    }

    /// Returns the attribute for the file's model.
    ///
    /// What the program's model says otherwise is left alone.
    private func fileDescription(_ model: Model) -> AttributeDescription {
        guard var copy = model.entity(owner)?.attribute(description.name) else { return description }
        copy.type = description.type
        copy.transformer = description.transformer
        copy.isIndexed = description.isIndexed
        if description.externalThreshold == nil { copy.externalThreshold = nil }
        return copy
    }

    private func note(_ projection: StoredProjection, of owner: UInt32, on database: any EngineConnection) throws {
        try database.run(
            """
            UPDATE "_transformable_projection" SET "fingerprint" = ?, "keys" = ? WHERE "attribute" = ? AND "name" = ?
            """,
            [
                .text(projection.fingerprint), .text(projection.keys?.current ?? ""),
                .integer(Int64(owner)), .text(projection.name),
            ]
        )
    }
}

extension ReencodingPlan.Column {
    /// The trigger that discards the blobs of new cells that have become outdated.
    fileprivate var disposal: String { ShadowColumn.triggers(of: old.id).disposal }

    fileprivate func dropTriggers(on database: any EngineConnection) throws {
        for name in [shadow, disposal] {
            try database.run("DROP TRIGGER IF EXISTS \(name)")
        }
        try RequiredColumn(entity: entity, attribute: old).dropTriggers(on: database)
    }

    fileprivate func hasShadow(on database: any EngineConnection) throws -> Bool {
        try ShadowColumn.exists(for: old.id, of: entity, on: database)
    }
}
