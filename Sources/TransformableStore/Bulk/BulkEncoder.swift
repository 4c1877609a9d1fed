internal import Transformable

/// How the object of an element is made.
package struct BulkFilling<Element: Sendable>: Sendable {
    /// Gives a new object its first values, before hooks see it; what it returns is kept until the row is encoded.
    let prepare: @Sendable (ManagedObject, Element) throws -> AnyObject?
    /// Sets its values, after the hooks that run when it is inserted.
    let fill: @Sendable (ManagedObject, Element) throws -> Void

    /// An object with the model's defaults, which a program's function fills.
    init(_ fill: @escaping @Sendable (ManagedObject, Element) throws -> Void) {
        prepare = { object, _ in
            try object.setDefaults()
            return nil
        }
        self.fill = fill
    }

    /// An object for which one of a program's own classes stands.
    package init(preparing prepare: @escaping @Sendable (ManagedObject, Element) throws -> AnyObject?) {
        self.prepare = prepare
        fill = { _, _ in }
    }
}

/// Fills and encodes the rows of new objects, on any thread: only their cells leave it.
struct BulkEncoder<Element: Sendable>: Sendable {
    let store: Store
    let entity: StoredEntity
    let filling: BulkFilling<Element>

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
                    let face = try filling.prepare(object, element)
                    defer { withExtendedLifetime(face) {} }
                    try context.runHooks(\.awakeFromInsert, of: object)
                    try filling.fill(object, element)
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
