/// Finds references to objects that do not exist.
enum ReferenceCheck {
    /// Checks what a transaction has written, because SQLite would refuse to commit it without naming the object.
    ///
    /// - Throws: `StoreError` with the code `dangling-reference`, which names the object and the
    ///   relationship.
    static func run(_ schema: StoreSchema, on connection: any EngineConnection) throws {
        guard schema.hasRelationships, connection.mayHaveDanglingReferences else { return }
        if let error = try violations(schema, on: connection).first { throw error }
    }

    /// Returns all references to objects that do not exist.
    ///
    /// A server lets none be committed.
    static func violations(_ schema: StoreSchema, on connection: any EngineConnection) throws -> [StoreError] {
        guard !connection.dialect.has(.server) else { return [] }
        var keys: [String: [PackedRow]] = [:]
        return try connection.rows("PRAGMA foreign_key_check", count: 4)
            .map { row in
                var error = StoreError(.danglingReference, "an object refers to an object that does not exist")
                let name = row.text(0) ?? ""
                guard let entity = schema.entities.first(where: { $0.name == name }), row.kind(1) == .integer else {
                    error.entity = schema.pairTables[TableName(name)]?.entities[.first] ?? name
                    error.attribute = schema.pairTables[TableName(name)]?.names[.first]
                    return error
                }
                let list =
                    try keys[name]
                    ?? connection.rows("PRAGMA main.foreign_key_list(\(entity.table))", count: 4)
                keys[name] = list
                error.entity = entity.name
                error.attribute = list.first { $0.integer(0) == row.integer(3) }?.text(3)
                error.object = ObjectID(entity: entity.name, number: row.integer(1))
                error.message = "it leads to an object of \(row.text(2) ?? "another entity") that does not exist"
                return error
            }
    }
}
