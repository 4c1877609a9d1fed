public import Foundation
internal import GRDB
internal import Synchronization
public import Transformable

/// A store: objects with transformed attributes in an SQLite file, or in memory.
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
/// A store may be used from any thread. Readers see a snapshot while a writer works; writers wait
/// for each other. A `read` or `write` that is awaited ends with `CancellationError` when its task is cancelled: at once
/// while it waits for its turn, and else at the next row; a `write` is rolled back then.
///
/// ## Topics
/// ### Opening
/// - ``init(at:model:transformers:options:hooks:migrations:)``
/// - ``inMemory(model:transformers:options:hooks:)``
/// - ``Options``
/// - ``check(_:_:)``
/// - ``plan(at:model:transformers:options:migrations:)``
/// ### Reading and writing
/// - ``makeContext(onConflict:)``
/// - ``rehearse(_:)``
/// - ``changes(of:)``
/// - ``sections(of:where:sortedBy:by:)``
public final class Store: Sendable {
    /// The file; nil for a store in memory.
    public let url: URL?
    /// How the store was opened.
    public let options: Options
    let schema: StoreSchema
    let registry: TransformerRegistry
    let database: any DatabaseWriter
    let watch: SchemaWatch
    let isReadOnly: Bool
    /// What keeps the file sealed; nil without a secret key.
    let seal: StoreSeal?
    let isVerified: Bool
    /// What to tell whoever reads on although nothing shows that the model is genuine.
    package let trustWarning: StoreError?
    private let quietPath: String?
    let hooks: HookTable
    let numbers: NumberReserve
    let observers = ObserverList()
    // Where the files of a store in memory lie; it goes with the store.
    private let folder: WorkingFolder?
    let others = OtherWriters()
    private let commits = Atomic<Int>(0)
    // The connections that contexts for editing have made for themselves.
    let connections = Mutex<[WeakConnection]>([])

    /// The model as it is in the file.
    public var model: Model { schema.model }

    /// The store's own UUID, which contextual transformers bind values to.
    public var uuid: UUID { schema.uuid }

    /// Opens a store, or makes one.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The model; nil takes the one in the file.
    ///   - registry: The transformers that the model names.
    ///   - options: Whether the file must or must not exist, and what else is to be said.
    ///   - hooks: What the program does at turning points of objects, by the names of entities.
    ///   - migrations: What the program does itself when the file has an earlier version of the model.
    /// - Throws: ``StoreError``: the file cannot be opened or made, is no store or a newer one; the model
    ///   differs from the file's, or cannot hold what is in it; a transformer does not resolve, or is not the one that
    ///   wrote its column.
    public convenience init(
        at url: URL,
        model: Model? = nil,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        hooks: [String: EntityHooks] = [:],
        migrations: [MigrationStep] = []
    ) throws {
        let model = try model.map { try $0.statingStages(by: registry) }
        let steps = try MigrationSteps(migrations)
        if let model, options.changedTransformers == .reencode, ![.readOnly, .create].contains(options.opening) {
            try ReencodingAtOpening(url: url, model: model, registry: registry, options: options, steps: steps).run()
        }
        let opened = try StoreFile.open(
            url,
            model: model,
            registry: registry,
            options: options,
            steps: steps
        )
        try self.init(opened, registry, url: url, options: options, hooks: hooks)
    }

    /// Creates a store in memory, which is gone with the last reference to it.
    ///
    /// Every transformer runs as in a file, and readers see a snapshot while a writer works. It lies in a folder under
    /// `/dev/shm`, which is memory, and which nobody but its owner can enter; what a killed process leaves there, the next
    /// store in memory of the same user removes. Where there are not 256 MB free in `/dev/shm`, it lies in the process’s own
    /// memory instead, and a read waits for the write under way.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The transformers that the model names.
    ///   - options: What is to be said beside that; how a file is opened does not matter.
    ///   - hooks: What the program does at turning points of objects, by the names of entities.
    /// - Returns: The store.
    /// - Throws: ``StoreError`` if a transformer does not resolve.
    public static func inMemory(
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        hooks: [String: EntityHooks] = [:]
    ) throws -> Store {
        let model = try model.statingStages(by: registry)
        let opened = try StoreFile.openInMemory(model: model, registry: registry, options: options)
        return try Store(opened, registry, options: options, hooks: hooks)
    }

    init(
        _ opened: StoreFile.Opened,
        _ registry: TransformerRegistry,
        url: URL? = nil,
        options: Options,
        hooks: [String: EntityHooks]
    ) throws {
        self.registry = registry
        self.hooks = try HookTable(hooks, opened.schema)
        numbers = NumberReserve(count: opened.schema.entities.count)
        self.url = url
        self.options = options
        schema = opened.schema
        database = opened.database
        quietPath = opened.quietPath
        seal = opened.trust.seal
        isVerified = opened.trust.isVerified
        trustWarning = opened.trust.warning
        watch = SchemaWatch(cookie: opened.cookie, seal: opened.trust.seal)
        folder = opened.folder
        isReadOnly = options.opening == .readOnly && url != nil
    }
}

// MARK: - Reading and writing

