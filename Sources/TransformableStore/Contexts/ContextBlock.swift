/// A closure that uses a context on one connection.
///
/// The block creates the context, limits the connection to what the context can see, and always ends the context, so that
/// its objects cannot use the connection afterward.
struct ContextBlock {
    private let store: Store
    private let scope: TenantScope
    private let connection: any EngineConnection

    init(_ store: Store, in scope: TenantScope = .undivided, on connection: any EngineConnection) {
        self.store = store
        self.scope = scope
        self.connection = connection
    }

    /// Calls a closure with a context for reading.
    ///
    /// - Parameters:
    ///   - hold: What keeps the files that the connection's snapshot can see, or `nil` if there are none.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func read<Result>(
        holding hold: BlobFolder.Hold?,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        try hold?.confirm(on: connection)
        try store.watch.check(store.schema, on: connection)
        return try views.run(on: connection) {
            let context = makeContext(for: .reading)
            defer { context.end() }
            return try Nesting.enter(store) {
                let result = try body(context)
                try context.requireUncancelled()
                try context.failures.throwFirst()
                return result
            }
        }
    }

    /// Calls a closure with a context for writing, and saves its changes, in one transaction.
    ///
    /// - Parameters:
    ///   - purpose: What the context is for.
    ///   - body: The closure.
    /// - Returns: The result of the closure, or the error of a hook that ran after the commit. That error is not thrown,
    ///   because the caller may run everything again after an error.
    /// - Throws: `StoreError`, and errors thrown by the closure, if nothing was committed.
    func write<Result>(
        for purpose: ContextPurpose = .writing,
        _ body: (StoreContext) throws -> Result
    ) throws -> Swift.Result<Result, any Error> {
        let context = makeContext(for: purpose)
        defer { context.end() }
        return try Nesting.enter(store) {
            let result = try connection.committing {
                try views.run(on: connection) { try finish(body, in: context) }
            }
            context.publishCommit()
            // A cancellation comes too late.
            context.becomeUninterruptible()
            return Swift.Result {
                try didCommit(context)
                return result
            }
        }
    }

    /// Runs the hooks that follow a commit.
    private func didCommit(_ context: StoreContext) throws {
        try Interruption.ignored {
            try views.run(on: connection) {
                try context.didCommit()
                // What hooks after the commit tried and was rejected.
                try context.failures.throwFirst()
            }
        }
    }

    /// Calls a closure with a context in a transaction that is rolled back at the end.
    func rehearse<Result>(_ body: (StoreContext) throws -> Result) throws -> (result: Result, changes: ChangeSet) {
        let context = makeContext(for: .rehearsing)
        context.saving.record.listsAll = true
        defer { context.end() }
        return try Nesting.enter(store) {
            try connection.committing(completion: .rollback) {
                try views.run(on: connection) { (try finish(body, in: context), context.saving.record.changes) }
            }
        }
    }

    /// Calls a closure with a context in a transaction that is already in progress: that of a migration.
    func migrate(_ record: MigrationRecord, _ body: (StoreContext) throws -> Void) throws {
        let context = makeContext(for: .migrating(record))
        defer { context.end() }
        try Nesting.enter(store) {
            try views.run(on: connection) {
                try body(context)
                try context.save()
                try ReferenceCheck.run(store.schema, on: connection)
                try context.failures.throwFirst()
            }
        }
    }

    private func makeContext(for purpose: ContextPurpose) -> StoreContext {
        StoreContext(store, in: scope, on: connection, for: purpose)
    }

    private var views: TenantViews { TenantViews(schema: store.schema, scope: scope) }

    /// Runs everything in a transaction except its end.
    private func finish<Result>(_ body: (StoreContext) throws -> Result, in context: StoreContext) throws -> Result {
        try store.watch.check(store.schema, on: connection)
        do {
            let result = try body(context)
            try context.requireUncancelled()
            try context.save()
            try ReferenceCheck.run(store.schema, on: connection)
            try context.failures.throwFirst()
            return result
        } catch var error as StoreError where error.code == .notUnique && context.saving.hasMissedObject {
            // Another program may have inserted the object since the transaction's snapshot.
            error.mayFindObject = true
            throw error
        }
    }
}

/// The stores that the current thread is reading or writing.
///
/// A nested block would wait for itself. So would a block in a task that was started in a block, if the block waits for
/// the task. But the task can also outlast the block, and it then uses the store like any other task.
enum Nesting {
    /// A block of a store.
    struct Block: Sendable {
        // No other store has this identity while the block is open, because the block retains its store.
        fileprivate let store: ObjectIdentifier
        fileprivate let span: AccessSpan
    }

    @TaskLocal static var active: [Block] = []

    /// Returns whether a block of the store is open around the current code.
    static func isActive(_ store: Store) -> Bool {
        active.contains { $0.store == ObjectIdentifier(store) && $0.span.isOpen }
    }

    static func check(
        _ store: Store,
        _ message: String = "a read or write of the store is nested in another one; use the outer context"
    ) throws(StoreError) {
        guard !isActive(store) else { throw StoreError(.misuse, message) }
    }

    /// Runs a closure that reads or writes a store.
    static func enter<Result>(
        _ store: Store,
        within outer: [Block] = Nesting.active,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let span = AccessSpan()
        defer { withExtendedLifetime(store) { span.end() } }
        // Tasks that start each other in blocks would otherwise collect blocks that have ended.
        var blocks = outer.filter { $0.span.isOpen }
        blocks.append(Block(store: ObjectIdentifier(store), span: span))
        return try $active.withValue(blocks, operation: body)
    }
}
