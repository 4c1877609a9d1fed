/// Migrates a file to a newer version of its model.
///
/// Entities and attributes can be added, renamed, or dropped, and their options can change.
///
/// A migration is a single transaction with foreign keys disabled, and checks them at its end. What is dropped is set
/// aside, in columns and tables whose names begin with `_dropped`.
struct Migration {
    let record: MigrationRecord
    var resolver: SchemaResolver
    let connection: any EngineConnection

    var old: Metadata { record.old }
    private var succession: Succession { record.succession }
    var model: Model { succession.model }
    private var carrier: ReferenceCarrier { ReferenceCarrier(record: record, connection: connection) }

    mutating func run() throws {
        try record.requireMigration(on: connection)
        try endReencodings()
        try noteModel()
        var metadata = old
        let carrier = carrier
        try carrier.collect()
        for (table, isEmptied) in carrier.departing {
            try isEmptied ? connection.tables.define("DROP TABLE \(SQL.quoted(table))") : putAside(table: table)
        }
        try dropEntities()
        // Release all names before any of them is used again.
        let changed = changedEntities
        for entity in changed { try clear(entity) }
        for entity in changed { try noteName(of: entity) }
        for entity in model.entities where !entity.isAbstract {
            if let changed = changed.first(where: { $0.entity.name == entity.name }) {
                try migrate(changed)
            } else if succession.oldName(of: entity) == nil {
                try metadata.add(entity, resolver: &resolver, on: connection)
            }
        }
        try carrier.makeTables()
    }

    /// Changes the metadata, on a server without waiting for each of many statements.
    private func run(_ sql: String, _ values: [ColumnValue] = []) throws {
        try connection.change(sql, values) { _ = try $0.get() }
    }

    /// Updates the name of an entity in the metadata.
    ///
    /// A server looks up the types of a table's columns by the name of its entity, so no two entities can have the same name
    /// when tables are created.
    private func noteName(of changed: ChangedEntity) throws {
        let update = "UPDATE \"_transformable_entity\" SET \"name\" = ? WHERE \"id\" = ?"
        try run(update, [.text(changed.entity.name), .integer(Int64(changed.id))])
    }

    private func noteModel() throws {
        let version = ColumnValue.integer(Int64(model.version))
        let json = try model.jsonText()
        try run(
            """
            INSERT INTO "_transformable_model" ("version", "json") VALUES (?, ?)
            ON CONFLICT ("version") DO UPDATE SET "json" = excluded."json"
            """,
            [version, .text(json)]
        )
        try run("UPDATE \"_transformable_store\" SET \"model_version\" = ?", [version])
        try SchemaWatch.alert(on: connection)
    }
}

// MARK: - Dropping

extension Migration {
    private func dropEntities() throws {
        for name in succession.droppedEntities {
            guard let id = old.entities[name] else { continue }
            try putAside(table: name)
            try run(
                "UPDATE \"_transformable_entity\" SET \"state\" = 'dropped' WHERE \"id\" = ?",
                [.integer(Int64(id))]
            )
        }
    }

    /// Keeps a table's rows, without its indexes and references, and without the results of unfinished re-encodings.
    private func putAside(table: String) throws {
        let external = try ShadowColumn.external(on: connection)
        for shadow in try ShadowColumn.places(in: table, on: connection) {
            try shadow.drop(isExternal: external.contains(shadow.attribute), on: connection)
        }
        let name = SetAside.name(table, old.model.version)
        let aside = SQL.quoted(name)
        try connection.tables.define("CREATE TABLE \(aside) AS SELECT * FROM \(SQL.quoted(table))")
        try connection.tables.copyPrivileges(from: table, to: name)
        try connection.tables.define("DROP TABLE \(SQL.quoted(table))")
    }
}

// MARK: - Migrating an entity

extension Migration {
    /// An attribute of the new model or a column of references, along with its predecessor.
    struct Pair {
        let new: StoredAttribute
        let old: AttributeDescription?
        /// The SQL that provides the cells of a column of references.
        var reference: String?
    }