extension Store {
    /// Reads from a snapshot of the store.
    ///
    /// - Parameter body: Reads; its objects stay in it, and only `Sendable` results leave.
    /// - Returns: What the body gives.
    /// - Throws: ``StoreError``, what the body throws, and at the end a failure to decode that an accessor
    ///   could not throw.
    public func read<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try Nesting.check(self)
        let hold = try schema.blobs?.hold()
        defer { withExtendedLifetime(hold) {} }
        return try Failure.translate {
            try database.read { database in
                try StoreContext.read(self, on: database, body)
            }
        }
    }

    /// Reads from a snapshot of the store, on a thread of its own.
    ///
    /// - Parameter body: Reads; its objects stay in it, and only `Sendable` results leave.
    /// - Returns: What the body gives.
    /// - Throws: ``StoreError``, what the body throws, and at the end a failure to decode that an accessor
    ///   could not throw; `CancellationError`.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        let hold = try schema.blobs?.hold()
        defer { withExtendedLifetime(hold) {} }
        return try await AwaitedAccess.run { [self] begin in
            try await Failure.translateAsync {
                try await database.read { database in
                    try begin()
                    return try StoreContext.read(self, on: database, body)
                }
            }
        }
    }

    /// Changes the store in one transaction: all of it is kept, or nothing if the body throws.
    ///
    /// - Parameter body: Changes objects, which stay in it; only `Sendable` results leave. What it has
    ///   changed is saved when it returns.
    /// - Returns: What the body gives.
    /// - Throws: ``StoreError``, and what the body throws.
    public func write<Result: Sendable>(_ body: (StoreContext) throws -> Result) throws -> Result {
        try Nesting.check(self)
        try requireWritable()
        let result = try Failure.translate {
            try database.writeWithoutTransaction { database in
                try StoreContext.write(self, on: database, body)
            }
        }
        sweepGarbage()
        return result
    }

    /// Changes the store in one transaction, on a thread of its own.
    ///
    /// - Parameter body: Changes objects, which stay in it; only `Sendable` results leave. What it has
    ///   changed is saved when it returns.
    /// - Returns: What the body gives.
    /// - Throws: ``StoreError``, and what the body throws; `CancellationError`, and then nothing was changed.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreContext) throws -> Result
    ) async throws -> Result {
        try requireWritable()
        let result = try await AwaitedAccess.run { [self] begin in
            try await Failure.translateAsync {
                try await database.writeWithoutTransaction { database in
                    try begin()
                    return try StoreContext.write(self, on: database, body)
                }
            }
        }
        sweepGarbage()
        return result
    }

    /// How often contexts of this store have committed.
    var commitCount: Int { commits.load(ordering: .acquiring) }

    func noteCommit() {
        commits.add(1, ordering: .acquiringAndReleasing)
    }

    func requireWritable() throws(StoreError) {
        guard !isReadOnly else { throw StoreError(.readOnly, "the store is open for reading only") }
    }

    /// Lends a connection to a context that has none, for reading; or has it use one that it has made for itself.
    func borrow<Result>(_ own: DatabaseQueue? = nil, _ body: (Database) throws -> Result) throws -> Result {
        try Nesting.check(self)
        let hold = try schema.blobs?.hold()
        defer { withExtendedLifetime(hold) {} }
        return try Failure.translate {
            try Nesting.enter(self) {
                // A store in memory has one connection, which takes what a fetch lays over its tables.
                if let own { return try own.inTransaction(checking: self, body) }
                let isShared = database is DatabasePool || isReadOnly
                let checked = { (connection: Database) in
                    try self.watch.check(self.schema, on: connection)
                    return try body(connection)
                }
                return isShared ? try database.read(checked) : try database.writeWithoutTransaction(checked)
            }
        }
    }

    /// Lends the connection that writes.
    func borrowForWriting<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try Nesting.check(self)
        try requireWritable()
        let result = try Failure.translate {
            try Nesting.enter(self) { try database.writeWithoutTransaction(body) }
        }
        sweepGarbage()
        return result
    }

    /// Closes the file; whatever is asked of the store afterwards is an error.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/busy`` while a read or write is under way.
    public func close() throws {
        // Readers go first: only a last connection that may write removes SQLite's files beside the database.
        (database as? DatabasePool)?.invalidateReadOnlyConnections()
        try Failure.translate {
            for connection in connections.withLock(\.self) { try connection.queue?.close() }
            try database.close()
        }
        if let quietPath { StoreFile.removeEmptyLog(quietPath) }
        observers.finish()
        others.stop()
    }
}

/// Which stores the current thread is reading or writing: a block inside another one would wait for itself.
enum Nesting {
    @TaskLocal static var active: Set<ObjectIdentifier> = []

    static func check(_ store: Store) throws(StoreError) {
        guard !active.contains(ObjectIdentifier(store)) else {
            throw StoreError(.misuse, "a read or write of the store is inside another one; use the context at hand")
        }
    }

    /// Runs a body that reads or writes a store.
    static func enter<Result>(_ store: Store, _ body: () throws -> Result) rethrows -> Result {
        try $active.withValue(active.union([ObjectIdentifier(store)]), operation: body)
    }
}

extension DatabaseQueue {
    /// Runs a body in a transaction for reading, which keeps what it does to temporary tables.
    fileprivate func inTransaction<Result>(
        checking store: Store,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try writeWithoutTransaction { database in
            try database.committing(.deferred) {
                try store.watch.check(store.schema, on: database)
                return try body(database)
            }
        }
    }
}
