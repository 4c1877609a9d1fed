/// The indexes over several columns, or in descending order, that a model declares.
enum CompoundIndex {
    /// Returns the statements that create an entity's indexes.
    ///
    /// A reference to a family has a column for each entity of the family. A relationship without a column is left out,
    /// because its references are stored, and indexed, in the other entity's table. So is a list of columns that already
    /// have an index, because they are unique, alone or together, or a reference.
    static func statements(
        _ lists: [[SortKey]],
        of entity: String,
        _ plan: RelationshipPlan,
        existing: [[String]]
    ) -> [String] {
        lists.compactMap { list in
            let columns = list.flatMap { key in
                plan.columns(for: key.name, in: entity).map { SortKey(name: $0, isDescending: key.isDescending) }
            }
            guard !columns.isEmpty, !isIndexed(columns, by: existing) else { return nil }
            return statement(columns, of: entity, plan.model.belongsToTenants(entity))
        }
    }

    /// Returns a Boolean value that indicates whether one of several indexes has the same columns in the same order.
    private static func isIndexed(_ columns: [SortKey], by indexes: [[String]]) -> Bool {
        indexes.contains { $0.map(SortKey.ascending) == columns }
    }

    private static func statement(_ columns: [SortKey], of entity: String, _ belongsToTenants: Bool) -> String {
        let first = belongsToTenants ? "\(TenantColumn.name), " : ""
        let terms = columns.map { "\(SQL.quoted($0.name))\($0.isDescending ? " DESC" : "")" }.joined(separator: ", ")
        return "CREATE INDEX \(name(columns, of: entity)) ON \(SQL.quoted(entity)) (\(first)\(terms))"
    }

    private static func name(_ columns: [SortKey], of entity: String) -> String {
        TableDefinition.indexName(entity, columns.map { $0.isDescending ? "\($0.name) desc" : $0.name })
    }

    /// Returns an index as it appears in plans and lists: `(ward, born descending)`.
    static func text(_ list: [SortKey]) -> String {
        "(\(list.map { $0.isDescending ? "\($0.name) descending" : $0.name }.joined(separator: ", ")))"
    }

    /// Drops the indexes that contain a column, which is about to be replaced.
    static func drop(_ column: String, of entity: StoredEntity, on connection: any EngineConnection) throws {
        for columns in lists(with: column, of: entity) {
            try connection.tables.define("DROP INDEX IF EXISTS \(name(columns, of: entity.name))")
        }
    }

    /// Creates these indexes again, after the column has been replaced, except for lists that have a unique index.
    static func restore(
        _ column: String,
        of entity: StoredEntity,
        besides unique: [[String]],
        on connection: any EngineConnection
    ) throws {
        for columns in lists(with: column, of: entity) where !isIndexed(columns, by: unique) {
            try connection.tables.define(statement(columns, of: entity.name, entity.belongsToTenant))
        }
    }

    /// Returns the columns of the indexes that contain a column.
    private static func lists(with column: String, of entity: StoredEntity) -> [[SortKey]] {
        entity.indexLists.filter { list in list.contains { $0.name == column } }.map(entity.indexColumns)
    }
}

extension StoredEntity {
    /// Returns the columns of an index, with all columns of references to families.
    fileprivate func indexColumns(_ list: [SortKey]) -> [SortKey] {
        list.flatMap { key in
            guard let relationship = relationships.first(where: { $0.name == key.name }) else { return [key] }
            return relationship.columns.map { SortKey(name: attributes[$0].name, isDescending: key.isDescending) }
        }
    }
}

extension RelationshipPlan {
    /// Returns the columns of an attribute, projection, or to-one relationship in an entity's table.
    fileprivate func columns(for name: String, in entity: String) -> [String] {
        let found = model.relationships(of: entity).first { $0.name == name }
        guard let relationship = found else { return [name] }
        guard hasColumn(relationship, in: entity) else { return [] }
        return members(relationship.destination).map { column(relationship, to: $0) }
    }
}
