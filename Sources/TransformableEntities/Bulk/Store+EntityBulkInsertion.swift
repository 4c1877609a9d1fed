public import TransformableStore

extension Store {
    /// Inserts an object of a class for each element of a sequence in one transaction, encoding on all cores.
    ///
    /// It is what a context's `insert(many:into:progress:make:)` does, in a transaction of its own.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The class.
    ///   - progress: Is told how many objects are written; an error that it throws ends the insertion.
    ///   - make: Makes the object of an element; runs on several threads at a time.
    /// - Returns: The ids of the new objects, in the order of the elements.
    /// - Throws: What `make` and `progress` throw, and `StoreError`; then nothing is kept.
    @discardableResult
    public func insert<Elements: Sequence, Object: Entity>(
        many elements: Elements,
        into type: Object.Type,
        progress: ((_ count: Int) throws -> Void)? = nil,
        make: @escaping @Sendable (Elements.Element) throws -> Object
    ) throws -> [PersistentID<Object>] where Elements.Element: Sendable {
        try write { try $0.insert(many: elements, into: type, progress: progress, make: make) }
    }

    /// Inserts an object of a class for each element of an asynchronous sequence, encoding on all cores.
    ///
    /// Each batch is a transaction of its own, so that nothing is locked while elements are waited for: what was
    /// written before a failure or a cancellation is kept, and `progress` has been told of it.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The class.
    ///   - batchSize: How many elements a transaction has at most.
    ///   - progress: Is told how many objects are kept.
    ///   - make: Makes the object of an element; runs on several threads at a time.
    /// - Returns: How many objects were inserted.
    /// - Throws: What the sequence and `make` throw, `StoreError`, and `CancellationError`.
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
