internal import Transformable

extension ManagedObject {
    /// Returns what an attribute's cell contains, or will contain when the object is saved.
    func cell(_ attribute: StoredAttribute) throws -> ColumnValue {
        if let slot = pendingSlot(attribute) { return try attribute.encode(slot, in: place(attribute)) }
        let (row, cell) = try stored(attribute)
        return row.value(cell)
    }

    /// Returns the slot of an attribute that was set and has not been written yet.
    private func pendingSlot(_ attribute: StoredAttribute) -> Slot? {
        guard isNoted, attribute.cell != nil else { return nil }
        let slot = slots[attribute.index]
        return state == .inserted ? slot ?? Slot() : slot.flatMap { $0.isDirty ? $0 : nil }
    }

    /// Returns the row that contains an attribute's cell, and the cell's position in it.
    ///
    /// A number in place of bytes is the length of a large cell, which is read now. The row's version shows whether it
    /// is still the same.
    func stored(_ attribute: StoredAttribute) throws -> (row: PackedRow, cell: Int) {
        guard let cell = attribute.cell else { return (PackedRow(single: .null), 0) }
        try requireRow()
        guard attribute.isDeferrable, row.kind(cell) == .integer else { return (row, cell) }
        let column = SQL.quoted(attribute.name)
        let list = [column] + [entity.rowSeal?.check].compactMap(\.self)
        let sql = "SELECT \(list.joined(separator: ", ")) FROM \(entity.visible) WHERE \"_id\" = ? AND \"_version\" = ?"
        return try context.connected { _ in
            let statement = try context.statement(sql)
            try statement.bind(number, at: 1)
            try statement.bind(version, at: 2)
            defer { statement.reset() }
            guard try statement.step() else { throw conflict }
            return (statement.packedRow(from: 0, count: 1), 0)
        }
    }

    /// Decodes an attribute from a row of the object, of whichever version.
    func load(_ attribute: StoredAttribute, from row: PackedRow) throws -> Slot {
        guard let cell = attribute.cell else { return Slot() }
        if attribute.isDeferrable, row.kind(cell) == .integer {
            // The file contains only the newest version of a large value, which must be the object's own.
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
