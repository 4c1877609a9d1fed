internal import Foundation
internal import GRDB
internal import Transformable

extension ReencodingPlan {
    /// Adds the columns that new cells wait in, where they are needed and not yet there.
    ///
    /// A program that knows nothing of the job keeps writing old cells; a trigger then empties the new one.
    func prepare(on database: Database) throws {
        guard !isInPlace else { return }
        for column in columns {
            let type = description.type.columnType
            let (table, name, shadow) = (column.entity.table, column.name, column.shadow)
            if try !column.hasShadow(on: database) {
                try SQLStatement.run("ALTER TABLE \(table) ADD COLUMN \(shadow) \(type)", on: database)
            }
            try SQLStatement.run(
                """
                CREATE TRIGGER IF NOT EXISTS \(shadow) AFTER UPDATE OF \(name) ON \(table)
                WHEN old.\(name) IS NOT new.\(name)
                BEGIN UPDATE \(table) SET \(shadow) = NULL WHERE "_id" = new."_id"; END
                """,
                on: database
            )
            guard column.new.isExternal else { continue }
            try SQLStatement.run("DROP TRIGGER IF EXISTS \(column.disposal)", on: database)
            let disposal = BlobTriggers.change(of: shadow, column.old.id, column.entity, trigger: column.disposal)
            try SQLStatement.run(disposal, on: database)
        }
    }

    /// Removes what `prepare` has added.
    func dropShadows(on database: Database) throws {
        for column in columns where try column.hasShadow(on: database) {
            try ShadowColumn.drop(for: column.old.id, of: column.entity, column.old.name, on: database)
        }
    }

    /// Puts the new columns in the place of the old ones.
    func switchColumns(on database: Database) throws {
        for column in columns {
            let table = column.entity.table
            try column.dropTriggers(on: database)
            try SQLStatement.run("DROP TRIGGER IF EXISTS \(BlobTriggers.name(of: column.old.id))", on: database)
            let index = TableDefinition.indexName(column.entity.name, [column.old.name])
            try SQLStatement.run("DROP INDEX IF EXISTS \(index)", on: database)
            let others = TextIndex.indexName(column.entity.name, column.old.name)
            try SQLStatement.run("DROP INDEX IF EXISTS \(others)", on: database)
            try SQLStatement.run("ALTER TABLE \(table) DROP COLUMN \(column.name)", on: database)
            try SQLStatement.run("ALTER TABLE \(table) RENAME COLUMN \(column.shadow) TO \(column.name)", on: database)
            try column.requireValues(on: database)
            guard column.old.isExternal else { continue }
            try BlobTriggers.disposeOfStrays(column.old.id, column.entity, column.name, on: database)
            // Cells that were kept may name blobs whatever the threshold is now.
            guard [.data, .transformed].contains(description.type) else { continue }
            let trigger = BlobTriggers.name(of: column.old.id)
            let disposal = BlobTriggers.change(of: column.name, column.old.id, column.entity, trigger: trigger)
            try SQLStatement.run(disposal, on: database)
        }
    }

    /// Writes down what the columns are written by from now on, and which keys their projections need: only
    /// the present ones if no row is left whose projections may be under another.
    func note(allAreCurrent: Bool, on database: Database) throws {
        for column in columns {
            let resolved = column.new.transformer
            try SQLStatement.run(
                """
                UPDATE "_transformable_attribute" SET "type" = ?, "expression" = ?, "signature" = ? WHERE "id" = ?
                """,
                [
                    .text(description.type.rawValue), ColumnValue(resolved?.expression.description),
                    ColumnValue(resolved?.signature.description), .integer(Int64(column.old.id)),
                ],
                on: database
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
        try SQLStatement.run(
            "UPDATE \"_transformable_model\" SET \"json\" = ? WHERE \"version\" = ?",
            [.text(String(decoding: model.json, as: UTF8.self)), .integer(Int64(model.version))],
            on: database
        )
        try SchemaWatch.alert(on: database)
    }

    /// The attribute as the file's model is to have it; what a program has said otherwise is no matter of ours.
    private func fileDescription(_ model: Model) -> AttributeDescription {
        guard var copy = model.entity(owner)?.attribute(description.name) else { return description }
        copy.type = description.type
        copy.transformer = description.transformer
        copy.isIndexed = description.isIndexed
        if description.externalThreshold == nil { copy.externalThreshold = nil }
        return copy
    }

    private func note(_ projection: StoredProjection, of owner: UInt32, on database: Database) throws {
        try SQLStatement.run(
            """
            UPDATE "_transformable_projection" SET "fingerprint" = ?, "keys" = ? WHERE "attribute" = ? AND "name" = ?
            """,
            [
                .text(projection.fingerprint), .text(projection.keys?.current ?? ""),
                .integer(Int64(owner)), .text(projection.name),
            ],
            on: database
        )
    }
}

extension ReencodingPlan.Column {
    /// The trigger that hands over blobs of new cells which somebody has made out of date.
    fileprivate var disposal: String { ShadowColumn.triggers(of: old.id).disposal }

    fileprivate func dropTriggers(on database: Database) throws {
        for name in [shadow, disposal] + required {
            try SQLStatement.run("DROP TRIGGER IF EXISTS \(name)", on: database)
        }
    }

    fileprivate func hasShadow(on database: Database) throws -> Bool {
        try ShadowColumn.exists(for: old.id, of: entity, on: database)
    }

    private var required: [String] {
        ["insert", "update"].map { SQL.quoted("_required.\(old.id).\($0)") }
    }

    /// A column that is added later cannot be NOT NULL, so that triggers say so until its table is made anew.
    fileprivate func requireValues(on database: Database) throws {
        guard !old.description.isOptional else { return }
        let message = "NOT NULL constraint failed: \(entity.name).\(old.name)".replacing("'", with: "''")
        for (trigger, event) in zip(required, ["INSERT", "UPDATE OF \(name)"]) {
            try SQLStatement.run(
                """
                CREATE TRIGGER \(trigger) BEFORE \(event) ON \(entity.table) WHEN new.\(name) IS NULL
                BEGIN SELECT RAISE(ABORT, '\(message)'); END
                """,
                on: database
            )
        }
    }
}
