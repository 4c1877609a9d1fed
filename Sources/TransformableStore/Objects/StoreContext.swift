internal import Foundation
internal import GRDB
internal import Transformable

/// A context in which you read and change objects of a store: those of one `read` or `write`, or those that you edit
/// for as long as you like.
///
/// The context of a `read` or `write` is valid only inside its block, and so are its objects. A context from
/// ``Store/makeContext(onConflict:)`` is valid as long as it is referenced, by your program or by unsaved changes. See
/// <doc:Editing>. A context has exactly one object for each row.
///
/// ## Topics
/// ### Finding objects
/// - ``object(_:)``
/// - ``objectIfAny(_:)``
/// - ``fault(_:)``
/// - ``prefetch(_:)``
/// - ``fetch(_:where:sortedBy:limit:offset:)``
/// - ``first(_:where:sortedBy:)``
/// - ``forEach(_:where:sortedBy:limit:offset:_:)``
/// - ``count(_:where:)``
/// - ``exists(_:where:)``
/// - ``ids(_:where:sortedBy:limit:offset:)``
/// - ``forEachBatch(_:of:where:sortedBy:_:)``
/// - ``values(_:of:where:sortedBy:limit:offset:)``
/// - ``aggregate(_:_:where:groupedBy:)``
/// - ``findOrInsert(_:_:)``
/// - ``rows(_:arguments:)``
/// - ``forEachRow(_:arguments:_:)``
/// ### Changing them
/// - ``insert(_:)``
/// - ``upsert(_:_:)``
/// - ``insert(many:into:progress:fill:)``
/// - ``update(_:where:progress:_:)``
/// - ``delete(_:)``
/// - ``delete(_:where:)``
/// - ``validateForDelete(_:)``
/// - ``save()``
/// ### Editing
/// - ``hasChanges``
/// - ``insertedObjects``
/// - ``updatedObjects``
/// - ``deletedObjects``
/// - ``rollback()``
/// - ``refresh(_:keepingChanges:)``
/// - ``refreshAll()``
/// - ``onConflict``
/// ### Undoing
/// - ``group(_:)``
/// - ``undo()``
/// - ``redo()``
/// - ``canUndo``
/// - ``canRedo``
public final class StoreContext {
    /// The phase of a context while it saves.
    enum Phase {
        case open
        /// Hooks run before anything is written.
        ///
        /// Their changes are written as well.
        case preparing
        case writing
        /// The transaction of a `write` has ended.
        case settled
    }

    /// The context's store.
    public let store: Store
    /// Whether objects can be changed.
    public let isWritable: Bool
    /// Whether the context was made for editing, rather than for one block.
    public let isEditing: Bool
    /// What happens to an object that another context has saved since it was read here.
    public var onConflict: ConflictPolicy
    let schema: StoreSchema
    var phase = Phase.open
    private var connection: Database?
    // Whether the context belongs to an awaited block, which ends when its task is canceled.
    private(set) var isInterruptible = Interruption.isHeeded
    private let objects: [ObjectTable]
    private var statements: [String: SQLStatement] = [:]
    private var insertions: [SQLStatement?]
    // The highest numbers that were taken while the context has been connected.
    var lastNumbers: [Int64?]
    // Whether a context for editing is saving.
    private var isInTransaction = false
    // The objects with changes, in the order of their first change.
    var changed: [ManagedObject] = []
    // The deleted objects whose delete rules have not been applied yet.
    private var deleted: [ManagedObject] = []
    var pairs = PairEdits()
    var links = LinkIndex()
    // The pending changes as tables, once a fetch has asked for them.
    var pendingTables: PendingTables?
    // Whether a fetch that sees them is running.
    var isOverlaid = false
    // The tables that a view of pending changes replaces.
    var overlaidTables: Set<String> = []
    // The last positions in ordered relationships, where they are known.
    var lastPositions: [PositionKey: Int64] = [:]
    // The objects with a value that can be changed in place without notice.
    private var watched: [ManagedObject] = []
    // The objects whose relationships may contain more or fewer objects than when they were last counted.
    private var recounted: Set<ObjectID> = []
    private var failures = FailureList()
    // The values that setters that cannot throw have rejected.
    var refusals: [Refusal] = []
    var isInHook = false
    // Whether an object is being notified that it was fetched.
    var isAwaking = false
    // Whether the context's block has ended.
    private var hasEnded = false
    // Whether relationships include objects that are marked as deleted, while hooks run for them.
    var showsDeleted = false
    // The number of deletions in progress, each from a hook of the previous one.
    var deletionDepth = 0
    // The objects that were notified of their deletion.
    var prepared: [ManagedObject] = []
    var undoLog = UndoLog()
    // What the current transaction has written.
    var written: [WrittenObject] = []
    var changes = ChangeSet()
    // Text written since the last save whose uniqueness SQLite cannot check.
    var rewritableTexts: [RewritableText] = []
    // Whether there are observers of the current transaction.
    var isObserved = false
    /// The migration whose steps use the context, or `nil` if there is none.
    private(set) var migration: MigrationRecord?
    /// Whether the transaction will be rolled back, because only its changes are of interest.
    private(set) var isRehearsal = false

