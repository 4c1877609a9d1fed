internal import Synchronization

extension Store {
    /// Inserts an object for each element of a sequence in one transaction, encoding on all cores.
    ///
    /// See ``StoreContext/insert(many:into:progress:fill:)``. On a server, the transaction may run again, so the elements
    /// of a sequence that is not a collection are first collected in memory.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - entity: The entity's name.
    ///   - tenant: The tenant's number, if the objects belong to tenants.
    ///   - progress: A closure that is called with the number of objects written so far. If it throws an error, the
    ///     insertion ends.
    ///   - fill: Sets the attributes of an element's object. It runs on several threads at the same time.
    /// - Returns: The numbers of the new objects, in the order of the elements.
    /// - Throws: Errors thrown by `fill` and `progress`, and `StoreError`. In either case, nothing is inserted.
    @inlinable
    @discardableResult
    public func insert<Elements: Sequence>(
        many elements: Elements,
        into entity: String,
        tenant: Int64? = nil,
        progress: ((_ count: Int) throws -> Void)? = nil,
        fill: @escaping @Sendable (ManagedObject, Elements.Element) throws -> Void
    ) throws -> Range<Int64> where Elements.Element: Sendable {
        if let kept = kept(elements) {
            return try insert(into: entity, for: tenant) {
                try $0.insert(many: kept, into: entity, progress: progress, fill: fill)
            }
        }
        return try insert(into: entity, for: tenant) {
            try $0.insert(many: elements, into: entity, progress: progress, fill: fill)
        }
    }

    /// Inserts objects in one transaction.
    ///
    /// - Parameters:
    ///   - entity: The name of the objects' entity.
    ///   - tenant: The tenant of the objects, or `nil` if they belong to none.
    ///   - body: A closure that inserts the objects.
    /// - Returns: The result of the closure.
    /// - Throws: Errors thrown by the closure, and `StoreError`.
    @usableFromInline
    package func insert<Result>(
        into entity: String,
        for tenant: Int64?,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        try write(in: scope(of: entity, for: tenant), body)
    }

    /// Returns the scope of an insertion: that of a tenant, of shared objects, or of a store without tenants.
    private func scope(of entity: String, for tenant: Int64?) throws -> TenantScope {
        let isShared = try tenant == nil && schema.model.hasTenants && !schema.entity(entity).belongsToTenant
        return try isShared ? .shared : tenant.map { try scope(of: $0) } ?? undividedScope()
    }

    /// Returns the elements of a sequence that may be gone after the first attempt of a transaction that runs again.
    ///
    /// - Parameter elements: The sequence.
    /// - Returns: The elements, or `nil` if the sequence itself can be used for each attempt.
    @usableFromInline
    package func kept<Elements: Sequence>(_ elements: Elements) -> [Elements.Element]? {
        engine.dialect.has(.server) && !(elements is any Collection) ? Array(elements) : nil
    }

    /// Inserts an object for each element of an asynchronous sequence, encoding on all cores.
    ///
    /// Each batch is a transaction of its own, so that nothing is locked while waiting for elements. What was written
    /// before a failure or cancellation is kept, and has been reported to `progress`.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - entity: The entity's name.
    ///   - tenant: The tenant's number, if the objects belong to tenants.
    ///   - batchSize: The maximum number of elements in a transaction.
    ///   - progress: A closure that is called with the number of objects that are kept.
    ///   - fill: Sets the attributes of an element's object. It runs on several threads at the same time.
    /// - Returns: The number of inserted objects.
    /// - Throws: Errors thrown by the sequence and by `fill`, `StoreError`, and `CancellationError`.
    @discardableResult
    public func insert<Elements: AsyncSequence>(
        many elements: Elements,
        into entity: String,
        tenant: Int64? = nil,
        batchSize: Int = 10_000,
        progress: (@Sendable (_ count: Int) -> Void)? = nil,
        fill: @escaping @Sendable (ManagedObject, Elements.Element) throws -> Void
    ) async throws -> Int where Elements.Element: Sendable {
        try await insert(
            inBatchesOf: batchSize,
            elements,
            of: entity,
            for: tenant,
            progress: progress
        ) { batch, context, check in
            _ = try context.insert(many: batch, into: entity, progress: check, fill: fill)
        }
    }

    /// Collects elements, and inserts each batch of them in a transaction.
    ///
    /// - Parameters:
    ///   - size: The maximum number of elements in a batch.
    ///   - elements: The elements.
    ///   - entity: The name of the objects' entity.
    ///   - tenant: The tenant of the objects, or `nil` if they belong to none.
    ///   - progress: A closure that is called with the number of objects that are kept.
    ///   - insert: Inserts a batch. The function that it receives throws an error if the task has been canceled.
    /// - Returns: The number of elements.
    /// - Throws: Errors thrown by the sequence and by the insertion, and `CancellationError`.
    package func insert<Elements: AsyncSequence>(
        inBatchesOf size: Int,
        _ elements: Elements,
        of entity: String,
        for tenant: Int64?,
        progress: (@Sendable (_ count: Int) -> Void)?,
        _ insert: @escaping BatchInsertion<Elements.Element>
    ) async throws -> Int where Elements.Element: Sendable {
        precondition(size > 0, "the size of a batch must be at least 1")
        let scope = try scope(of: entity, for: tenant)
        var count = 0
        var batch: [Elements.Element] = []
        for try await element in elements {
            batch.append(element)
            guard batch.count == size else { continue }
            try await self.insert(batch, after: count, in: scope, insert)
            count += batch.count
            progress?(count)
            batch.removeAll(keepingCapacity: true)
        }
        // A sequence may end because its task is canceled.
        try Task.checkCancellation()
        guard !batch.isEmpty else { return count }
        try await self.insert(batch, after: count, in: scope, insert)
        count += batch.count
        progress?(count)
        return count
    }

    /// Inserts a batch in a transaction, and regularly calls a function that ends the transaction by throwing an error.
    package typealias BatchInsertion<Element> =
        @Sendable (_ batch: [Element], _ context: StoreContext, _ check: @escaping (Int) throws -> Void) throws -> Void

    /// Inserts a batch, unless the task is canceled in the meantime.
    private func insert<Element: Sendable>(
        _ batch: [Element],
        after count: Int,
        in scope: TenantScope,
        _ insert: @escaping BatchInsertion<Element>
    ) async throws {
        let cancellation = CancellationFlag()
        do {
            try await withTaskCancellationHandler {
                try await write(in: scope) { context in
                    try insert(batch, context) { _ in try cancellation.check() }
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch var error as StoreError {
            try cancellation.check()
            error.element = error.element.map { $0 + count }
            throw error
        }
    }
}

/// Whether a task was canceled, for the thread that works for it.
private final class CancellationFlag: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    func check() throws(CancellationError) {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
