internal import Foundation
internal import GRDB
internal import Transformable

/// Objects of a store, and what can be done with them: those of one `read` or `write`, or those that are
/// being edited for as long as one likes.
///
/// The context of a `read` or `write` lives as long as the block that was given it; its objects stay in that
/// block. One that ``Store/makeContext(onConflict:)`` makes lives as long as somebody holds it: see
/// <doc:Editing>. There is one object for each row and context.
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
    /// Where a context is on its way to the file.
    enum Phase {
        case open
        /// Hooks run before anything is written: what changes now is written, too.
        case preparing
        case writing
        /// The transaction of a `write` has ended.
        case settled
    }

    /// The store that is read or written.
    public let store: Store
    /// Whether objects may be changed.
    public let isWritable: Bool
    /// Whether it was made for editing, and not for one block.
    public let isEditing: Bool
    /// What becomes of an object that another context has saved since it was read here.
    public var onConflict: ConflictPolicy
    let schema: StoreSchema
    var phase = Phase.open
    private var connection: Database?
    // Whether it is of a block that is awaited, which ends when its task is cancelled.
    let isInterruptible = Interruption.isHeeded
    private let objects: [ObjectTable]
    private var statements: [String: SQLStatement] = [:]
    private var insertions: [SQLStatement?]
    private var lastNumbers: [Int64?]
    // Objects with changes, in the order of their first one.
    var changed: [ManagedObject] = []
    // What is to be deleted and has not yet been followed by the delete rules.
    private var deleted: [ManagedObject] = []
    var pairs = PairEdits()
    var links = LinkIndex()
    // What is pending, as tables, once a fetch has asked for it.
    var pendingTables: PendingTables?
    // Whether a fetch is under way that sees it.
    var isOverlaid = false
    // The last positions in ordered relationships, as far as they are known.
    var lastPositions: [PositionKey: Int64] = [:]
    // Objects with a value that can be changed in place, which nobody hears of.
    private var watched: [ManagedObject] = []
    // Whose relationships may lead to more or fewer objects since they were counted last.
    private var recounted: Set<ObjectID> = []
    private var failures: [StoreError] = []
    // What setters that cannot throw were refused.
    var refusals: [Refusal] = []
    var isInHook = false
    // Whether an object is being told that it was fetched.
    var isAwaking = false
    // Whether the block that it was given to has ended.
    private var hasEnded = false
    // Whether relationships lead to objects that are marked as deleted, too: while others hear that they go with them.
    var showsDeleted = false
    // How many deletions are under way, each from a hook of the one before.
    var deletionDepth = 0
    // What was told that it is about to be deleted.
    var prepared: [ManagedObject] = []
    var undoLog = UndoLog()
    // What the transaction under way has written.
    var written: [WrittenObject] = []
    var changes = ChangeSet()
    // What has been written since the last save and SQLite cannot tell to be unique.
    var rewritableTexts: [RewritableText] = []
    // Whether anybody wants to know what the transaction under way changes.
    var isObserved = false
    /// Whether the transaction is rolled back at its end, and only what it would change is of interest.
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

    /// A context for editing.
    convenience init(editing store: Store, onConflict: ConflictPolicy) {
        self.init(store, nil, isWritable: !store.isReadOnly, isEditing: true)
        self.onConflict = onConflict
    }

    /// A context without a file, for objects that are filled and encoded on a thread of their own.
    convenience init(detachedFrom store: Store) {
        self.init(store, nil, isWritable: true)
    }

    /// Gives a body a context for as long as it runs.
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

    /// Gives a body a context for as long as it runs, and saves what it has changed, in one transaction.
    static func write<Result>(
        _ store: Store,
        on database: Database,
        _ body: (StoreContext) throws -> Result
    ) throws -> Result {
        let context = StoreContext(store, database, isWritable: true)
        defer { context.end() }
        return try Nesting.enter(store) {
            let result = try database.committing { try context.finish(body, on: database) }
            try context.didCommit()
            // What hooks that ran after the commit were refused.
            try context.throwFailures()
            return result
        }
    }

    /// Gives a body a context in a transaction that is rolled back at the end.
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

    /// Runs all of a transaction but its end.
    private func finish<Result>(_ body: (StoreContext) throws -> Result, on database: Database) throws -> Result {
        try store.watch.check(store.schema, on: database)
        let result = try body(self)
        try requireUncancelled()
        try save()
        try ReferenceCheck.run(store.schema, on: database)
        try throwFailures()
        return result
    }

    /// Checks that nobody has cancelled the task that awaits the block.
    func requireUncancelled() throws(CancellationError) {
        if isInterruptible, Task.isCancelled { throw CancellationError() }
    }

    /// Gives a body a context in a transaction that is under way already: a migration's.
    static func migrate(_ store: Store, on database: Database, _ body: (StoreContext) throws -> Void) throws {
        let context = StoreContext(store, database, isWritable: true)
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
        guard store.options.quarantine == .fail, var first = failures.first else { return }
        if failures.count > 1 { first.faults = failures.map(\.description) }
        failures = []
        throw first
    }

    /// Notes a failure to decode that an accessor cannot throw.
    package func record(_ failure: StoreError) {
        requireBlock(for: failure)
        failures.append(failure)
    }

    /// Forgets them, where every cell is looked at and answered for.
    func forgetFailures() {
        failures = []
    }

    /// Stops the program where an accessor that cannot throw is used when there is no block left to throw at its end:
    /// what it was to set would be lost in silence, and what it gives would be made up.
    func requireBlock(for error: StoreError) {
        guard hasEnded else { return }
        store.options.logger?.noteEndedBlock(error)
        preconditionFailure(
            "an object is used after the block that it belongs to has ended (\(error)); let values or its "
                + "persistentID leave the block, or fetch it in a context of makeContext()"
        )
    }

    func place(of object: Int64, _ attribute: StoredAttribute, _ entity: StoredEntity) -> TransformContext {
        TransformContext(store: schema.uuid, entity: entity.id, attribute: attribute.id, object: object)
    }

    func requireWritable() throws(StoreError) {
        guard isWritable else {
            throw StoreError(.readOnly, "objects can be changed in a write only, of a store that may be written")
        }
        guard phase != .settled else {
            throw StoreError(.misuse, "the write has been committed; its objects can no longer be changed")
        }
    }

    /// Checks that the context still belongs to a block that runs.
    func requireOpen() throws(StoreError) {
        guard !hasEnded else { throw Self.disconnected }
    }
}

