internal import Foundation
internal import GRDB
internal import Transformable

/// Brings a file to a newer version of its model: entities and attributes that are added, renamed, dropped, or
/// have other options.
///
/// Runs in one transaction with foreign keys off, and checks these at its end. What is dropped is
/// kept aside, in columns and tables whose names begin with `_dropped`.
struct Migration {
    let old: Metadata
    let model: Model
    var resolver: SchemaResolver
    let database: Database
    /// Whether steps of the program take over what is dropped, so that a type may change.
    var hasSteps = false

    private var succession: Succession {
        Succession(old: old, model: model, hasSteps: hasSteps)
    }

    mutating func run() throws {
        try run("PRAGMA legacy_alter_table = ON")
        defer { try? SQLStatement.run("PRAGMA legacy_alter_table = OFF", on: database) }
        var metadata = old
        let oldPairs = Succession.pairs(of: old.model)
        let newPairs = Succession.pairs(of: model)
        for name in Set(oldPairs.keys).subtracting(newPairs.keys) { try putAside(table: name) }
        for entity in model.entities where !entity.isAbstract {
            if let oldName = succession.oldName(of: entity) {
                try migrate(entity, from: oldName)
            } else {
                try metadata.add(entity, resolver: &resolver, on: database)
            }
        }
        try dropEntities()
        for (name, statements) in newPairs where oldPairs[name] != statements {
            try makePairs(name, statements, from: oldPairs[name])
        }
        try noteModel()
        guard try SQLStatement.rows("PRAGMA foreign_key_check", count: 1, on: database).isEmpty else {
            throw StoreError(.danglingReference, "after the migration objects would refer to others that do not exist")
        }
    }

    private func run(_ sql: String, _ values: [ColumnValue] = []) throws {
        try SQLStatement.run(sql, values, on: database)
    }

    /// Makes a table of pairs, with the pairs of one whose other columns differ.
    private func makePairs(_ name: String, _ statements: [String], from old: [String]?) throws {
        guard old != nil else {
            for statement in statements { try run(statement) }
            return
        }
        try run("ALTER TABLE \(name) RENAME TO \"_old\"")
        for index in try SQLStatement.rows(Self.indexes, [.text("_old")], count: 1, on: database) {
            try run("DROP INDEX \(SQL.quoted(index.text(0) ?? ""))")
        }
        for statement in statements { try run(statement) }
        try run("INSERT INTO \(name) (\"first\", \"second\") SELECT \"first\", \"second\" FROM \"_old\"")
        try run("DROP TABLE \"_old\"")
    }

    private static let indexes =
        "SELECT \"name\" FROM \"sqlite_master\" WHERE \"type\" = 'index' AND \"tbl_name\" = ? AND \"sql\" NOT NULL"

    private func noteModel() throws {
        let version = ColumnValue.integer(Int64(model.version))
        let json = String(decoding: model.json, as: UTF8.self)
        try run("INSERT OR REPLACE INTO \"_transformable_model\" VALUES (?, ?)", [version, .text(json)])
        try run("UPDATE \"_transformable_store\" SET \"model_version\" = ?", [version])
        try SchemaWatch.alert(on: database)
    }
}

// MARK: - What is dropped

extension Migration {
    private func dropEntities() throws {
        for (name, id) in succession.droppedEntities {
            try putAside(table: SQL.quoted(name))
            try run(
                "UPDATE \"_transformable_entity\" SET \"state\" = 'dropped' WHERE \"id\" = ?",
                [.integer(Int64(id))]
            )
        }
    }

    /// Keeps a table's rows without its indexes and its references.
    private func putAside(table: String) throws {
        let name = table.dropFirst().dropLast()
        let aside = SQL.quoted("_dropped.\(name).\(old.model.version)")
        try run("CREATE TABLE \(aside) AS SELECT * FROM \(table)")
        try run("DROP TABLE \(table)")
    }
}

// MARK: - One entity

extension Migration {
    /// An attribute of the new model, with the one it was.
    struct Pair {
        let new: StoredAttribute
        let old: AttributeDescription?
    }

