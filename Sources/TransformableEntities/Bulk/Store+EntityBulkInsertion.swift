public import TransformableStore

extension Store {
    /// Inserts an object for each element of a sequence, in a single transaction, encoding values on all cores.
    ///
    /// This method has the same effect as the context's `insert(many:into:progress:make:)`, but performs its own
    /// transaction.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The entity class.
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
        progress: ((_ count: Int) throws -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) throws -> [PersistentID<Object>] where Elements.Element: Sendable {
        try write { try $0.insert(many: elements, into: type, progress: progress, make: make) }
    }

    /// Inserts an object for each element of an asynchronous sequence, encoding values on all cores.
    ///
    /// Each batch has its own transaction, so that nothing is locked while the sequence waits for elements. If the
    /// insertion fails or is canceled, the batches already written are kept; `progress` has reported them.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The entity class.
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
        batchSize: Int = 10_000,
        progress: (@Sendable (_ count: Int) -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) async throws -> Int where Elements.Element: Sendable {
        try await insert(inBatchesOf: batchSize, elements, progress: progress) { batch, context, check in
            _ = try context.insert(many: batch, into: type, progress: check, make: make)
        }
    }
}
