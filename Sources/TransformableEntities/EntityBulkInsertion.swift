public import TransformableStore

extension Store {
    /// Inserts an object for each element of a sequence, in a single transaction, encoding values on all cores.
    ///
    /// This method has the same effect as the context's `insert(many:into:progress:make:)`, but in a transaction
    /// of its own. On a server, the transaction may run again, so the elements of a sequence that is not a collection
    /// are first collected in memory.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the objects belong to tenants.
    ///   - progress: A closure that is called with the number of objects written so far. If it throws, the insertion
    ///     ends.
    ///   - make: A closure that creates the object for an element. It is called on several threads at a time.
    /// - Returns: The ids of the new objects, in the order of the elements.
    /// - Throws: `StoreError` if an object cannot be inserted, and any error thrown by `make` or `progress`. In either
    ///   case, no object is inserted.
    @discardableResult
    public func insert<Elements: Sequence, Object: Entity>(
        many elements: Elements,
        into type: Object.Type,
        tenant: Int64? = nil,
        progress: ((_ count: Int) throws -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) throws -> [PersistentID<Object>] where Elements.Element: Sendable {
        if let kept = kept(elements) {
            return try insert(into: type.entityName, for: tenant) {
                try $0.insert(many: kept, into: type, progress: progress, make: make)
            }
        }
        return try insert(into: type.entityName, for: tenant) {
            try $0.insert(many: elements, into: type, progress: progress, make: make)
        }
    }

    /// Inserts an object for each element of an asynchronous sequence, encoding values on all cores.
    ///
    /// Each batch is a transaction of its own, so that nothing is locked while the sequence waits for elements. If the
    /// insertion fails or is canceled, the batches already written are kept; `progress` has reported them.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The entity class.
    ///   - tenant: The tenant's number, if the objects belong to tenants.
    ///   - batchSize: The maximum number of elements per transaction.
    ///   - progress: A closure that is called with the number of objects inserted so far.
    ///   - make: A closure that creates the object for an element. It is called on several threads at a time.
    /// - Returns: The number of inserted objects.
    /// - Throws: `StoreError` if an object cannot be inserted, `CancellationError` if the task is canceled, and any
    ///   error thrown by the sequence or by `make`.
    @discardableResult
    public func insert<Elements: AsyncSequence, Object: Entity>(
        many elements: Elements,
        into type: Object.Type,
        tenant: Int64? = nil,
        batchSize: Int = 10_000,
        progress: (@Sendable (_ count: Int) -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) async throws -> Int where Elements.Element: Sendable {
        try await insert(
            inBatchesOf: batchSize,
            elements,
            of: type.entityName,
            for: tenant,
            progress: progress
        ) { batch, context, check in
            _ = try context.insert(many: batch, into: type, progress: check, make: make)
        }
    }
}

extension StoreContext {
    /// Inserts an object for each element of a sequence, encoding values on all cores while the current thread writes.
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
    /// Changes that the block made before are written first, so they must be complete and valid by then.
    ///
    /// The objects are written immediately and do not belong to a context. Set to-one relationships by id, with
    /// ``Entity/setReference(_:to:)``. Setting a relationship in any other way is an error. Hooks that run before a new
    /// object is written run on the thread that creates the object. `didSave()` is not called.
    ///
    /// If an error is thrown, objects of earlier elements may have been written, so let the error end the block.
    ///
    /// In a context for editing, the objects belong to the context: they are created on the current thread, undone
    /// together, and written when the context saves. If an error is thrown, nothing is inserted.
    ///
    /// On a server, a block of `write` may run again. If the sequence can be iterated only once, collect its elements
    /// outside of the block.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The entity class.
    ///   - progress: A closure that is called on the current thread with the number of objects written so far. If it
    ///     throws, the insertion ends.
    ///   - make: A closure that creates the object for an element. It is called on several threads at a time.
    /// - Returns: The ids of the new objects, in the order of the elements.
    /// - Throws: `StoreError`, which includes the index of the element, if a value cannot be stored or violates a rule
    ///   of the model. Any error thrown by `make` or `progress` is also thrown.
    @discardableResult
    public func insert<Elements: Sequence, Object: Entity>(
        many elements: Elements,
        into type: Object.Type,
        progress: ((_ count: Int) throws -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) throws -> [PersistentID<Object>] where Elements.Element: Sendable {
        try requireClass(type, of: type.entityName)
        let filling = BulkFilling<Elements.Element>(preparing: { managed, element in
            let object = try make(element)
            try object.prepare(for: managed)
            return object
        })
        let numbers = try insert(many: BulkElements(elements), into: type.entityName, progress: progress, filling)
        return numbers.map { PersistentID(number: $0) }
    }
}

extension Entity {
    /// Attaches the object to the store's object of a bulk insertion, which refers to other objects only by number.
    fileprivate func prepare(for managed: ManagedObject) throws {
        guard managedObject == nil else {
            throw StoreError(.misuse, "the object is already inserted; create a new one", entity: Self.entityName)
        }
        guard waitingReferences.values.allSatisfy(\.isEmpty) else {
            let message =
                "an object of a bulk insertion cannot refer to other objects; use setReference(_:to:) with an id"
            throw StoreError(.misuse, message, entity: Self.entityName)
        }
        // The rows of a child belong in a table of their own.
        try managed.context.requireClass(type(of: self), of: managed.id.entity)
        completeDraft()
        try managed.adopt(draftSlots, stand)
        try connect(in: managed.context)
    }
}
