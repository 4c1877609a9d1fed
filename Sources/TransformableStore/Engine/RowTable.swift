/// An entity's table into which many new rows are inserted together.
package struct RowTable: Sendable {
    /// The entity, which the table is named after.
    package let entity: String
    /// The columns, whose names are not quoted, beginning with the object's number and version.
    package let columns: [String]
    /// The statement that inserts one row, whose parameters are the columns.
    package let insertion: String
    /// Whether each row belongs to the current tenant, which the insertion adds to the columns.
    package let belongsToTenant: Bool
    /// Whether an error must say which row it is about, because a value may not be unique, or because the rows of tenants
    /// are inserted with statements.
    package let mustNameRows: Bool

    /// Creates a description of a table, unless the rows of the entity must be inserted one by one.
    init?(of entity: StoredEntity, on connection: ContextConnection) {
        guard connection.isPipelined else { return nil }
        self.entity = entity.name
        columns = ["_id", "_version"] + entity.insertedColumns
        insertion = entity.insert
        belongsToTenant = entity.belongsToTenant
        mustNameRows = entity.hasUniqueness || entity.belongsToTenant
    }
}