    private mutating func migrate(_ entity: EntityDescription, from oldName: String) throws {
        let before = Succession.columns(of: oldName, in: old.model)
        let after = Succession.columns(of: entity.name, in: model)
        let isSame: Bool =
            oldName == entity.name && before.map(\.structure) == after.map(\.structure)
            && old.model.entity(oldName)?.uniqueness == entity.uniqueness
            && after.allSatisfy { attribute in before.contains { $0.name == attribute.name } }
            && references(of: oldName, in: old.model) == references(of: entity.name, in: model)
            && old.model.projections(of: oldName) == model.projections(of: entity.name)
        guard !isSame, let id = old.entities[oldName] else { return }

        let known = old.attributes[id] ?? [:]
        let attributes = resolver.attributes(of: entity) { name in known[name]?.id ?? 0 }.filter { $0.cell != nil }
        let pairs = attributes.map { new in Pair(new: new, old: succession.predecessor(of: new.description, in: before))
        }
        for pair in pairs { try check(pair) }
        let survivors = Set(pairs.compactMap { $0.old?.name })
        let dropped = before.filter { !survivors.contains($0.name) }
        try note(entity, id, pairs, dropped, known)
        let compounds = resolver.compounds(of: entity, attributes) { _ in 0 }
        try note(compounds, of: id)
        try rebuild(entity, id, from: oldName, pairs, compounds, dropped)
    }

    private func references(of name: String, in model: Model) -> [String] {
        let plan = RelationshipPlan(model: model)
        return plan.columns(of: name).map { $0.destination ?? "" } + plan.checks(of: name)
    }

    private func check(_ pair: Pair) throws {
        guard let old = pair.old else { return }
        guard Succession.widens(old.type, to: pair.new.description.type) else {
            throw StoreError(
                .unsupported,
                """
                its type changes from “\(old.type.rawValue)” to “\(pair.new.description.type.rawValue)”, which a store \
                does not do by itself; add a new attribute, or give a step of the migration that converts it
                """,
                entity: pair.new.entity,
                attribute: pair.new.name
            )
        }
    }

