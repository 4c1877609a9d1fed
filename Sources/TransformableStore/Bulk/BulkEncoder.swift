/// The functions that fill the object of an element.
@usableFromInline
package struct BulkFilling<Element: Sendable>: Sendable {
    /// Sets the first values of a new object, before hooks see it.
    ///
    /// The result is retained until the row is encoded.
    let prepare: @Sendable (ManagedObject, Element) throws -> AnyObject?
    /// Sets the object's values, after the hooks that run when it is inserted.
    let fill: @Sendable (ManagedObject, Element) throws -> Void

    /// Creates a filling for an object with the model's defaults, which a program's function fills.
    @usableFromInline
    package init(_ fill: @escaping @Sendable (ManagedObject, Element) throws -> Void) {
        prepare = { object, _ in
            try object.setDefaults()
            return nil
        }
        self.fill = fill
    }

    /// Creates a filling for an object that is represented by one of a program's own classes.
    package init(preparing prepare: @escaping @Sendable (ManagedObject, Element) throws -> AnyObject?) {
        self.prepare = prepare
        fill = { _, _ in }
    }
}

/// Fills and encodes the rows of new objects on any thread.
///
/// Only the rows leave that thread.
struct BulkEncoder<Element: Sendable>: Sendable {
    let store: Store
    let scope: TenantScope
    let entity: StoredEntity
    let filling: BulkFilling<Element>
    /// What makes packages of rows, or `nil` if the writer needs cells.
    var packaging: (@Sendable () -> any RowPackage)?

    /// Returns a row for each element.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - first: The number of the first object. The other objects have consecutive numbers.
    ///   - place: The position of the first element in its sequence.
    /// - Returns: The rows.
    /// - Throws: Errors thrown by the filling, and `StoreError` if a value cannot be stored.
    func rows(of elements: [Element], numberedFrom first: Int64, at place: Int) throws -> BulkRows {
        var rows = BulkRows(in: packaging?())
        rows.reserve(elements.count * (entity.insertedCellCount + 2))
        // Reading the store here would wait for the write, which waits for these rows.
        try Nesting.enter(store, within: []) {
            let context = StoreContext(store, in: scope, on: nil, for: .detached)
            // An index, because iterators in generic code require run-time type lookups.
            for index in elements.indices {
                let number = first + Int64(index)
                let object = ManagedObject(inserting: entity, number, in: context)
                do {
                    let representative = try filling.prepare(object, elements[index])
                    defer { withExtendedLifetime(representative) {} }
                    try context.runHooks(\.awakeFromInsert, of: object)
                    try filling.fill(object, elements[index])
                    try context.runHooks(\.willSave, of: object)
                    try context.runHooks(\.validateForInsert, of: object)
                    try requireOnly(object, in: context)
                    try rows.append(object)
                } catch var error as StoreError {
                    error.element = error.element ?? place + index
                    throw error
                }
            }
        }
        return rows
    }

    /// Throws an error unless the object's row is all there is to write, because nothing else leaves the thread.
    private func requireOnly(_ object: ManagedObject, in context: StoreContext) throws {
        // An error that an accessor of a program's own class could not throw.
        try context.failures.throwFirst()
        guard context.work.clear(expecting: object), object.state == .inserted else {
            let what = "a bulk insertion writes only the attributes and references of the new object"
            let remedy = "insert the object in a block to change other objects or many-to-many relationships"
            throw StoreError(.misuse, "\(what); \(remedy)", entity: entity.name, object: object.id)
        }
    }
}
