/// An entity's table into which many new rows are inserted together.
package struct RowTable: Sendable {
    /// The entity, which the table is named after.
    package let entity: String
    /// The columns, whose names are not quoted, beginning with the object's number and version.
    package let columns: [String]
    /// The statement that inserts one row, whose parameters are the columns.
    package let insertion: String

    /// Creates a description of a table, unless the rows of the entity must be inserted one by one.
    ///
    /// The error of many rows does not say which object it is about, and values that must be unique cause errors. A tag
    /// and a tenant are added by each insertion.
    init?(of entity: StoredEntity, on connection: ContextConnection) {
        guard connection.isPipelined, !entity.hasUniqueness, !entity.storesBlobs, !entity.belongsToTenant,
            entity.rowSeal == nil
        else { return nil }
        self.entity = entity.name
        columns = ["_id", "_version"] + entity.insertedColumns
        insertion = entity.insert
    }
}