    /// An entity whose table is rebuilt, with its number and its former name.
    struct ChangedEntity {
        let entity: EntityDescription
        let oldName: String
        let id: UInt32

        /// The name of the old table while the new one is created.
        var table: String { "_old.\(id)" }
    }

    private var changedEntities: [ChangedEntity] {
        model.entities.compactMap { entity in
            guard let name = succession.oldName(of: entity), let id = old.entities[name], !isSame(entity, name) else {
                return nil
            }
            return ChangedEntity(entity: entity, oldName: name, id: id)
        }
    }

    private func isSame(_ entity: EntityDescription, _ oldName: String) -> Bool {
        let before = Succession.columns(of: oldName, in: old.model)
        let after = Succession.columns(of: entity.name, in: model)
        return oldName == entity.name && before.map(\.structure) == after.map(\.structure)
            && keepsGroups(entity, oldName)
            && old.model.indexes(of: oldName) == model.indexes(of: entity.name)
            && old.model.authenticatesRows(of: oldName) == model.authenticatesRows(of: entity.name)
            && after.allSatisfy { succession.predecessor(of: $0, in: entity.name, among: before)?.name == $0.name }
            && references(of: oldName, in: old.model) == references(of: entity.name, in: model)
            && carrier.columns(of: entity.name)
                .allSatisfy { $0.value.isCopied && $0.value.kept?.name == $0.key }
            && old.model.projections(of: oldName) == model.projections(of: entity.name)
    }

    /// Returns a Boolean value that indicates whether an entity has the same unique groups as in the file, which enforces all of
    /// them.
    private func keepsGroups(_ entity: EntityDescription, _ oldName: String) -> Bool {
        let groups = RelationshipPlan(model: model).uniqueness(of: entity.name)
        return groups == RelationshipPlan(model: old.model).uniqueness(of: oldName)
            && groups.allSatisfy { record.enforces($0, of: oldName) }
    }

    /// Releases the names of an entity's table and of its indexes.
    private func clear(_ changed: ChangedEntity) throws {
        try dropIndexes(of: changed.oldName)
        let (old, new) = (SQL.quoted(changed.oldName), SQL.quoted(changed.table))
        try connection.tables.define("ALTER TABLE \(old) RENAME TO \(new)")
    }

    private func dropIndexes(of name: String) throws {
        let sql = """
            SELECT "name" FROM \(connection.dialect.definitions)
            WHERE "type" = 'index' AND "tbl_name" = ? AND "sql" IS NOT NULL
            """
        for row in try connection.rows(sql, [.text(name)], count: 1) {
            try connection.tables.define("DROP INDEX \(SQL.quoted(row.text(0) ?? ""))")
        }
    }

    private mutating func migrate(_ changed: ChangedEntity) throws {
        let (entity, id) = (changed.entity, changed.id)
        let columns = RelationshipPlan(model: old.model).columns(of: changed.oldName).map(\.description)
        let before = Succession.columns(of: changed.oldName, in: old.model) + columns
        let references = carrier.columns(of: entity.name)
        let known = old.attributes[id] ?? [:]
        let attributes =
            resolver.attributes(of: entity) { [succession] name in
                succession.oldName(of: name, in: entity.name).flatMap { known[$0]?.id } ?? 0
            }
            .filter { $0.cell != nil }
        let pairs = attributes.map { new in
            guard let reference = references[new.name] else {
                return Pair(new: new, old: succession.predecessor(of: new.description, in: entity.name, among: before))
            }
            return Pair(new: new, old: columns.first { $0.name == reference.kept?.name }, reference: reference.sql)
        }
        for pair in pairs { try check(pair) }
        let survivors = Set(pairs.compactMap { $0.old?.name })
        let gone = carrier.emptied(of: changed.oldName).subtracting(survivors)
        let dropped = before.filter { !survivors.contains($0.name) && !gone.contains($0.name) }
        for name in gone { try forget(known[name]?.id) }
        try note(id, pairs, dropped, known)
        let compounds = resolver.compounds(of: entity, attributes) { _ in 0 }
        try note(compounds, of: id)
        try TableRebuild(
            record: record,
            connection: connection,
            changed: changed,
            pairs: pairs,
            compounds: compounds,
            dropped: dropped
        )
        .run()
    }

