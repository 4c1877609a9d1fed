internal import Foundation
internal import Transformable

extension Metadata {
    /// Creates the tables of a new store.
    static func create(_ model: Model, resolver: inout SchemaResolver, on connection: any EngineConnection) throws
        -> Metadata
    {
        for table in tables {
            try connection.tables.define(table)
        }
        var metadata = Metadata(uuid: UUID(), model: model, json: model.json)
        try metadata.readBlobs(on: connection)
        let version = ColumnValue.integer(Int64(model.version))
        let json = try model.jsonText()
        try connection.run(
            "INSERT INTO \"_transformable_store\" VALUES (1, ?, ?, ?)",
            [.text(metadata.uuid.uuidString), .integer(format), version]
        )
        try connection.run(
            "INSERT INTO \"_transformable_model\" VALUES (?, ?)",
            [version, .text(json)]
        )
        let plan = RelationshipPlan(model: model)
        for entity in model.entities where !entity.isAbstract {
            try metadata.add(entity, resolver: &resolver, on: connection)
            for statement in plan.tables(of: entity) {
                try connection.tables.define(statement)
            }
        }
        try connection.embedded?.writeHeader(application: applicationID, format: format)
        return metadata
    }

    /// Assigns numbers to an entity and its attributes, and creates its table.
    mutating func add(
        _ entity: EntityDescription,
        resolver: inout SchemaResolver,
        on connection: any EngineConnection
    ) throws {
        let insert = "INSERT INTO \"_transformable_entity\" (\"name\", \"state\") VALUES (?, 'live')"
        let number = try Self.insert(insert, [.text(entity.name)], on: connection)
        entities[entity.name] = number
        let attributes = resolver.attributes(of: entity) { _ in 0 }
        for attribute in attributes where attribute.cell != nil {
            try add(attribute, of: number, on: connection)
        }
        let compounds = resolver.compounds(of: entity, attributes) { _ in 0 }
        for compound in compounds { try add(compound, of: number, on: connection) }
        for statement in TableDefinition.statements(for: entity, attributes, compounds, in: resolver.model) {
            try connection.tables.define(statement)
        }
    }

    /// Assigns numbers to an attribute and its projections.
    mutating func add(_ attribute: StoredAttribute, of entity: UInt32, on connection: any EngineConnection) throws {
        let description = attribute.description
        let signature = attribute.transformer?.signature.description
        let expression = attribute.transformer?.expression.description ?? description.transformer
        let number = try Self.insert(
            """
            INSERT INTO "_transformable_attribute" ("entity", "name", "column", "type", "expression", "signature", "state")
            VALUES (?, ?, ?, ?, ?, ?, 'live')
            """,
            [
                .integer(Int64(entity)), .text(description.name), .text(description.name),
                .text(description.type.rawValue), ColumnValue(expression), ColumnValue(signature),
            ],
            on: connection
        )
        attributes[entity, default: [:]][description.name] = Attribute(id: number, signature: signature)
        for projection in attribute.projections {
            try add(projection, of: number, on: connection)
        }
    }

    /// Assigns a number to a compound projection.
    mutating func add(_ compound: StoredCompound, of entity: UInt32, on connection: any EngineConnection) throws {
        let number = try Self.insert(
            """
            INSERT INTO "_transformable_attribute" ("entity", "name", "column", "type", "expression", "state")
            VALUES (?, ?, ?, 'compound', ?, 'compound')
            """,
            [
                .integer(Int64(entity)), .text(compound.name), .text(compound.name),
                .text(compound.description.transformer),
            ],
            on: connection
        )
        compounds[entity, default: [:]][compound.name] = number
        try add(compound.projection, of: number, on: connection)
    }

    private mutating func add(_ projection: StoredProjection, of attribute: UInt32, on connection: any EngineConnection)
        throws
    {
        let number = try Self.insert(
            """
            INSERT INTO "_transformable_projection"
                ("attribute", "name", "column", "expression", "fingerprint", "keys", "state")
            VALUES (?, ?, ?, ?, ?, ?, 'live')
            """,
            [
                .integer(Int64(attribute)), .text(projection.name), .text(projection.name),
                .text(projection.description.transformer), .text(projection.fingerprint),
                .text(projection.currentKeys),
            ],
            on: connection
        )
        let entry = Projection(id: number, fingerprint: projection.fingerprint)
        projections[attribute, default: [:]][projection.name] = entry
    }