@available(*, unavailable)
extension StoreContext: Sendable {}

// MARK: - The connection

extension StoreContext {
    /// Runs a body with a connection: the one of the block or access under way, else one borrowed for as long.
    func connected<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let connection { return try body(connection) }
        return try connected(through: nil, body)
    }

    /// The same through a connection of its own, if there is one.
    func connected<Result>(through own: DatabaseQueue?, _ body: (Database) throws -> Result) throws -> Result {
        guard isEditing else { throw Self.disconnected }
        return try store.borrow(own) { database in
            connect(database)
            defer { disconnect() }
            return try body(database)
        }
    }

    /// The same in a transaction that is committed if the body does not throw.
    func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try store.borrowForWriting { database in
            connect(database)
            defer { disconnect() }
            return try database.committing {
                try store.watch.check(store.schema, on: database)
                return try body(database)
            }
        }
    }

    private func connect(_ database: Database) {
        connection = database
    }

    private func disconnect() {
        statements = [:]
        insertions = Array(repeating: nil, count: insertions.count)
        guard isEditing else { return }
        connection = nil
        lastNumbers = Array(repeating: nil, count: lastNumbers.count)
    }

    /// The connection, while there is one.
    func database() throws(StoreError) -> Database {
        guard let connection else { throw Self.disconnected }
        return connection
    }

    private static var disconnected: StoreError {
        StoreError(.misuse, "an object or context is used after its block has ended, or in a bulk insertion")
    }

    var isConnected: Bool { connection != nil }

    /// A statement from the connection's cache; for one that runs to its end before another needs it.
    func statement(_ sql: String) throws -> SQLStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLStatement(sql, on: database())
        statements[sql] = statement
        return statement
    }

    /// The statement that inserts a row, found without hashing its text for each.
    func insertion(_ entity: StoredEntity) throws -> SQLStatement {
        if let statement = insertions[entity.index] { return statement }
        let statement = try statement(entity.insert)
        insertions[entity.index] = statement
        return statement
    }

    /// Whether there is no file, as for objects that are encoded on a thread of their own.
    var isDetached: Bool { connection == nil && !isEditing }

    /// All rows of a statement that gives few.
    func rows(_ sql: String, _ values: [ColumnValue], count: Int) throws -> [PackedRow] {
        try connected { try SQLStatement.rows(sql, values, count: count, on: $0) }
    }
}

