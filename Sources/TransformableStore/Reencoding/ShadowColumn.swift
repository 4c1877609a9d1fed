internal import GRDB

/// The column that new cells of an attribute wait in while a re-encoding runs, or after one was interrupted.
enum ShadowColumn {
    private static let prefix = "_reencoded."

    static func name(of attribute: UInt32) -> String { "\(prefix)\(attribute)" }

    static func exists(for attribute: UInt32, of entity: StoredEntity, on database: Database) throws -> Bool {
        try all(of: entity.name, on: database).contains(attribute)
    }

    /// The numbers of the attributes that have one in a table.
    static func all(of table: String, on database: Database) throws -> [UInt32] {
        let sql = "SELECT \"name\" FROM pragma_table_info(?) WHERE \"name\" GLOB '\(prefix)*'"
        return try SQLStatement.rows(sql, [.text(table)], count: 1, on: database)
            .compactMap { $0.text(0).flatMap { UInt32($0.dropFirst(prefix.count)) } }
    }
}
