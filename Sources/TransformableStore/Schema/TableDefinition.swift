/// The statements that create an entity's table and its indexes.
enum TableDefinition {
    /// Returns the statements that create a table.
    ///
    /// Some columns may still be empty although they require values.
    static func statements(
        for entity: EntityDescription,
        _ attributes: [StoredAttribute],
        _ compounds: [StoredCompound],
        in model: Model,
        aside: [String] = [],
        isEmpty: (String) -> Bool = { _ in false }
    ) -> [String] {
        let plan = RelationshipPlan(model: model)
        let references = plan.columns(of: entity.name).map { ($0.description.name, $0.destination) }
        let destinations = Dictionary(references) { first, _ in first }
        let isOwned = model.belongsToTenants(entity.name)
        let stored = attributes.filter { $0.cell != nil }
        var columns = ["\"_id\" INTEGER PRIMARY KEY AUTOINCREMENT", "\"_version\" INTEGER NOT NULL DEFAULT 1"]
        columns += stored.map { attribute in
            let destination = destinations[attribute.name]?.flatMap { isOwned && model.belongsToTenants($0) ? nil : $0 }
            return column(attribute, isEmpty: isEmpty(attribute.name)) + (destination.map(foreignKey(to:)) ?? "")
        }
        let projections = stored.flatMap(\.projections) + compounds.map(\.projection)
        columns += projections.map { "\(SQL.quoted($0.name)) \($0.columnType)" }
        if model.authenticatesRows(of: entity.name) { columns.append(RowSeal.definition) }
        if isOwned { columns.append(TenantColumn.definition) }
        columns += aside.map(SQL.quoted) + plan.checks(of: entity.name)
        if isOwned { columns += [TenantColumn.key] + plan.tenantKeys(of: entity.name) }
        let table = "CREATE TABLE \(SQL.quoted(entity.name)) (\(columns.joined(separator: ", ")))"
        let lookups = compounds.filter(\.description.isIndexed)
            .map { index(entity.name, [$0.name], isUnique: false, isOwned) }
        let lists = model.indexes(of: entity.name)
        let groups = plan.uniqueness(of: entity.name)
        let unique = stored.filter(\.description.isUnique).map { [$0.name] } + groups
        let links = Set(destinations.filter { $0.value != nil }.keys)
        let all =
            indexes(for: entity, stored, groups, lists, links, isOwned) + lookups
            + CompoundIndex.statements(lists, of: entity.name, plan, existing: unique + links.map { [$0] })
        // An index of one column in ascending order may be asked for in several ways.
        var seen: Set<String> = []
        return [table] + all.filter { seen.insert($0).inserted }
    }

    /// Returns the column of an attribute.
    private static func column(_ attribute: StoredAttribute, isEmpty: Bool) -> String {
        let description = attribute.description
        let null = description.isOptional || isEmpty ? "" : " NOT NULL"
        return "\(SQL.quoted(description.name)) \(description.type.columnType)\(null)"
    }

    /// Objects can refer to each other in any order within a transaction, so foreign keys are checked at its end.
    private static func foreignKey(to destination: String) -> String {
        " REFERENCES \(SQL.quoted(destination)) DEFERRABLE INITIALLY DEFERRED"
    }

    private static func indexes(
        for entity: EntityDescription,
        _ attributes: [StoredAttribute],
        _ unique: [[String]],
        _ indexes: [[SortKey]],
        _ links: Set<String>,
        _ isOwned: Bool
    ) -> [String] {
        // A group of one column needs no second index.
        let groups = unique.filter { group in
            group.count > 1 || !attributes.contains { $0.description.isUnique && [$0.name] == group }
        }
        var statements: [String] = []
        for attribute in attributes {
            let description = attribute.description
            if description.isUnique {
                statements.append(index(entity.name, [description.name], isUnique: true, isOwned))
            } else if description.isIndexed, !groups.contains([description.name]) {
                let isLink = links.contains(description.name)
                statements.append(index(entity.name, [description.name], isUnique: false, isOwned, isLink: isLink))
            }
            for projection in attribute.projections where projection.description.isIndexed {
                guard !groups.contains([projection.name]) else { continue }
                statements.append(index(entity.name, [projection.name], isUnique: false, isOwned))
            }
        }
        let lists = groups.map { index(entity.name, $0, isUnique: true, isOwned) }
        return statements + lists + TextIndex.statements(for: entity, attributes, unique, indexes)
    }

    /// Returns the quoted name of an index.
    static func indexName(_ entity: String, _ names: [String]) -> String {
        SQL.quoted((["_index", entity] + names).joined(separator: "."))
    }

    /// Returns the statement that creates an index, which begins with the tenant if rows belong to tenants.
    ///
    /// That of a reference ends with the tenant: a shared object can be deleted, and contexts can read across tenants, and
    /// both look up references from all tenants.
    static func index(
        _ entity: String,
        _ names: [String],
        isUnique: Bool,
        _ belongsToTenants: Bool,
        isLink: Bool = false
    ) -> String {
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        let name = indexName(entity, names)
        let (own, tenant) = (names.map(ColumnName.init), belongsToTenants ? [TenantColumn.name] : [])
        let columns = isLink ? own + tenant : tenant + own
        let list = columns.map(\.description).joined(separator: ", ")
        return "CREATE \(kind) \(name) ON \(TableName(entity)) (\(list))"
    }

    /// Drops the indexes that contain a column, which is about to be replaced.
    ///
    /// Of the indexes of unique groups, only those of the given groups are dropped.
    static func dropIndexes(
        with column: String,
        in groups: [[String]] = [],
        of entity: StoredEntity,
        on connection: any EngineConnection
    ) throws {
        let names = (groups + [[column]]).map { indexName(entity.name, $0) }
        for index in names + [SQL.quoted(TextIndex.indexName(entity.name, column))] {
            try connection.tables.define("DROP INDEX IF EXISTS \(index)")
        }
        try CompoundIndex.drop(column, of: entity, on: connection)
    }
}

extension AttributeType {
    /// The column's declared type in SQL.
    var columnType: String {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .boolean: "INTEGER"
        case .float, .double, .date: "REAL"
        case .decimal, .string, .uuid, .url: "TEXT"
        case .data, .transformed, .undefined: "BLOB"
        }
    }

    /// Returns a Boolean value that indicates whether cells of this type may contain a value of another type: a number does
    /// not become text, for example.
    func converts(to type: Self) -> Bool {
        columnType == type.columnType || (columnType == "INTEGER" && type.columnType == "REAL")
    }
}

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