    private init(_ store: Store, _ database: Database?, isWritable: Bool, isEditing: Bool = false) {
        self.store = store
        self.isWritable = isWritable
        self.isEditing = isEditing
        onConflict = .fail
        schema = store.schema
        connection = database
        objects = store.schema.entities.map { _ in ObjectTable() }
        insertions = Array(repeating: nil, count: store.schema.entities.count)
        lastNumbers = Array(repeating: nil, count: store.schema.entities.count)
    }

    /// Creates a context for editing.
    convenience init(editing store: Store, onConflict: ConflictPolicy) {
        self.init(store, nil, isWritable: !store.isReadOnly, isEditing: true)
        self.onConflict = onConflict
    }

    /// Creates a context without a file, for objects that are configured and encoded on a separate thread.
    convenience init(detachedFrom store: Store) {
        self.init(store, nil, isWritable: true)
    }

    /// Calls a closure with a context for reading.
    static func read<Result>(
        _ store: Store,
        on database: Database,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        try store.watch.check(store.schema, on: database)
        let context = StoreContext(store, database, isWritable: false)
        defer { context.end() }
        return try Nesting.enter(store) {
            let result = try body(context)
            try context.requireUncancelled()
            try context.throwFailures()
            return result
        }
    }

    /// Calls a closure with a context for writing, and saves its changes, in one transaction.
    static func write<Result>(
        _ store: Store,
        on database: Database,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        let context = StoreContext(store, database, isWritable: true)
        defer { context.end() }
        return try Nesting.enter(store) {
            let result = try database.committing { try context.finish(body, on: database) }
            context.publishCommit()
            // A cancellation comes too late.
            context.ignoreCancellation()
            return try Interruption.ignored {
                try context.didCommit()
                // What hooks after the commit tried and was rejected.
                try context.throwFailures()
                return result
            }
        }
    }

    /// Calls a closure with a context in a transaction that is rolled back at the end.
    static func rehearse<Result>(
        _ store: Store,
        on database: Database,
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        let context = StoreContext(store, database, isWritable: true)
        context.isRehearsal = true
        defer { context.end() }
        return try Nesting.enter(store) {
            try database.committing(completion: .rollback) {
                (try context.finish(body, on: database), context.changes)
            }
        }
    }

    /// Runs everything in a transaction except its end.
    private func finish<Result>(_ body: (StoreContext) throws -> Result, on database: Database) throws -> Result {
        try store.watch.check(store.schema, on: database)
        let result = try body(self)
        try requireUncancelled()
        try save()
        try ReferenceCheck.run(store.schema, on: database)
        try throwFailures()
        return result
    }

    /// Throws an error if the task that awaits the block was canceled.
    func requireUncancelled() throws(CancellationError) {
        if isInterruptible, Task.isCancelled { throw CancellationError() }
    }

    /// Calls a closure with a context in a transaction that is already in progress, such as a migration's.
    static func migrate(
        _ store: Store,
        _ record: MigrationRecord,
        on database: Database,
        _ body: (StoreContext) throws -> Void
    ) throws {
        let context = StoreContext(store, database, isWritable: true)
        context.migration = record
        defer { context.end() }
        try Nesting.enter(store) {
            try body(context)
            try context.save()
            try ReferenceCheck.run(store.schema, on: database)
            try context.throwFailures()
        }
    }

