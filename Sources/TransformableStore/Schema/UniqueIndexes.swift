/// The indexes of a store that make values unique.
///
/// A file from an earlier version lacks those of unique groups that an entity inherits. It gets them in its next migration.
struct UniqueIndexes {
    private let names: Set<String>

    init(on connection: any EngineConnection) throws {
        let sql = """
            SELECT "name" FROM \(connection.dialect.definitions)
            WHERE "type" = 'index' AND "sql" LIKE 'CREATE UNIQUE %'
            """
        names = Set(try connection.rows(sql, count: 1).compactMap { $0.text(0).map(SQL.quoted) })
    }

    /// Returns a Boolean value that indicates whether the combined values of columns are unique in an entity's table.
    func contains(_ columns: [String], of entity: String) -> Bool {
        names.contains(TableDefinition.indexName(entity, columns))
    }
}
