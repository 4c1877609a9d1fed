internal import Foundation
internal import GRDB
internal import Transformable

extension Metadata {
    /// Makes the tables of a new store.
    static func create(_ model: Model, resolver: inout SchemaResolver, on database: Database) throws -> Metadata {
        for table in tables {
            try SQLStatement.run(table, on: database)
        }
        var metadata = Metadata(uuid: UUID(), model: model)
        try metadata.readBlobs(database)
        let version = ColumnValue.integer(Int64(model.version))
        let json = String(decoding: model.json, as: UTF8.self)
        try SQLStatement.run(
            "INSERT INTO \"_transformable_store\" VALUES (1, ?, ?, ?)",
            [.text(metadata.uuid.uuidString), .integer(format), version],
            on: database
        )
        try SQLStatement.run(
            "INSERT INTO \"_transformable_model\" VALUES (?, ?)",
            [version, .text(json)],
            on: database
        )
        let plan = RelationshipPlan(model: model)
        for entity in model.entities where !entity.isAbstract {
            try metadata.add(entity, resolver: &resolver, on: database)
            for statement in plan.tables(of: entity) {
                try SQLStatement.run(statement, on: database)
            }
        }
        try SQLStatement.run("PRAGMA user_version = \(format)", on: database)
        try SQLStatement.run("PRAGMA application_id = \(applicationID)", on: database)
        return metadata
    }

    /// Numbers an entity and its attributes, and makes its table.
    mutating func add(
        _ entity: EntityDescription,
        resolver: inout SchemaResolver,
        on database: Database
    ) throws {
        let insert = "INSERT INTO \"_transformable_entity\" (\"name\") VALUES (?)"
        let number = try Self.insert(insert, [.text(entity.name)], on: database)
        entities[entity.name] = number
        let attributes = resolver.attributes(of: entity) { _ in 0 }
        for attribute in attributes where attribute.cell != nil {
            try add(attribute, of: number, on: database)
        }
        for statement in TableDefinition.statements(for: entity, attributes, in: resolver.model) {
            try SQLStatement.run(statement, on: database)
        }
    }

    /// Numbers an attribute and its projections.
    mutating func add(_ attribute: StoredAttribute, of entity: UInt32, on database: Database) throws {
        let description = attribute.description
        let signature = attribute.transformer?.signature.description
        let expression = attribute.transformer?.expression.description ?? description.transformer
        let number = try Self.insert(
            """
            INSERT INTO "_transformable_attribute" ("entity", "name", "column", "type", "expression", "signature")
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(Int64(entity)), .text(description.name), .text(description.name),
                .text(description.type.rawValue), ColumnValue(expression), ColumnValue(signature),
            ],
            on: database
        )
        attributes[entity, default: [:]][description.name] = Attribute(id: number, signature: signature)
        for projection in attribute.projections {
            try add(projection, of: number, on: database)
        }
    }

    private mutating func add(_ projection: StoredProjection, of attribute: UInt32, on database: Database) throws {
        let number = try Self.insert(
            """
            INSERT INTO "_transformable_projection" ("attribute", "name", "column", "expression", "fingerprint")
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .integer(Int64(attribute)), .text(projection.name), .text(projection.name),
                .text(projection.description.transformer), .text(projection.fingerprint),
            ],
            on: database
        )
        let entry = Projection(id: number, fingerprint: projection.fingerprint)
        projections[attribute, default: [:]][projection.name] = entry
    }

    private static func insert(_ sql: String, _ values: [ColumnValue], on database: Database) throws -> UInt32 {
        try SQLStatement.run(sql, values, on: database)
        guard let number = UInt32(exactly: database.lastInsertedRowID) else {
            throw StoreError(.limitExceeded, "the store has had more entities or attributes than it can number")
        }
        return number
    }
}

extension ColumnValue {
    init(_ text: String?) {
        self = text.map(Self.text) ?? .null
    }
}

extension Metadata {
    /// Writes down what an open program writes with: newer versions of stages, and rules without columns.
    func refresh(_ schema: StoreSchema, on database: Database) throws {
        for entity in schema.entities {
            for attribute in entity.columns {
                guard let resolved = attribute.transformer, attribute.failure == nil else { continue }
                let signature = resolved.signature.description
                guard signature != attributes[entity.id]?[attribute.name]?.signature else { continue }
                try SQLStatement.run(
                    "UPDATE \"_transformable_attribute\" SET \"signature\" = ?, \"expression\" = ? WHERE \"id\" = ?",
                    [.text(signature), .text(resolved.expression.description), .integer(Int64(attribute.id))],
                    on: database
                )
            }
        }
        guard schema.model.json != model.json else { return }
        try SQLStatement.run(
            "UPDATE \"_transformable_model\" SET \"json\" = ? WHERE \"version\" = ?",
            [.text(String(decoding: schema.model.json, as: UTF8.self)), .integer(Int64(schema.model.version))],
            on: database
        )
    }
}
