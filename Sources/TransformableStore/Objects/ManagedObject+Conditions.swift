internal import Transformable

extension ManagedObject {
    /// What an attribute's cell holds, or will when the object is saved.
    func cell(_ attribute: StoredAttribute) throws -> ColumnValue {
        if let slot = pendingSlot(attribute) { return try attribute.encode(slot, in: place(attribute)) }
        let (row, cell) = try stored(attribute)
        return row.value(cell)
    }

    /// The slot of an attribute that was set and is not written yet.
    private func pendingSlot(_ attribute: StoredAttribute) -> Slot? {
        guard isNoted, attribute.cell != nil else { return nil }
        let slot = slots[attribute.index]
        return state == .inserted ? slot ?? Slot() : slot.flatMap { $0.isDirty ? $0 : nil }
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
        let sql = "SELECT \(column) FROM \(SQL.main(entity.table)) WHERE \"_id\" = ? AND \"_version\" = ?"
        return try context.connected { _ in
            let statement = try context.statement(sql)
            try statement.bind(number, at: 1)
            try statement.bind(version, at: 2)
            defer { statement.reset() }
            guard try statement.step() else { throw conflict }
            return (statement.packedRow(from: 0, count: 1), 0)
        }
    }

    /// Decodes an attribute from a row of the object, whichever version it is of.
    func load(_ attribute: StoredAttribute, from row: PackedRow) throws -> Slot {
        guard let cell = attribute.cell else { return Slot() }
        if attribute.isDeferrable, row.kind(cell) == .integer {
            // The file has the newest version of a large value only, which is the object's own.
            guard row == self.row else { throw conflict }
            let (whole, place) = try stored(attribute)
            return try load(attribute, whole, place)
        }
        return try load(attribute, row, cell)
    }

    func place(_ attribute: StoredAttribute) -> TransformContext {
        context.place(of: number, attribute, entity)
    }
}
