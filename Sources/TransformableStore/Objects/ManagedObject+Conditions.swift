internal import Transformable

extension ManagedObject {
    /// What an attribute's cell holds in the file.
    func cell(_ attribute: StoredAttribute) throws -> ColumnValue {
        let (row, cell) = try stored(attribute)
        return row.value(cell)
    }

    /// The row with an attribute's cell, and the cell's place in it.
    ///
    /// A number in place of bytes is the length of a large cell, which is read now; the row's version
    /// says that it is still the same.
    func stored(_ attribute: StoredAttribute) throws -> (row: PackedRow, cell: Int) {
        guard let cell = attribute.cell else { return (PackedRow(single: .null), 0) }
        try requireRow()
        guard attribute.isDeferrable, row.kind(cell) == .integer else { return (row, cell) }
        let column = SQL.quoted(attribute.name)
        let sql = "SELECT \(column) FROM \(entity.table) WHERE \"_id\" = ? AND \"_version\" = ?"
        let statement = try context.statement(sql)
        try statement.bind(number, at: 1)
        try statement.bind(version, at: 2)
        defer { statement.reset() }
        guard try statement.step() else {
            throw StoreError(
                .conflict,
                "the object has been changed or deleted meanwhile",
                entity: entity.name,
                object: id
            )
        }
        return (statement.packedRow(from: 0, count: 1), 0)
    }
}
