public import Foundation
internal import Synchronization
package import Transformable

/// A store of objects with transformed attributes, in a database.
///
/// ```swift
/// let store = try Store(at: url, model: model, transformers: registry)
/// let id = try store.write { context in
///     let patient = try context.insert("Patient")
///     try patient.setValue("Ada", for: "name")
///     try patient.setValue(CGRect(x: 0, y: 0, width: 2, height: 1), for: "bed")
///     return patient.id
/// }
/// let bed = try store.read { try $0.object(id).value("bed", as: CGRect.self) }
/// ```
///
/// You can use a store from any thread. Readers see a snapshot while a writer works, and writers wait for each other.
/// When a task is canceled, a `read` or `write` that it awaits throws `CancellationError`: immediately while it waits
/// for its turn, and otherwise at the next row. A `write` is then rolled back.
///
/// ## Topics
/// ### Opening
/// - ``Options``
/// - ``validate(_:transformers:)``
/// ### Reading and writing
/// - ``makeContext(onConflict:)``
/// - ``rehearse(_:)``
/// - ``changes(of:)``
/// - ``results(of:tenant:_:)``
/// - ``sections(of:where:sortedBy:by:)``
public final class Store: Sendable {
    /// The store's file, or `nil` for a store in memory or on a server.
    public let url: URL?
    /// The options that the store was opened with.
    public let options: Options
    let schema: StoreSchema
    let registry: TransformerRegistry
    let engine: any Engine
    let watch: SchemaWatch
    let isReadOnly: Bool
    /// The store's seal, or `nil` if there is no secret key.
    let seal: StoreSeal?
    let isVerified: Bool
    /// The warning to give if the store is used although its model cannot be verified.
    package let trustWarning: StoreError?
    /// Removes what reading the database has left behind.
    private let cleanUp: (@Sendable () -> Void)?
    let hooks: HookTable
    let numbers: NumberReserve
    let observers = ObserverList()
    // The folder of a store in memory, which is removed along with the store.
    private let folder: WorkingFolder?
    let others = OtherWriters()
    private let commits = Atomic<Int>(0)
    // The connections that contexts for editing have opened for themselves.
    let readers = Mutex<[WeakEngine]>([])
    private let hasBegunToClose = Atomic(false)

    /// Whether other programs can use the same database.
    var isShared: Bool { url != nil || engine.dialect.has(.server) }

    /// The model in the file.
    public var model: Model { schema.model }

    /// The store's UUID, which contextual transformers bind values to.
    public var uuid: UUID { schema.uuid }

    /// Creates a store from its open database.
    package init(
        _ opened: StoreOpening.Opened,
        _ registry: TransformerRegistry,
        url: URL? = nil,
        options: Options,
        hooks: [String: EntityHooks]?
    ) throws {
        self.registry = registry
        self.hooks = try HookTable(hooks, opened.schema)
        numbers = NumberReserve(count: opened.schema.entities.count)
        self.url = url
        self.options = options
        schema = opened.schema
        engine = opened.engine
        cleanUp = opened.cleanUp
        seal = opened.trust.seal
        isVerified = opened.trust.isVerified
        trustWarning = opened.trust.warning
        watch = SchemaWatch(cookie: opened.cookie, seal: opened.trust.seal)
        folder = opened.folder
        isReadOnly = options.opening == .readOnly && (url != nil || opened.engine.dialect.has(.server))
    }

    deinit {
        observers.finish()
    }
}

// MARK: - Reading and writing

