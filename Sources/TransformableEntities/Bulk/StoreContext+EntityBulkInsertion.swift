public import TransformableStore

extension StoreContext {
    /// Inserts an object of a class for each element of a sequence, encoding on all cores while this thread writes.
    ///
    /// ```swift
    /// try store.write { context in
    ///     try context.insert(many: rows, into: Reading.self) { row in
    ///         let reading = Reading(time: row.time, wave: row.wave)
    ///         try reading.setReference(\.patient, to: row.patient)
    ///         return reading
    ///     }
    /// }
    /// ```
    ///
    /// The objects are written at once and belong to no context. A relationship to one is set by id, with
    /// ``Entity/setReference(_:to:)``; an object that leads to others in another way is an error. The hooks that run
    /// before a new object is written run on the thread that makes it; `didSave()` does not run.
    ///
    /// In a context for editing the objects are its own, made on this thread, undone together and written by its save.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The class.
    ///   - progress: Is told on this thread how many objects are written; an error that it throws ends the insertion.
    ///   - make: Makes the object of an element; runs on several threads at a time.
    /// - Returns: The ids of the new objects, in the order of the elements.
    /// - Throws: What `make` and `progress` throw, and `StoreError` with the place of the element: a value cannot be
    ///   stored or breaks a rule of the model.
    @discardableResult
    public func insert<Elements: Sequence, Object: Entity>(
        many elements: Elements,
        into type: Object.Type,
        progress: ((_ count: Int) throws -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) throws -> [PersistentID<Object>] where Elements.Element: Sendable {
        try requireFace(type, of: type.entityName)
        let filling = BulkFilling<Elements.Element>(preparing: { managed, element in
            let object = try make(element)
            try object.prepare(for: managed)
            return object
        })
        let numbers = try insert(many: elements, into: type.entityName, progress: progress, filling)
        return numbers.map { PersistentID(number: $0) }
    }
}

extension Entity {
    /// Stands for an object of a bulk insertion, which knows other objects by their numbers only.
    fileprivate func prepare(for managed: ManagedObject) throws {
        guard managedObject == nil else {
            throw StoreError(.misuse, "the object has been inserted already; make another one", entity: Self.entityName)
        }
        guard waitingReferences.values.allSatisfy(\.isEmpty) else {
            let message = "a bulk insertion takes objects one by one; set relationships by id, with setReference(_:to:)"
            throw StoreError(.misuse, message, entity: Self.entityName)
        }
        completeDraft()
        try managed.adopt(draftSlots, stand)
        try connect(in: managed.context)
    }
}
