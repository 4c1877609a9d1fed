/// Finds references to objects that do not exist.
enum ReferenceCheck {
    /// Checks what a transaction has written, because SQLite would refuse to commit it without naming the object.
    ///
    /// - Throws: `StoreError` with the code `dangling-reference`, which names the object and the
    ///   relationship.
    static func run(_ schema: StoreSchema, on connection: any EngineConnection) throws {
        guard schema.hasRelationships, connection.mayHaveDanglingReferences else { return }
        guard var error = try violations(schema, on: connection).first else { return }
        if error.object != nil { error.message += ", or that the same change deletes" }
        throw error
    }

    /// Returns all references to objects that do not exist.
    ///
    /// A server lets none be committed.
    static func violations(_ schema: StoreSchema, on connection: any EngineConnection) throws -> [StoreError] {
        guard let embedded = connection.embedded else { return [] }
        return try embedded.danglingReferences()
            .map { reference in
                var error = StoreError(.danglingReference, "an object refers to an object that does not exist")
                let name = reference.table
                guard let number = reference.number, let entity = schema.entities.first(where: { $0.name == name })
                else {
                    error.entity = schema.pairTables[TableName(name)]?.entities[.first] ?? name
                    error.attribute = schema.pairTables[TableName(name)]?.names[.first]
                    return error
                }
                error.entity = entity.name
                error.attribute = reference.column
                error.object = ObjectID(entity: entity.name, number: number)
                let destination = reference.destination ?? "another entity"
                error.message = "it refers to an object of \(destination) that does not exist"
                return error
            }
    }
}
