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
}

extension ReencodingPlan.Column {
    /// The trigger that discards the blobs of new cells that have become outdated.
    fileprivate var disposal: String { ShadowColumn.triggers(of: old.id).disposal }

    fileprivate func hasShadow(on database: any EngineConnection) throws -> Bool {
        try ShadowColumn.exists(for: old.id, of: entity, on: database)
    }
}
