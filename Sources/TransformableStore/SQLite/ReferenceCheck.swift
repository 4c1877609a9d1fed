internal import GRDB
internal import GRDBSQLite

/// Finds the reference that leads nowhere before SQLite refuses to commit it without a name.
enum ReferenceCheck {
    /// Checks what a transaction has written.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/danglingReference``, naming the object and the relationship.
    static func run(_ schema: StoreSchema, on database: Database) throws {
        guard schema.hasRelationships, hasViolations(database) else { return }
        let violations = try SQLStatement.rows("PRAGMA foreign_key_check", count: 4, on: database)
        guard let violation = violations.first, let table = violation.text(0) else { return }
        var error = StoreError(.danglingReference, "an object refers to one that does not exist")
        if let entity = schema.entities.first(where: { $0.name == table }), violation.kind(1) == .integer {
            let keys = try SQLStatement.rows("PRAGMA foreign_key_list(\(entity.table))", count: 4, on: database)
            error.entity = entity.name
            error.attribute = keys.first { $0.integer(0) == violation.integer(3) }?.text(3)
            error.object = ObjectID(entity: entity.name, number: violation.integer(1))
            error.message = "it leads to an object of \(violation.text(2) ?? "another entity") that does not exist"
        }
        throw error
    }

    /// Whether SQLite would refuse to commit; it keeps count.
    private static func hasViolations(_ database: Database) -> Bool {
        var count: Int32 = 0
        var highest: Int32 = 0
        let connection = unsafe database.sqliteConnection
        let code = unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        return code == SQLITE_OK && count != 0
    }
}
