internal import Foundation
internal import Transformable

/// A context in which you read and change objects of a store, for the duration of one `read` or `write`, or for as
/// long as you like.
///
/// The context of a `read` or `write` is valid only inside its block, and so are its objects. A context from
/// ``Store/makeContext(onConflict:)`` is valid as long as it is referenced, by your program or by unsaved changes. See
/// <doc:Editing>. A context has exactly one object for each row.
///
/// ## Topics
/// ### Finding objects
/// - ``object(_:)``
/// - ``objectIfPresent(_:)``
/// - ``fault(_:)``
/// - ``prefetch(_:)``
/// - ``prefetch(_:_:)``
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
    /// The context's store.
    public let store: Store
    /// Whether objects can be changed.
    public let isWritable: Bool
    /// The policy for objects that another context has saved since they were read here.
    public var onConflict: ConflictPolicy
    let schema: StoreSchema
    /// The part of the store that the context can see.
    let scope: TenantScope
    let purpose: ContextPurpose
    var owners = TenantOwners()
    let connection: ContextConnection
    let identities: IdentityMap
    /// The changes that have not been written yet.
    let work = UnitOfWork()
    let saving = SaveState()
    let hookState = HookState()
    let failures = AccessFailures()
    var links = LinkIndex()
    var lost = LostRepresentatives()
    /// The rows that were read before they were asked for, or `nil` if none are.
    ///
    /// Only a block that reads a server's snapshot cannot miss any change by reading rows early.
    private(set) lazy var ahead = connection.isPipelined && !isWritable && !isEditing ? ReadAhead() : nil
    /// The rows that refer to the objects whose related objects are being read, or `nil` if none are.
    var referrers: ReferringRows?
    var undoLog = UndoLog()
    // The awaited block that the context belongs to, if any. It ends when its task is canceled.
    private var access = Interruption.access
    // Whether the context's block has ended.
    private var hasEnded = false

    /// Creates a context on the connection of a block, or without any connection for now.
    init(
        _ store: Store,
        in scope: TenantScope,
        on connection: (any EngineConnection)?,
        for purpose: ContextPurpose
    ) {
        self.store = store
        self.scope = scope
        self.purpose = purpose
        isWritable = purpose.allowsChanges(in: store)
        onConflict = .fail
        schema = store.schema
        self.connection = ContextConnection(store, scope, connection, isEditing: purpose.isEditing)
        identities = IdentityMap(store.schema)
    }

    /// Creates a context for editing.
    convenience init(editing store: Store, in scope: TenantScope, onConflict: ConflictPolicy) {
        self.init(store, in: scope, on: nil, for: .editing)
        self.onConflict = onConflict
    }

    /// Throws an error if the task that awaits the block was canceled.
    func requireUncancelled() throws(CancellationError) {
        if let access, access.isOpen, Task.isCancelled { throw CancellationError() }
    }

    /// Ends the context of a block.
    func end() {
        let pending = work.retained
        let written = saving.record.takeWritten()
        defer { withExtendedLifetime(written) {} }
        work.end()
        hookState.forgetPrepared()
        failures.forgetRefused()
        links.forgetSources()
        dropLists()
        release(pending, evenIfPending: true)
        connection.end()
        hasEnded = true
    }

    /// Records the failure of an accessor that cannot throw.
    package func record(_ failure: StoreError) {
        requireBlock(for: failure)
        // A value that a bulk insertion cannot reach does not count as undecodable.
        let isDecoding = failure.isFailureToDecode && !connection.isDetached
        let isLenient = store.options.quarantine == .report && isDecoding
        if !isLenient { failures.record(failure) }
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
        var place = place(in: entity)
        place.attribute = attribute.id
        place.object = object
        if entity.belongsToTenant, scope == .everything { place.tenant = try? tenant(of: object, in: entity) }
        return place
    }

    /// Returns the place of an entity, for values that are not bound to an object.
    func place(in entity: StoredEntity) -> TransformContext {
        TransformContext(
            store: schema.uuid,
            entity: entity.id,
            tenant: entity.belongsToTenant ? scope.tenant ?? owners.imported : nil
        )
    }

    /// Throws an error unless an object belongs to this context.
    package func requireOwnership(of object: ManagedObject) throws(StoreError) {
        guard object.context !== self else { return }
        let message = "the object belongs to another context; to use it in this one, call “object(_:)” with its id"
        throw StoreError(.misuse, message, object: object.id)
    }

    func requireWritable() throws(StoreError) {
        guard isWritable else {
            throw StoreError(.readOnly, "objects can be changed only in a write of a store that is not read-only")
        }
        guard saving.phase != .settled else {
            throw StoreError(.misuse, "the write has been committed; its objects can no longer be changed")
        }
    }

    /// Whether setting a value that is kept in memory only counts as a change.
    var notesTransientChanges: Bool { isWritable && !hasEnded && saving.phase != .settled && !hookState.isAwaking }

    /// Throws an error if the context's block has ended.
    func requireOpen() throws(StoreError) {
        guard !hasEnded else { throw ContextConnection.disconnected }
    }
}

@available(*, unavailable)
extension StoreContext: Sendable {}

// MARK: - The connection

extension StoreContext {
    /// Calls a closure with a connection: the one in use by the context, or else a borrowed one.
    func connected<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try connection.use(body)
    }

    /// Returns the current connection.
    func database() throws(StoreError) -> any EngineConnection {
        try connection.current()
    }

    /// Returns a statement from the connection's cache.
    ///
    /// It must run to its end before it is needed again.
    func statement(_ sql: String) throws -> any EngineStatement {
        try connection.statement(sql)
    }

    /// Returns all rows of a statement that returns few.
    func rows(_ sql: String, _ values: [ColumnValue], count: Int) throws -> [PackedRow] {
        try connected { try $0.rows(sql, values, count: count) }
    }

    /// Lets everything run to its end from now on, even if the task is canceled.
    func becomeUninterruptible() {
        access = nil
        connection.forgetStatements()
    }
}

// MARK: - Changes

extension StoreContext {
    /// Keeps an object until the next save because a value of reference type may be changed in place.
    func watch(_ object: ManagedObject) {
        if isWritable { work.watch(object) }
    }

    /// Makes values that were changed in place changes like any other, so that hooks run for their objects.
    func noteMutations() throws {
        for object in try work.mutatedObjects() {
            object.keepMutations()
            object.note()
        }
    }

    func forgetChanges() {
        let objects = work.changed
        failures.forgetRefused()
        for object in objects { object.forgetNote() }
        work.clear()
        links.forgetSources()
        forgetPendingTables()
        dropLists()
        links.forgetPositions()
        undoLog.clear()
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
}