extension Store {
    /// Reads from a snapshot of the store.
    ///
    /// - Parameter body: A closure that reads. Its objects are valid only inside the closure, so return only `Sendable`
    ///   results.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, errors thrown by the closure, and, at the end, a failure to decode in an accessor that
    ///   cannot throw.
    public func read<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try read(in: undividedScope(), body)
    }

    /// Reads from a snapshot of the store, on a separate thread.
    ///
    /// - Parameter body: A closure that reads. Its objects are valid only inside the closure, so return only `Sendable`
    ///   results.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, errors thrown by the closure, and, at the end, a failure to decode in an accessor that
    ///   cannot throw. `CancellationError` if the task is canceled.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try await read(in: undividedScope(), body)
    }

    /// Changes the store in one transaction, which is rolled back if the closure throws an error.
    ///
    /// - Parameter body: A closure that changes objects. They are valid only inside the closure, so return only
    ///   `Sendable` results. The changes are saved when the closure returns.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    public func write<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try write(in: undividedScope(), body)
    }

    /// Changes the store in one transaction, on a separate thread.
    ///
    /// - Parameter body: A closure that changes objects. They are valid only inside the closure, so return only
    ///   `Sendable` results. The changes are saved when the closure returns.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, and errors thrown by the closure. `CancellationError` if the task is canceled before
    ///   the changes are committed, in which case nothing is changed.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try await write(in: undividedScope(), body)
    }

    func read<Result>(in scope: TenantScope, _ body: (StoreContext) throws -> Result) throws -> Result {
        try Nesting.check(self)
        return try BlobFolder.holding(schema.blobs?.folder) { hold in
            // The views of a tenant cannot be created while the single connection of a store in memory only reads.
            guard scope == .undivided || engine.hasReaders || isReadOnly else {
                return try engine.write(for: scope.use) { connection in
                    try connection.committing(.deferred) {
                        try ContextBlock(self, in: scope, on: connection).read(holding: hold, body)
                    }
                }
            }
            return try engine.read(for: scope.use) {
                try ContextBlock(self, in: scope, on: $0).read(holding: hold, body)
            }
        }
    }

    func read<Result: Sendable>(
        in scope: TenantScope,
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try await BlobFolder.holding(schema.blobs?.folder) { hold in
            // The access can outlast the caller's wait, and must not keep files then.
            try await AwaitedAccess.run { [self, weak hold] begin in
                guard scope == .undivided || engine.hasReaders || isReadOnly else {
                    return try await engine.write(for: scope.use) { connection in
                        try begin()
                        return try connection.committing(.deferred) {
                            try ContextBlock(self, in: scope, on: connection).read(holding: hold, body)
                        }
                    }
                }
                return try await engine.read(for: scope.use) { connection in
                    try begin()
                    return try ContextBlock(self, in: scope, on: connection).read(holding: hold, body)
                }
            }
        }
    }

    func write<Result>(
        in scope: TenantScope,
        for purpose: ContextPurpose = .writing,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        try Nesting.check(self)
        try requireWritable()
        let outcome = try engine.retrying {
            try engine.write(for: scope.use) { try ContextBlock(self, in: scope, on: $0).write(for: purpose, body) }
        }
        sweepGarbage()
        return try outcome.get()
    }

    func write<Result: Sendable>(
        in scope: TenantScope,
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try requireWritable()
        let outcome = try await AwaitedAccess.run { [self] begin in
            try await engine.retryingAwaited {
                try await engine.write(for: scope.use) { connection in
                    try begin()
                    return try ContextBlock(self, in: scope, on: connection).write(body)
                }
            }
        }
        sweepGarbage()
        return try outcome.get()
    }

    /// The number of times that contexts of this store have committed, or that commits by others were detected.
    var commitCount: Int { commits.load(ordering: .acquiring) }

    func noteCommit() {
        commits.add(1, ordering: .acquiringAndReleasing)
    }

    func requireWritable() throws(StoreError) {
        guard isReadOnly else { return }
        let place = url.map { "“\($0.path)” " } ?? ""
        throw StoreError(.readOnly, "the store \(place)was opened as read-only; open it for writing to change it")
    }

    /// Lends a connection for reading to a context that has none, or lets it use its own connection.
    package func borrow<Result>(
        _ own: (any Engine)? = nil,
        for use: ConnectionUse = .tables,
        _ body: (any EngineConnection) throws -> Result
    ) throws -> Result {
        try Nesting.check(self)
        return try BlobFolder.holding(schema.blobs?.folder) { hold in
            func checked(_ connection: any EngineConnection) throws -> Result {
                try hold?.confirm(on: connection)
                try watch.check(schema, on: connection)
                return try body(connection)
            }
            return try Nesting.enter(self) {
                // Temporary tables on a connection of its own outlast the transaction.
                if let own {
                    return try own.write(for: use) { connection in
                        try connection.committing(.deferred) { try checked(connection) }
                    }
                }
                // A store in memory has a single connection, which keeps the views that a fetch creates.
                return engine.hasReaders || isReadOnly
                    ? try engine.read(for: use, checked) : try engine.write(for: use, checked)
            }
        }
    }

    /// Lends the connection that writes.
    ///
    /// - Parameters:
    ///   - use: What the connection is for.
    ///   - whileReading: Whether the caller is using a separate connection for reading.
    ///   - body: A closure that writes.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func borrowForWriting<Result>(
        for use: ConnectionUse = .tables,
        whileReading: Bool = false,
        _ body: (any EngineConnection) throws -> Result
    ) throws -> Result {
        if !whileReading { try Nesting.check(self) }
        try requireWritable()
        let result = try Nesting.enter(self) { try engine.write(for: use, body) }
        if !whileReading { sweepGarbage() }
        return result
    }

    /// Throws an error if the store was closed, or is being closed.
    func requireOpen() throws(StoreError) {
        if hasBegunToClose.load(ordering: .acquiring) { throw .closed }
    }

    /// Closes the store, once the reads and writes that are in progress have ended.
    ///
    /// Using the store afterward is an error.
    ///
    /// - Throws: `StoreError` with the code `misuse` in a read or write of the store, or if the file cannot be closed.
    public func close() throws {
        try Nesting.check(self, "a store cannot be closed in a read or write of its own; close it afterward")
        // From now on, contexts open no connections of their own.
        hasBegunToClose.store(true, ordering: .releasing)
        for reader in readers.withLock(\.self) { try reader.engine?.close() }
        try engine.close()
        observers.finish()
        numbers.clear()
        cleanUp?()
        others.stop()
    }
}

extension StoreError {
    /// The error of using a store after it was closed.
    package static var closed: Self { Self(.misuse, "the store has been closed") }
}
