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
    /// If a setter or an insertion of a program's own class was rejected, the save of a context for editing tries again,
    /// because the lock of another process may be gone. If it fails again, this save and every later one throw the error
    /// until the value is set or the object is inserted again, until the change is undone or rolled back, or until the
    /// object is deleted or refreshed. In a block, nothing is tried again, but the same changes discard the error.
    ///
    /// - Throws: `StoreError` if a value cannot be stored or breaks a rule of the model, if a deletion is denied, if
    ///   another context has saved an object first, or if something was rejected. Errors thrown by hooks.
    public func save() throws {
        try saveUncounted()
        // An editing context has counted within its transaction.
        if !isEditing, saving.phase == .open { try enforceCounts() }
    }

    /// Does the same, but in a block, leaves it to the next save to count related objects.
    ///
    /// Bulk operations write in the middle of a block, whose rest may add or remove objects.
    ///
    /// - Parameter write: A closure that writes the changes made in a block.
    /// - Throws: What ``save()`` throws, and errors thrown by `write`.
    func saveUncounted(_ write: (StoreContext) throws -> Void = { try $0.flush() }) throws {
        guard saving.phase == .open else {
            guard saving.phase == .settled else { throw StoreError(.misuse, "a hook of a save cannot save") }
            return
        }
        try noteMutations()
        guard !isEditing else { return try saveEdits() }
        // What was refused may have been refused because of the cancellation.
        try requireUncancelled()
        try failures.throwRefused()
        try write(self)
        try refuseEqualTexts()
    }

    /// Does the same, unless objects are not complete or valid yet, a unique value would occur twice, or a deletion is
    /// denied.
    ///
    /// In that case, what was not written stays pending, because the rest of the block may resolve that.
    ///
    /// - Returns: Whether all changes were written.
    /// - Throws: Other errors of a save.
    func saveIfPossible() throws -> Bool {
        var isComplete = true
        let isAllowed = try succeedsIfAllowed {
            try saveUncounted { isComplete = try $0.flushIfPossible() }
        }
        return isAllowed && isComplete
    }

    /// Writes the changes made in a block, so that SQL sees them.
    ///
    /// If a validation refuses an object, calls a closure before it throws the error. Nothing has been written then.
    func flush(didRefuse: () -> Void = {}) throws {
        guard !work.isEmpty else { return }
        defer { hookState.forgetPrepared() }
        try saving.preparing { try prepare(didRefuse: didRefuse) }
        try saving.writing {
            let pending = work.changed
            try writePending(recreating: [])
            release(pending)
        }
    }

    private func saveEdits() throws {
        try retryRefused()
        // A failure to decode is reported even if there is nothing to write.
        try failures.throwFirst()
        guard !work.isEmpty else {
            // What a refresh has discarded cannot be undone after a save, either, and fetches still remember it. What was
            // undone can still be redone.
            if !canRedo { forgetChanges() }
            return work.releaseUnusedWatched()
        }
        defer { hookState.forgetPrepared() }
        _ = saving.record.takeChanges()
        try saving.preparing {
            // The consequences of a save are undone along with the change before it.
            try joined { try prepare() }
            dropLists()
            // Changes that hooks attempted and that were rejected.
            try failures.throwRefused()
        }
        try saving.writing { try commitEdits() }
        // Until the hooks have run, the record retains the objects that were written.
        defer { work.releaseUnusedWatched() }
        try didCommit()
    }

    /// Writes the changes of a context for editing in a transaction of their own.
    private func commitEdits() throws {
        do {
            try connection.transact(didCommit: publishCommit) {
                try writePending(recreating: merge())
                try enforceCounts()
                try refuseEqualTexts()
                try ReferenceCheck.run(schema, on: database())
                try failures.throwRefused()
                try saving.record.readRows { try forEachCurrentRow(of: $0, $1) }
            }
        } catch {
            saving.record.rollBack()
            work.forgetRecounted()
            throw error
        }
        for entry in saving.record.written { entry.object.didSave(entry) }
        forgetChanges()
        // Streams that were retained until now have kept sweeps from running.
        if schema.blobs != nil { store.sweepGarbage() }
    }

    /// Runs hooks and delete rules before anything is written.
    private func prepare(didRefuse: () -> Void = {}) throws {
        // The objects are about to be written.
        defer { if !isEditing { forgetPendingTables() } }
        saving.record.begin(isObserved: isRehearsal || store.isObserved)
        try runWillSaveAndDeleteRules()
        try enforceDenials()
        do {
            try validate(work.changed)
        } catch {
            didRefuse()
            throw error
        }
    }

    /// Runs the hooks of the objects that are about to be written, and of those that only the delete rules make pending.
    private func runWillSaveAndDeleteRules() throws {
        var prepared: Set<ObjectIdentifier> = []
        repeat {
            try runWillSave(except: prepared)
            if !store.hooks.isEmpty { prepared = preparedObjects }
            try followDeleteRules(again: isEditing)
        } while hasUnprepared(besides: prepared)
    }

    /// The objects to insert or update, once their hooks have run.
    private var preparedObjects: Set<ObjectIdentifier> {
        Set(work.changed.filter { $0.isPending && !$0.isDeleted }.map(ObjectIdentifier.init))
    }

    /// Returns a Boolean value that indicates whether other objects are to be inserted or updated, whose hooks must run.
    private func hasUnprepared(besides prepared: Set<ObjectIdentifier>) -> Bool {
        !store.hooks.isEmpty
            && work.changed.contains { object in
                object.isPending && !object.isDeleted && !prepared.contains(ObjectIdentifier(object))
            }
    }

    /// Resolves conflicts with other contexts, and runs hooks and delete rules for what this changes.
    ///
    /// - Returns: The objects that another context has deleted, and that are to be inserted again.
    private func merge() throws -> [ManagedObject] {
        // The validations have run for these objects, as they were.
        let known = Dictionary(work.changed.filter(\.isPending).map { (ObjectIdentifier($0), $0.state) }) { $1 }
        let (conflicts, partners, haveHooksRun) = try resolveConflicts()
        try joined {
            if haveHooksRun { try followDeleteRules(again: true) }
            try enforceDenials()
        }
        // What the other context has saved, a merge, and the delete rules may have made different of them. Hooks may have
        // changed any of them.
        let merged = Set((conflicts.map(\.object) + partners).map(ObjectIdentifier.init))
        try validate(
            work.changed.filter { object in
                let id = ObjectIdentifier(object)
                return haveHooksRun || merged.contains(id) || known[id] != object.state
            }
        )
        return conflicts.filter { $0.kind == .deletedByOther && $0.object.state == .stored }.map(\.object)
    }

    /// Resolves conflicts, applies delete rules, and runs the hooks of objects that only this makes pending.
    private func resolveConflicts() throws -> (
        conflicts: [MergeConflict], partners: [ManagedObject], haveHooksRun: Bool
    ) {
        let prepared = preparedObjects
        let (conflicts, partners) = try settleConflicts()
        // Another context may have added objects that refer to a deleted one. What the rules change is undone along with
        // the deletions.
        try joined { try followDeleteRules(again: true) }
        guard hasUnprepared(besides: prepared) else { return (conflicts, partners, false) }
        try joined { try runWillSave(except: prepared) }
        // The hooks may have changed objects that another context has saved.
        let others = try settleConflicts(besides: Set(conflicts.map { ObjectIdentifier($0.object) }))
        return (conflicts + others.conflicts, partners + others.partners, true)
    }

    private func writePending(recreating revived: [ManagedObject]) throws {
        let pending = work.changed
        // Hooks and delete rules have made all of their changes by now.
        try requireOwnChanges()
        try noteCounts(of: pending, recreating: revived)
        let connection = try database()
        // Deleting first makes unique values available again.
        for object in pending where object.state == .deleted {
            try object.writeDeletion(connection)
        }
        let stored = pending.filter { $0.state == .stored }
        let rewritten = Set(revived.map(ObjectIdentifier.init))
        try writeUpdates(of: stored.filter { !rewritten.contains(ObjectIdentifier($0)) }, connection)
        for object in stored where rewritten.contains(ObjectIdentifier(object)) { try object.writeAgain() }
        try writeInsertions(of: pending.filter { $0.state == .inserted }, connection)
        try writePairs()
        if !isEditing {
            // An error belongs to this save, not to whatever comes next. A context for editing commits next.
            try connection.settle()
            work.didWrite()
            links.forgetSources()
        }
    }

    /// Writes the rows of new objects, many of one entity together if the engine is on a server.
    private func writeInsertions(of objects: [ManagedObject], _ database: any EngineConnection) throws {
        var batches = batches(of: objects)
        var ahead = EncodeAhead(objects, in: self)
        try ahead.visit { object, encoded in
            let index = object.entity.index
            guard batches[index] != nil else { return try object.writeInsertion(encoded) }
            let cells = try object.insertedCells(encoded)
            for (place, cell) in cells.enumerated() where !object.entity.uniqueText.isEmpty {
                noteText(cell, in: place, of: object.entity, object.number)
            }
            batches[index]?.append(object, cells)
            guard let batch = batches[index], batch.isFull else { return }
            try write(batch, database)
            batches[index]?.removeAll()
        }
        for batch in batches.values { try write(batch, database) }
    }

    /// Inserts the rows of a batch, or else those before the object whose value is not unique.
    private func write(_ batch: RowBatch, _ database: any EngineConnection) throws {
        guard let entity = batch.objects.first?.entity else { return }
        do {
            try database.attempting(if: entity.hasUniqueness && !isEditing) { try batch.insert(on: database) }
        } catch let error as StoreError where error.code == .notUnique && !isEditing {
            // A block may catch the error and go on.
            for object in batch.objects { try object.writeInsertion() }
            return
        }
        for object in batch.objects { didWrite(object, .inserted) }
    }

    /// Returns an empty batch for each entity with many new objects, by its position.
    private func batches(of objects: [ManagedObject]) -> [Int: RowBatch] {
        guard connection.isPipelined, objects.count >= RowBatch.fewestUnique else { return [:] }
        return Dictionary(grouping: objects, by: \.entity.index)
            .compactMapValues { members -> RowBatch? in
                let entity = members[0].entity
                let fewest = entity.hasUniqueness ? RowBatch.fewestUnique : RowBatch.fewest
                guard members.count >= fewest, !entity.storesBlobs else { return nil }
                return RowTable(of: entity, on: connection).map(RowBatch.init)
            }
    }

    /// Records what was written of an object.
    ///
    /// In a block, the record is final immediately.
    func didWrite(_ object: ManagedObject, _ kind: WrittenObject.Kind, _ attributes: [StoredAttribute] = []) {
        if saving.record.isObserved { saving.record.note(object.id, kind, object.entity.reportedNames(of: attributes)) }
        // Without a hook that needs the object later, memory use does not depend on the number of objects.
        if isEditing || store.hooks.needs(object, kind) {
            saving.record.add(WrittenObject(object: object, kind: kind, representative: object.representative))
        }
        if !isEditing { object.didWrite(kind) }
    }

    /// Notifies observers of what the transaction has done.
    ///
    /// They are notified before the next transaction begins, so that they learn of transactions in order.
    func publishCommit() {
        store.noteCommit()
        let changes = saving.record.takeChanges()
        // An import concerns several tenants, each of which learns only that something has happened.
        if scope == .importing { store.publish(.unknown, in: nil) } else { store.publish(changes, in: scope) }
    }

    /// Notifies hooks of what the transaction has done.
    ///
    /// - Throws: The first error that a hook throws, after all of them have run.
    func didCommit() throws {
        let saved = saving.record.takeWritten()
        if !isEditing { saving.settle() }
        var told: Set<ObjectIdentifier> = []
        var failure: (any Error)?
        for entry in saved where !entry.object.isTakenBack && told.insert(ObjectIdentifier(entry.object)).inserted {
            do {
                try runHooks(\.didSave, of: entry.object)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
