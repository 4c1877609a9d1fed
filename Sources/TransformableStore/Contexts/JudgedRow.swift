/// The values that were decoded to judge the row that a fetch has read last.
///
/// The row's object takes them over instead of decoding them again.
final class JudgedRow {
    private let entity: StoredEntity
    private var number: Int64 = 0
    private var values: [(attribute: StoredAttribute, cell: ColumnValue, slot: Slot)] = []

    /// Creates an empty list for the rows of an entity's table.
    init(_ entity: StoredEntity) {
        self.entity = entity
    }

    /// Keeps a decoded value, unless it belongs to another table.
    func note(_ slot: Slot, _ attribute: StoredAttribute, _ cell: ColumnValue, of place: StoredEntity, _ number: Int64)
    {
        guard place === entity else { return }
        if number != self.number { values.removeAll(keepingCapacity: true) }
        self.number = number
        values.append((attribute, cell, slot))
    }

    /// Gives the values to the row's object.
    ///
    /// An object that was known before may have another row, or values that were set.
    func give(to object: ManagedObject) {
        guard object.number == number, !object.isFault, object.state == .stored else { return }
        for (attribute, cell, slot) in values where object.slots[attribute.index] == nil {
            guard let index = attribute.cell, object.row.value(index).isIdentical(to: cell) else { continue }
            object.keep(slot, attribute)
        }
        values.removeAll(keepingCapacity: true)
    }
}
