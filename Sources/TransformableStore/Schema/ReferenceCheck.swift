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
        var sides: [TableName: Set<PairSide>] = [:]
        return try embedded.danglingReferences()
            .flatMap { reference -> [StoreError] in
                let table = TableName(reference.table)
                guard reference.number == nil, let pairs = schema.pairTables[table] else {
                    return [violation(reference, schema)]
                }
                let side: PairSide = reference.column == PairSide.second.column.name ? .second : .first
                // All pairs of the table are found at once.
                guard sides[table, default: []].insert(side).inserted else { return [] }
                return try violations(in: table, pairs, lacking: side, on: connection)
            }
    }

    private static func violation(_ reference: DanglingReference, _ schema: StoreSchema) -> StoreError {
        var error = StoreError(.danglingReference, "an object refers to an object that does not exist")
        error.entity = reference.table
        guard let number = reference.number, let entity = schema.entities.first(where: { $0.name == reference.table })
        else { return error }
        error.attribute = reference.column
        error.object = ObjectID(entity: entity.name, number: number)
        error.message = "it refers to an object of \(reference.destination ?? "another entity") that does not exist"
        return error
    }

    /// Returns the pairs of a table whose objects on one side do not exist.
    ///
    /// SQLite does not say which ones they are, because their rows have no numbers.
    private static func violations(
        in table: TableName,
        _ pairs: PairTable,
        lacking side: PairSide,
        on connection: any EngineConnection
    ) throws -> [StoreError] {
        guard let first = pairs.entities[.first], let second = pairs.entities[.second] else { return [] }
        let missing = SQL.main(TableName(side == .first ? first : second))
        let tenant = pairs.belongsToTenant ? " AND object.\(TenantColumn.name) = pair.\(TenantColumn.name)" : ""
        let sql = """
            SELECT "first", "second" FROM \(SQL.main(table)) AS pair WHERE NOT EXISTS
            (SELECT 1 FROM \(missing) AS object WHERE object."_id" = pair.\(side.column)\(tenant))
            """
        let statement = try connection.statement(sql, cached: false)
        defer { statement.reset() }
        var errors: [StoreError] = []
        while try statement.step() {
            let object = ObjectID(entity: first, number: statement.integer(0))
            let other = "an object of \(second) (number \(statement.integer(1)))"
            var error = StoreError(.danglingReference, "it refers to \(other) that does not exist", entity: first)
            error.attribute = pairs.names[.first]
            if side == .second {
                error.object = object
            } else {
                error.message = "an object that does not exist (number \(object.number)) refers to \(other)"
            }
            errors.append(error)
        }
        return errors
    }
}

extension Store {
    /// Throws an error if an object refers to one that does not exist.
    ///
    /// - Throws: `StoreError` with the code `dangling-reference`.
    package func requireReferences(on connection: any EngineConnection) throws {
        if let fault = try ReferenceCheck.violations(schema, on: connection).first { throw fault }
    }
}