    private func end() {
        let pending = changed + watched
        changed = []
        deleted = []
        watched = []
        recounted = []
        written = []
        prepared = []
        refusals = []
        pairs = PairEdits()
        links.forgetSources()
        dropLists()
        release(pending, evenIfPending: true)
        disconnect()
        connection = nil
        hasEnded = true
    }

    func throwFailures() throws(StoreError) {
        try throwRefused()
        guard var first = failures.errors.first else { return }
        if failures.errors.count > 1 { first.faults = failures.errors.map(\.description) }
        failures = FailureList()
        throw first
    }

    /// Records a failure to decode in an accessor that cannot throw.
    package func record(_ failure: StoreError) {
        requireBlock(for: failure)
        // A row that somebody has forged is no value that cannot be decoded.
        let isLenient = store.options.quarantine == .report && failure.code != .unauthenticatedRow
        if !isLenient { failures.add(failure) }
    }

    /// Discards recorded failures, for callers that examine every cell themselves.
    func forgetFailures() {
        failures = FailureList()
    }

    /// Stops the program if an accessor that cannot throw is used when no block can throw its error.
    ///
    /// Otherwise, a value that it sets would be silently lost, and a value that it returns would be made up.
    func requireBlock(for error: StoreError) {
        guard hasEnded else { return }
        store.options.logger?.noteEndedBlock(error)
        preconditionFailure(
            "an object is used after its block has ended (\(error)); return values or its "
                + "persistentID from the block, or fetch it in a context from makeContext()"
        )
    }

    func place(of object: Int64, _ attribute: StoredAttribute, _ entity: StoredEntity) -> TransformContext {
        TransformContext(store: schema.uuid, entity: entity.id, attribute: attribute.id, object: object)
    }

    func requireWritable() throws(StoreError) {
        guard isWritable else {
            throw StoreError(.readOnly, "objects can be changed only in a write of a store that is not read-only")
        }
        guard phase != .settled else {
            throw StoreError(.misuse, "the write has been committed; its objects can no longer be changed")
        }
    }

    /// Whether setting a value that is kept in memory only counts as a change.
    var notesTransientChanges: Bool { isWritable && !hasEnded && phase != .settled && !isAwaking }

    /// Throws an error if the context's block has ended.
    func requireOpen() throws(StoreError) {
        guard !hasEnded else { throw Self.disconnected }
    }
}

@available(*, unavailable)
extension StoreContext: Sendable {}

// MARK: - The connection

extension StoreContext {
    /// Calls a closure with a connection: the one in use by the context, or else a borrowed one.
    func connected<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let connection { return try body(connection) }
        return try connected(through: nil, body)
    }

    /// The same, through the context's own connection if there is one.
    func connected<Result>(through own: DatabaseQueue?, _ body: (Database) throws -> Result) throws -> Result {
        guard isEditing else { throw Self.disconnected }
        return try store.borrow(own) { database in
            connect(database)
            defer { disconnect() }
            return try keepingNumbers(database, inTransaction: false) { try body(database) }
        }
    }

    /// The same, in a transaction that is committed unless the closure throws.
    func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try store.borrowForWriting { database in
            connect(database)
            isInTransaction = true
            defer {
                isInTransaction = false
                disconnect()
            }
            let result = try keepingNumbers(database, inTransaction: true) {
                try database.committing {
                    try store.watch.check(store.schema, on: database)
                    return try body(database)
                }
            }
            publishCommit()
            return result
        }
    }

    private func connect(_ database: Database) {
        connection = database
    }

    /// Lets everything run to its end from now on, even if the task is canceled.
    private func ignoreCancellation() {
        isInterruptible = false
        forgetStatements()
    }

    private func forgetStatements() {
        statements = [:]
        insertions = Array(repeating: nil, count: insertions.count)
    }

    private func disconnect() {
        forgetStatements()
        guard isEditing else { return }
        connection = nil
        lastNumbers = Array(repeating: nil, count: lastNumbers.count)
    }

    /// Returns the current connection.
    func database() throws(StoreError) -> Database {
        guard let connection else { throw Self.disconnected }
        return connection
    }

    private static var disconnected: StoreError {
        StoreError(.misuse, "an object or context is used after its block has ended, or in a bulk insertion")
    }

    var isConnected: Bool { connection != nil }

    /// Whether the connection can only read.
    var isReading: Bool { isEditing && isConnected && !isInTransaction && store.database is DatabasePool }

    /// Returns a statement from the connection's cache.
    ///
    /// It must run to its end before it is needed again.
    func statement(_ sql: String) throws -> SQLStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLStatement(sql, on: database())
        statements[sql] = statement
        return statement
    }

    /// Returns the statement that inserts a row, without hashing its text each time.
    func insertion(_ entity: StoredEntity) throws -> SQLStatement {
        if let statement = insertions[entity.index] { return statement }
        let statement = try statement(entity.insert)
        insertions[entity.index] = statement
        return statement
    }

    /// Whether there is no file, as for objects that are encoded on a separate thread.
    var isDetached: Bool { connection == nil && !isEditing }

    /// Returns all rows of a statement that returns few.
    func rows(_ sql: String, _ values: [ColumnValue], count: Int) throws -> [PackedRow] {
        try connected { try SQLStatement.rows(sql, values, count: count, on: $0) }
    }
}