    /// Brings the numbers and names in the metadata up to date.
    private func note(
        _ entity: EntityDescription,
        _ id: UInt32,
        _ pairs: [Pair],
        _ dropped: [AttributeDescription],
        _ known: [String: Metadata.Attribute]
    ) throws {
        var metadata = old
        let update = "UPDATE \"_transformable_entity\" SET \"name\" = ? WHERE \"id\" = ?"
        try run(update, [.text(entity.name), .integer(Int64(id))])
        for attribute in dropped {
            guard let number = known[attribute.name]?.id else { continue }
            try run(
                "UPDATE \"_transformable_attribute\" SET \"state\" = 'dropped', \"column\" = ? WHERE \"id\" = ?",
                [.text(Self.aside(attribute.name, number)), .integer(Int64(number))]
            )
        }
        for pair in pairs {
            guard let old = pair.old, let number = known[old.name]?.id else {
                try metadata.add(pair.new, of: id, on: database)
                if let number = metadata.attributes[id]?[pair.new.name]?.id {
                    try noteProjections(of: pair.new, number)
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
            try noteProjections(of: pair.new, number)
        }
    }

    /// Numbers the compound projections that are new, and forgets those that are no more.
    private func note(_ compounds: [StoredCompound], of entity: UInt32) throws {
        var metadata = old
        let known = old.compounds[entity] ?? [:]
        for (name, number) in known where !compounds.contains(where: { $0.name == name }) {
            let sql = "UPDATE \"_transformable_attribute\" SET \"state\" = 'gone' WHERE \"id\" = ?"
            try run(sql, [.integer(Int64(number))])
            try noteProjections([], number)
        }
        for compound in compounds {
            if known[compound.name] == nil { try metadata.add(compound, of: entity, on: database) }
            guard let number = metadata.compounds[entity]?[compound.name] else { continue }
            try noteProjections([compound.projection], number)
        }
    }

    private func noteProjections(of attribute: StoredAttribute, _ number: UInt32) throws {
        try noteProjections(attribute.projections, number)
    }

    /// Every projection of an attribute is computed anew, as the fingerprint of none says.
    private func noteProjections(_ projections: [StoredProjection], _ number: UInt32) throws {
        try run("DELETE FROM \"_transformable_projection\" WHERE \"attribute\" = ?", [.integer(Int64(number))])
        for projection in projections {
            try run(
                """
                INSERT INTO "_transformable_projection" ("attribute", "name", "column", "expression", "fingerprint")
                VALUES (?, ?, ?, ?, '')
                """,
                [
                    .integer(Int64(number)), .text(projection.name), .text(projection.name),
                    .text(projection.description.transformer),
                ]
            )
        }
    }

    static func aside(_ name: String, _ number: UInt32) -> String {
        "_dropped.\(name).\(number)"
    }
}

// MARK: - The table

extension Migration {
    private func rebuild(
        _ entity: EntityDescription,
        _ id: UInt32,
        from oldName: String,
        _ pairs: [Pair],
        _ compounds: [StoredCompound],
        _ dropped: [AttributeDescription]
    ) throws {
        let table = SQL.quoted(entity.name)
        let sequence = try SQLStatement.integer(
            "SELECT \"seq\" FROM \"sqlite_sequence\" WHERE \"name\" = ?",
            [.text(oldName)],
            on: database
        )
        try dropIndexes(of: oldName)
        try run("ALTER TABLE \(SQL.quoted(oldName)) RENAME TO \"_old\"")

        let aside = try columnsAside(id, dropped)
        let statements = TableDefinition.statements(
            for: entity,
            pairs.map(\.new),
            compounds,
            in: model,
            aside: aside.map(\.column)
        )
        for statement in statements { try run(statement) }

        let kept = ["\"_id\"", "\"_version\""]
        let targets = kept + pairs.map { SQL.quoted($0.new.name) } + aside.map { SQL.quoted($0.column) }
        let sources =
            try kept.map { SQLFragment($0) } + pairs.map { try source(of: $0, in: entity, id) }
            + aside.map { SQLFragment(SQL.quoted($0.source)) }
        let head = "INSERT INTO \(table) (\(targets.joined(separator: ", ")))"
        try SQLStatement("\(raw: head) SELECT \(.list(sources)) FROM \"_old\"", on: database).run()
        try disposeOfShadows(id)
        try run("DROP TABLE \"_old\"")
        try run("DELETE FROM \"sqlite_sequence\" WHERE \"name\" IN (?, '_old')", [.text(entity.name)])
        try run(
            "INSERT INTO \"sqlite_sequence\" (\"name\", \"seq\") VALUES (?, ?)",
            [.text(entity.name), .integer(sequence)]
        )
    }

    /// What an interrupted re-encoding has ready goes with the old table, and its blobs with it.
    private func disposeOfShadows(_ entity: UInt32) throws {
        for attribute in try ShadowColumn.all(of: "_old", on: database) {
            let column = SQL.quoted(ShadowColumn.name(of: attribute))
            let names = "SELECT substr(\(column), 6) FROM \"_old\" WHERE typeof(\(column)) = 'text'"
            let blobs = "\"entity\" = \(entity) AND \"attribute\" = \(attribute) AND \"uuid\" IN (\(names))"
            try BlobTriggers.dispose(of: blobs, on: database)
        }
    }

    private func dropIndexes(of name: String) throws {
        for row in try SQLStatement.rows(Self.indexes, [.text(name)], count: 1, on: database) {
            try run("DROP INDEX \(SQL.quoted(row.text(0) ?? ""))")
        }
    }

    /// The columns of dropped attributes, now and earlier, and where their cells are.
    private func columnsAside(
        _ id: UInt32,
        _ dropped: [AttributeDescription]
    ) throws -> [(column: String, source: String)] {
        let known = old.attributes[id] ?? [:]
        let now = dropped.compactMap { attribute in
            known[attribute.name].map { (column: Self.aside(attribute.name, $0.id), source: attribute.name) }
        }
        let sql = """
            SELECT "column" FROM "_transformable_attribute" WHERE "entity" = ? AND "state" = 'dropped' ORDER BY "id"
            """
        let all = try SQLStatement.rows(sql, [.integer(Int64(id))], count: 1, on: database).compactMap { $0.text(0) }
        let earlier = all.filter { name in !now.contains { $0.column == name } }
        return now + earlier.map { (column: $0, source: $0) }
    }
}
