internal import GRDB

/// What a transaction has done to an object.
struct WrittenObject {
    enum Kind {
        case inserted
        case updated
        case deleted
    }

    let object: ManagedObject
    let kind: Kind
    /// The object of the program's own class that represents it, until hooks have run.
    let representative: AnyObject?
    /// The row as it is after the transaction.
    var row: (row: PackedRow, version: Int64)?
}

extension StoreContext {
    /// Writes the pending changes.
    ///
    /// In a `write`, this happens within its transaction, and the end of the block does it automatically. In a context
    /// for editing, a save is a transaction of its own. If it throws an error, nothing is written and all changes are
    /// still pending.
    ///
    /// If an accessor that cannot throw has failed to decode a value, the next save of a context for editing throws
    /// that error, unless the store only reports such failures (``Store/Options/Quarantine``). The save after that one
    /// proceeds.
    ///
    /// If a setter or an insertion of a program's own class was rejected, the save tries again, because the lock of
    /// another process may be gone. If it fails again, this save and every later one throw the error until the value is
    /// set or the object is inserted again, until the change is undone or rolled back, or until the object is deleted or
    /// refreshed.
    ///
    /// - Throws: `StoreError` if a value cannot be stored or breaks a rule of the model, if a deletion is denied, if
    ///   another context has saved an object first, or if something was rejected. Errors thrown by hooks.
    public func save() throws {
        guard phase == .open else {
            guard phase == .settled else { throw StoreError(.misuse, "a hook of a save cannot save") }
            return
        }
        try noteMutations()
        guard !isEditing else { return try saveEdits() }
        // What was refused may have been refused because of the cancellation.
        try requireUncancelled()
        try throwRefused()
        try flush()
        try refuseEqualTexts()
    }

    /// Writes the changes made in a block, so that SQL sees them.
    func flush() throws {
        guard hasPending else { return }
        defer {
            phase = .open
            forgetPrepared()
        }
        try prepare()
        phase = .writing
        let pending = changed
        try writePending([])
        release(pending)
    }

    private func saveEdits() throws {
        try retryRefused()
        // A failure to decode is reported even if there is nothing to write.
        try throwFailures()
        guard hasPending else { return watchLess() }
        defer {
            phase = .open
            forgetPrepared()
        }
        changes = ChangeSet()
        // The consequences of a save are undone along with the change before it.
        try joined { try prepare() }
        dropLists()
        // What hooks tried and was rejected.
        try throwRefused()
        do {
            try transaction { _ in
                phase = .writing
                let validated = Set(deletedObjects.map(ObjectIdentifier.init))
                let settled = try settleConflicts()
                try followDeleteRules(again: true)
                try enforceDenials()
                // What the other context has saved, a merge, and the delete rules may have made different of them.
                let alsoDeleted = deletedObjects.filter { !validated.contains(ObjectIdentifier($0)) }
                try validate(settled.map(\.object).filter { $0.state == .stored } + alsoDeleted)
                try writePending(settled.filter { $0.kind == .deletedByOther }.map(\.object))
                try refuseEqualTexts()
                try ReferenceCheck.run(schema, on: database())
                try throwRefused()
                for index in written.indices where written[index].kind != .deleted {
                    let object = written[index].object
                    written[index].row = try row(object.entity, object.number)
                }
            }
        } catch {
            written = []
            rewritableTexts = []
            changes = ChangeSet()
            _ = takeRecounted()
            throw error
        }
        for entry in written { entry.object.didSave(entry) }
        forgetChanges()
        // Streams that were retained until now have kept sweeps from running.
        if schema.blobs != nil { store.sweepGarbage() }
        phase = .open
        try didCommit()
    }

    /// Runs hooks and delete rules before anything is written.
    private func prepare() throws {
        phase = .preparing
        // The objects are about to be written.
        defer { if !isEditing { forgetPendingTables() } }
        isObserved = isRehearsal || store.isObserved
        // Whoever starts to observe before the transaction ends needs to know that there was more.
        if !isObserved { changes.omitSome() }
        try runWillSave()
        try followDeleteRules(again: isEditing)
        try enforceDenials()
        try validate(changed)
    }

    private func writePending(_ revived: [ManagedObject]) throws {
        let pending = changed
        try noteCounts(of: pending)
        let database = try database()
        // Deleting first makes unique values available again.
        for object in pending where object.state == .deleted {
            try object.writeDeletion(database)
        }
        let stored = pending.filter { $0.state == .stored }
        let rewritten = Set(revived.map(ObjectIdentifier.init))
        try writeUpdates(of: stored.filter { !rewritten.contains(ObjectIdentifier($0)) }, database)
        for object in stored where rewritten.contains(ObjectIdentifier(object)) { try object.writeAgain() }
        for object in pending where object.state == .inserted {
            try object.writeInsertion()
        }
        try writePairs()
        if !isEditing {
            changed = []
            pairs = PairEdits()
            links.forgetSources()
        }
        try enforceCounts()
    }

    /// Records what was written of an object.
    ///
    /// In a block, the record is final immediately.
    func didWrite(_ object: ManagedObject, _ kind: WrittenObject.Kind, _ attributes: [StoredAttribute] = []) {
        if isObserved { changes.note(object.id, kind, attributes.map(\.name)) }
        let entry = WrittenObject(object: object, kind: kind, representative: object.representative)
        guard !isEditing else { return written.append(entry) }
        if !store.hooks.isEmpty { written.append(entry) }
        object.didWrite(kind)
    }

    /// Notifies observers of what the transaction has done.
    ///
    /// They are notified before the next transaction begins, so that they learn of transactions in order.
    func publishCommit() {
        store.noteCommit()
        store.publish(changes)
        changes = ChangeSet()
    }

    /// Notifies hooks of what the transaction has done.
    func didCommit() throws {
        let saved = written
        written = []
        if !isEditing { phase = .settled }
        var told: Set<ObjectIdentifier> = []
        for entry in saved where told.insert(ObjectIdentifier(entry.object)).inserted {
            try runHooks(\.didSave, of: entry.object)
        }
    }
}