// MARK: - One object per row

extension StoreContext {
    func registered(_ entity: StoredEntity, _ number: Int64) -> ManagedObject? {
        objects[entity.index][number]
    }

    func register(_ object: ManagedObject) {
        objects[object.entity.index].insert(object)
    }

    func unregister(_ entity: StoredEntity, _ number: Int64) {
        objects[entity.index].remove(number)
    }

    /// All objects that are referenced.
    var livingObjects: [ManagedObject] { objects.flatMap(\.living) }
}

// MARK: - Changes

extension StoreContext {
    func noteChange(_ object: ManagedObject) {
        changed.append(object)
        pendingTables?.note(object)
    }

    func noteDeletion(_ object: ManagedObject) {
        deleted.append(object)
    }

    /// Returns the next object whose delete rules must be applied.
    func takeDeleted() -> ManagedObject? {
        deleted.popLast()
    }

    /// Records that the object's relationships must be counted before the block ends.
    func recount(_ id: ObjectID) {
        recounted.insert(id)
    }

    func takeRecounted() -> Set<ObjectID> {
        defer { recounted = [] }
        return recounted
    }

    /// Whether there is anything for a save to examine.
    var hasPending: Bool { !changed.isEmpty || !deleted.isEmpty || !recounted.isEmpty || !pairs.isEmpty }

    /// Keeps an object until the next save because a value of reference type may be changed in place.
    func watch(_ object: ManagedObject) {
        guard isWritable else { return }
        watched.append(object)
    }

    /// Whether any value may be changed in place.
    var isWatching: Bool { !watched.isEmpty }

    /// Returns the objects with a value that was changed in place without notice.
    func mutatedObjects() throws -> [ManagedObject] {
        try watched.filter { try $0.state == .stored && !$0.isNoted && $0.isMutated() }
    }

    func noteMutations() throws {
        for object in try mutatedObjects() { object.note() }
    }

    func forgetChanges() {
        let objects = changed
        refusals = []
        for object in objects { object.forgetNote() }
        changed = []
        deleted = []
        recounted = []
        pairs = PairEdits()
        links.forgetSources()
        forgetPendingTables()
        dropLists()
        lastPositions = [:]
        undoLog.clear()
        watchLess()
        release(objects)
    }

    /// Releases the objects of the program's own classes that were retained until the save.
    ///
    /// This may run code of such a class, so it must come last.
    func release(_ objects: [ManagedObject], evenIfPending: Bool = false) {
        let kept = objects.compactMap { object in
            evenIfPending || !(object.isNoted || object.isWatched) ? object.releaseRepresentative() : nil
        }
        withExtendedLifetime(kept) {}
    }

    /// Releases the watched objects that nothing else references.
    func watchLess() {
        var kept: [ManagedObject] = []
        while var object = watched.popLast() {
            if !object.isNoted { _ = object.releaseRepresentative() }
            if isKnownUniquelyReferenced(&object) { object.isWatched = false } else { kept.append(object) }
        }
        for object in kept { object.keepRepresentative() }
        watched = kept.reversed()
    }
}
