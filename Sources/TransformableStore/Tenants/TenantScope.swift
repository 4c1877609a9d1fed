/// The part of a store that a context can see.
package enum TenantScope: Sendable, Hashable {
    /// The whole store, whose model has no tenants.
    case undivided
    /// The objects of a tenant, and the shared ones.
    case tenant(Int64)
    /// Only shared objects, which can be changed.
    case shared
    /// The objects of all tenants, which can only be read.
    case everything
    /// The objects of all tenants, while an export is imported.
    case importing

    /// The tenant that new objects belong to, unless they are shared.
    package var tenant: Int64? {
        if case .tenant(let number) = self { number } else { nil }
    }

    /// The condition for rows of tenants that can be seen, or `nil` if the tables have no tenants.
    var condition: String? {
        switch self {
        case .undivided: nil
        case .tenant: "\(TenantColumn.name) = \(TenantColumn.current)"
        case .shared: "0"
        case .everything, .importing: "1"
        }
    }

    /// What a context with this scope needs a connection for.
    var use: ConnectionUse { self == .undivided ? .tables : .limitedContext }

    /// Returns a Boolean value that indicates whether objects of an entity can be changed.
    func allowsChanges(of entity: StoredEntity) -> Bool {
        switch self {
        case .undivided, .importing: true
        case .tenant: entity.belongsToTenant
        case .shared: !entity.belongsToTenant
        case .everything: false
        }
    }
}

/// The column with the tenant of a row.
///
/// Its values are set when rows are inserted, and never change.
package enum TenantColumn {
    package static let name = ColumnName("_tenant")
    static let definition = "\(name) INTEGER NOT NULL"
    /// A constraint that references within a tenant can lead to, whose index also lists a tenant's rows.
    static let key = "UNIQUE (\(name), \"_id\")"
    /// A temporary table with the number of the current tenant, or NULL if there is none.
    static let table = "temp.\"_tenant\""
    /// The current tenant, for statements that write.
    package static let current = "(SELECT \"number\" FROM \(table))"

    /// Returns a condition for statements that write rows of an entity.
    static func isCurrent(_ belongsToTenant: Bool) -> String {
        belongsToTenant ? " AND \(name) = \(current)" : ""
    }

    /// Returns the quoted name of the rows that a context can see, without its pending changes.
    ///
    /// - Parameters:
    ///   - table: A table.
    ///   - belongsToTenant: Whether the rows belong to tenants.
    /// - Returns: The table itself, or a view of the rows of the current tenant.
    static func visible(_ table: TableName, _ belongsToTenant: Bool) -> String {
        belongsToTenant ? "temp.\(view(table))" : SQL.main(table)
    }

    /// Returns the tenant of a row, or `nil` if its table has no tenants.
    static func tenant(
        of number: Int64,
        in entity: StoredEntity,
        on database: any EngineConnection
    ) throws -> Int64? {
        guard entity.belongsToTenant else { return nil }
        let sql = "SELECT \(name) FROM \(SQL.main(entity.table)) WHERE \"_id\" = ?"
        return try database.integer(sql, [.integer(number)], cached: true)
    }

    /// Returns the table for statements that write, which cannot write to a view.
    static func written(_ table: TableName, _ belongsToTenant: Bool) -> String {
        belongsToTenant ? SQL.main(table) : table.description
    }

    package static func view(_ table: TableName) -> TableName {
        TableName(visiblePrefix + table.name)
    }

    /// The beginning of the names of the rows that a context can see.
    package static let visiblePrefix = "_visible."

    /// Returns the columns that identify a pair, for statements that insert one unless it is there.
    static func pairKey(_ belongsToTenant: Bool, _ dialect: Dialect) -> String {
        "\"first\", \"second\"" + (belongsToTenant && dialect.has(.tenantsInKeys) ? ", \(name)" : "")
    }

    /// Returns the table constraint for references from one column to objects of the same tenant.
    static func foreignKey(_ column: String, to table: String) -> String {
        """
        FOREIGN KEY (\(SQL.quoted(column)), \(name)) REFERENCES \(SQL.quoted(table)) ("_id", \(name)) \
        DEFERRABLE INITIALLY DEFERRED
        """
    }
}