// MARK: - One object for each row

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

    /// Every object that somebody holds.
    var livingObjects: [ManagedObject] { objects.flatMap(\.living) }

    /// Takes numbers for new objects, and gives the first of them.
    ///
    /// They are taken in memory: the transaction keeps other writers out, and SQLite notes the
    /// highest when the rows are written.
    func takeNumbers(_ count: Int = 1, of entity: StoredEntity) throws -> Int64 {
        let last = try lastNumber(of: entity)
        guard last <= Int64.max - Int64(count) else { throw NumberReserve.exhausted(entity) }
        lastNumbers[entity.index] = last + Int64(count)
        return last + 1
    }

    /// The highest number that an object of the entity has had.
    func lastNumber(of entity: StoredEntity) throws -> Int64 {
        let database = try database()
        return try lastNumbers[entity.index] ?? NumberReserve.last(entity, on: database)
    }
}

// MARK: - What has changed

extension StoreContext {
    func noteChange(_ object: ManagedObject) {
        changed.append(object)
        pendingTables?.note(object)
    }

    func noteDeletion(_ object: ManagedObject) {
        deleted.append(object)
    }

    /// The next object whose delete rules have to be followed.
    func takeDeleted() -> ManagedObject? {
        deleted.popLast()
    }

    /// Notes that the object's relationships have to be counted before the block ends.
    func recount(_ id: ObjectID) {
        recounted.insert(id)
    }

    func takeRecounted() -> Set<ObjectID> {
        defer { recounted = [] }
        return recounted
    }

    /// Whether there is something for a save to look at.
    var hasPending: Bool { !changed.isEmpty || !deleted.isEmpty || !recounted.isEmpty || !pairs.isEmpty }

    /// Keeps an object whose value of reference type may change in place until the next save.
    func watch(_ object: ManagedObject) {
        guard isWritable else { return }
        watched.append(object)
    }

    /// The objects that nobody has noted, with a value that was changed in place.
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

    /// Lets go of the objects of the program's own classes that were kept for something to save.
    ///
    /// Code of such a class may run then, so nothing else is left to be done.
    func release(_ objects: [ManagedObject], evenIfPending: Bool = false) {
        let kept = objects.compactMap { object in
            evenIfPending || !(object.isNoted || object.isWatched) ? object.releaseRepresentative() : nil
        }
        withExtendedLifetime(kept) {}
    }

    /// Lets go of the watched objects that nobody else holds.
    private func watchLess() {
        var kept: [ManagedObject] = []
        while var object = watched.popLast() {
            if !object.isNoted { _ = object.releaseRepresentative() }
            if isKnownUniquelyReferenced(&object) { object.isWatched = false } else { kept.append(object) }
        }
        for object in kept { object.keepRepresentative() }
        watched = kept.reversed()
    }
}
