/// A column that requires a value in every row, although its table does not declare it `NOT NULL`.
///
/// SQLite cannot add `NOT NULL` to an existing column. Triggers reject rows without a value until the table is rebuilt.
/// Other engines require values without triggers.
struct RequiredColumn {
    let entity: StoredEntity
    let attribute: StoredAttribute

    private var triggers: [String] {
        ["insert", "update"].map { SQL.quoted("_required.\(attribute.id).\($0)") }
    }

    /// Creates the triggers.
    func demandValues(on connection: any EngineConnection) throws {
        let column = SQL.quoted(attribute.name)
        let message = "NOT NULL constraint failed: \(entity.name).\(attribute.name)".replacing("'", with: "''")
        for (trigger, event) in zip(triggers, ["INSERT", "UPDATE OF \(column)"]) {
            try connection.tables.define(
                """
                CREATE TRIGGER \(trigger) BEFORE \(event) ON \(entity.table) WHEN new.\(column) IS NULL
                BEGIN SELECT RAISE(ABORT, '\(message)'); END
                """
            )
        }
        try connection.tables.requireValues(in: attribute.name, of: entity.name)
    }

    /// Removes the triggers, if there are any.
    func dropTriggers(on connection: any EngineConnection) throws {
        for trigger in triggers { try connection.tables.define("DROP TRIGGER IF EXISTS \(trigger)") }
    }

    /// Returns the number of rows without a value.
    func missingCount(on connection: any EngineConnection) throws -> Int {
        let sql = "SELECT count(*) FROM \(entity.table) WHERE \(SQL.quoted(attribute.name)) IS NULL"
        return try Int(connection.integer(sql))
    }
}
