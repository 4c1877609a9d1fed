internal import Transformable

/// Fills and encodes the rows of new objects, on any thread: only their cells leave it.
struct BulkEncoder<Element: Sendable>: Sendable {
    let store: Store
    let entity: StoredEntity
    let fill: @Sendable (ManagedObject, Element) throws -> Void

    /// The cells of a row for each element, one row after the other.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - first: The number of the first one's object; the others follow.
    ///   - place: Where the first element stands in its sequence.
    /// - Returns: The cells.
    /// - Throws: What the filling throws, and ``StoreError`` for what cannot be stored.
    func cells(of elements: [Element], numberedFrom first: Int64, at place: Int) throws -> [ColumnValue] {
        var cells: [ColumnValue] = []
        cells.reserveCapacity(elements.count * entity.insertedCellCount)
        // A read of the store from here would wait for the write that waits for these cells.
        try Nesting.$active.withValue([ObjectIdentifier(store)]) {
            let context = StoreContext(detachedFrom: store)
            for (index, element) in elements.enumerated() {
                let object = ManagedObject(inserting: entity, first + Int64(index), in: context)
                do {
                    try object.setDefaults()
                    try context.runHooks(\.awakeFromInsert, of: object)
                    try fill(object, element)
                    try context.runHooks(\.willSave, of: object)
                    try context.runHooks(\.validateForInsert, of: object)
                    try object.appendInsertedCells(to: &cells)
                } catch var error as StoreError {
                    error.element = error.element ?? place + index
                    throw error
                }
            }
        }
        return cells
    }
}