    private func references(of name: String, in model: Model) -> [String] {
        let plan = RelationshipPlan(model: model)
        return plan.columns(of: name).map { $0.destination ?? "" } + plan.checks(of: name)
    }

    private func check(_ pair: Pair) throws {
        guard let old = pair.old else { return }
        guard Succession.widens(old.type, to: pair.new.description.type) else {
            let remedy = "a store does not convert values automatically; add a new attribute, or a migration step"
            throw StoreError.changedType(from: old.type, to: pair.new.description.type, remedy, pair.new)
        }
    }

    /// Forgets a column of which nothing is left.
    private func forget(_ attribute: UInt32?) throws {
        guard let attribute else { return }
        let sql = "UPDATE \"_transformable_attribute\" SET \"state\" = 'gone' WHERE \"id\" = ?"
        try run(sql, [.integer(Int64(attribute))])
    }

    /// Updates the numbers and names of an entity's attributes in the metadata.
    private func note(
        _ id: UInt32,
        _ pairs: [Pair],
        _ dropped: [AttributeDescription],
        _ known: [String: Metadata.Attribute]
    ) throws {
        var metadata = old
        for attribute in dropped {
            guard let number = known[attribute.name]?.id else { continue }
            try run(
                "UPDATE \"_transformable_attribute\" SET \"state\" = 'dropped', \"column\" = ? WHERE \"id\" = ?",
                [.text(SetAside.name(attribute.name, number)), .integer(Int64(number))]
            )
        }
        for pair in pairs {
            guard let old = pair.old, let number = known[old.name]?.id else {
                try metadata.add(pair.new, of: id, on: connection)
                if let number = metadata.attributes[id]?[pair.new.name]?.id {
                    try noteProjections(pair.new.projections, number)
                }
                continue
            }
            try run(
                """
                UPDATE "_transformable_attribute" SET "name" = ?, "column" = ?, "type" = ? WHERE "id" = ?
                """,
                [
                    .text(pair.new.name), .text(pair.new.name), .text(pair.new.description.type.rawValue),
                    .integer(Int64(number)),
                ]
            )
            try noteProjections(pair.new.projections, number)
        }
    }

    /// Assigns numbers to new compound projections, and forgets those that no longer exist.
    private func note(_ compounds: [StoredCompound], of entity: UInt32) throws {
        var metadata = old
        let known = old.compounds[entity] ?? [:]
        for (name, number) in known where !compounds.contains(where: { $0.name == name }) {
            try forget(number)
            try noteProjections([], number)
        }
        for compound in compounds {
            if known[compound.name] == nil { try metadata.add(compound, of: entity, on: connection) }
            guard let number = metadata.compounds[entity]?[compound.name] else { continue }
            try noteProjections([compound.projection], number)
        }
    }

    /// Records an attribute's projections without a fingerprint, so that they are recomputed.
    private func noteProjections(_ projections: [StoredProjection], _ number: UInt32) throws {
        try run("DELETE FROM \"_transformable_projection\" WHERE \"attribute\" = ?", [.integer(Int64(number))])
        for projection in projections {
            try run(
                """
                INSERT INTO "_transformable_projection"
                    ("attribute", "name", "column", "expression", "fingerprint", "keys", "state")
                VALUES (?, ?, ?, ?, '', '', 'live')
                """,
                [
                    .integer(Int64(number)), .text(projection.name), .text(projection.name),
                    .text(projection.description.transformer),
                ]
            )
        }
    }
}