    private static func insert(_ sql: String, _ values: [ColumnValue], on connection: any EngineConnection) throws
        -> UInt32
    {
        try connection.statement(sql).run(values)
        guard let number = UInt32(exactly: connection.lastInsertedNumber) else {
            throw StoreError(.limitExceeded, "the store has no numbers left for new entities or attributes")
        }
        return number
    }
}

extension Model {
    /// Returns the text that a file keeps of the model.
    ///
    /// - Throws: `StoreError` with the code `invalid-model` if there is none. It must not replace the text in a file.
    func jsonText() throws(StoreError) -> String {
        let text = String(decoding: json, as: UTF8.self)
        guard !text.isEmpty else { throw StoreError(.invalidModel, "the model has values that JSON cannot express") }
        return text
    }

    /// Replaces the text that a file keeps of this version of the model.
    func replaceText(on connection: any EngineConnection) throws {
        let sql = "UPDATE \"_transformable_model\" SET \"json\" = ? WHERE \"version\" = ?"
        try connection.run(sql, [.text(jsonText()), .integer(Int64(version))])
    }
}

extension ColumnValue {
    init(_ text: String?) {
        self = text.map(Self.text) ?? .null
    }
}

extension Metadata {
    /// Records what an open program writes with: newer versions of stages, new keys, and rules that have no column.
    func refresh(_ schema: StoreSchema, acceptingLostKey: Bool, on connection: any EngineConnection) throws {
        var isChanged = false
        for entity in schema.entities {
            for attribute in entity.columns where attribute.failure == nil {
                let known = attributes[entity.id]?[attribute.name]
                if try refresh(attribute, known, on: connection) { isChanged = true }
            }
        }
        if isChanged { try SchemaWatch.alert(on: connection) }
        try refreshKeys(schema, acceptingLostKey: acceptingLostKey, on: connection)
        guard schema.model.json != json else { return }
        try schema.model.replaceText(on: connection)
    }

    /// Records the keys that an open program writes projections with.
    ///
    /// They become the newest ones even if the program does not have a recorded key, if that key is known to be lost.
    func refreshKeys(_ schema: StoreSchema, acceptingLostKey: Bool, on connection: any EngineConnection) throws {
        var isChanged = false
        for entity in schema.entities {
            for attribute in entity.columns where attribute.failure == nil {
                let (list, owner) = (attribute.projections, attribute.id)
                if try refreshKeys(of: list, owner, acceptingLostKey, on: connection) { isChanged = true }
            }
            for compound in entity.compounds {
                let (list, owner) = ([compound.projection], compound.id)
                if try refreshKeys(of: list, owner, acceptingLostKey, on: connection) { isChanged = true }
            }
        }
        if isChanged { try SchemaWatch.alert(on: connection) }
    }

    /// Records the signature that a column is written with from now on, and returns whether it has changed.
    private func refresh(_ attribute: StoredAttribute, _ known: Attribute?, on connection: any EngineConnection) throws
        -> Bool
    {
        guard let resolved = attribute.transformer else { return false }
        let signature = resolved.signature.description
        guard signature != known?.signature else { return false }
        try connection.run(
            "UPDATE \"_transformable_attribute\" SET \"signature\" = ?, \"expression\" = ? WHERE \"id\" = ?",
            [.text(signature), .text(resolved.expression.description), .integer(Int64(attribute.id))]
        )
        return true
    }

    /// Records the keys that projections are written with from now on, and returns whether one is new.
    private func refreshKeys(
        of list: [StoredProjection],
        _ owner: UInt32,
        _ acceptingLostKey: Bool,
        on connection: any EngineConnection
    ) throws -> Bool {
        var isChanged = false
        for projection in list {
            guard let known = projections[owner]?[projection.name],
                known.fingerprint == projection.fingerprint, let record = projection.keys,
                case let keys = record.keysToRecord(acceptingLostKey: acceptingLostKey), keys != known.keys
            else { continue }
            try connection.run(
                "UPDATE \"_transformable_projection\" SET \"keys\" = ? WHERE \"id\" = ?",
                [.text(keys.joined(separator: " ")), .integer(Int64(known.id))]
            )
            record.update(keys)
            isChanged = true
        }
        return isChanged
    }
}
