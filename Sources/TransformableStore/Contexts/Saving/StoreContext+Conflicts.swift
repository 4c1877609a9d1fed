internal import Transformable

extension StoreContext {
    /// Resolves conflicts with changes that other contexts have saved to the objects that are about to be written.
    ///
    /// - Parameter settled: The objects whose conflicts have been resolved.
    /// - Returns: The conflicts of changed objects, and their partners that had to be changed as well. Objects of
    ///   conflicts that are still `stored` are to be saved, and if the other context has deleted the row, it must be
    ///   inserted again.
    /// - Throws: `StoreError` with the code `conflict`, which names the objects, and errors thrown by a
    ///   merge.
    func settleConflicts(
        besides settled: Set<ObjectIdentifier> = []
    ) throws -> (conflicts: [MergeConflict], partners: [ManagedObject]) {
        // Deletions first. The consequences of a deletion that is given up are not changes, so they cannot conflict.
        let deletions = try conflicts(of: .deleted, besides: settled)
        let outcome = Result<Void, any Error> { if !onConflict.isFailure { try settle(deletions: deletions) } }
        let found = Result<[MergeConflict], any Error> { try conflicts(of: .stored, besides: settled) }
        // Even after an error, because the next save does not find the conflicts of these deletions again.
        let revived = deletions.map(\.object).filter { $0.state == .stored }
        let partners = try revived.flatMap(settlePartners(ofRevived:))
        try outcome.get()
        let changes = try found.get()
        if onConflict.isFailure, let first = deletions.first ?? changes.first {
            throw Self.conflict(first, among: deletions + changes)
        }
        let others = try partners + settle(changes) + settlePartnersOfChanged()
        guard !onConflict.isFailure else { return (changes, others) }
        return (changes, others + (try settleClaims(takingTheirs: onConflict.takesTheirs)))
    }

    /// Settles conflicts of deleted objects, some of whose deletions are given up.
    private func settle(deletions: [MergeConflict]) throws {
        let outcome = Result<Void, any Error> { try joined { try rebasing(deletions) { try settle($0) } } }
        // Even after an error, because these deletions have been given up.
        let revived = deletions.map(\.object).filter { $0.state == .stored }
        if !revived.isEmpty { takeBackConsequences(for: revived) }
        try recompute(revived)
        try outcome.get()
    }

    /// Settles conflicts of changed objects, whose transient values are then computed from what was merged.
    ///
    /// - Returns: Their partners that had to be changed as well.
    private func settle(_ changes: [MergeConflict]) throws -> [ManagedObject] {
        for conflict in changes { try readPartners(of: conflict) }
        var settled: [MergeConflict] = []
        let outcome = Result<Void, any Error> {
            try rebasing(changes) { conflict in
                let object = conflict.object
                try joined(toChangesOf: object, at: object.entity.attributes.indices) { try settle(conflict) }
                settled.append(conflict)
            }
        }
        // Even after an error, because the next save does not find these conflicts again.
        let partners = Result<[ManagedObject], any Error> {
            for conflict in settled { try leaveLostObjects(after: conflict) }
            return try settled.flatMap(settlePartners(after:))
        }
        // Even after an error, because their rows were replaced.
        try recompute(changes.filter { $0.theirRow != nil }.map(\.object).filter { $0.state == .stored })
        try outcome.get()
        return try partners.get()
    }

    /// Computes the transient values of objects again, even if this fails for one of them.
    ///
    /// Otherwise, the next save would store what was computed from the rows that were read before.
    private func recompute(_ objects: [ManagedObject]) throws {
        var failure: (any Error)?
        for object in objects {
            do {
                try object.recompute()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Settles conflicts, whose objects meanwhile show the changes on top of what the other contexts have saved.
    ///
    /// After an error, those that are not settled remain conflicts. Otherwise, the next save would overwrite what the
    /// other contexts have saved.
    private func rebasing(_ conflicts: [MergeConflict], _ settle: (MergeConflict) throws -> Void) throws {
        var unsettled = conflicts[...]
        defer { for conflict in unsettled { conflict.restoreBase() } }
        // With the policy “theirs”, the changes of the other contexts replace whole values anyway.
        for conflict in conflicts { try conflict.rebase(keepingWhole: !onConflict.takesTheirs) }
        while let conflict = unsettled.first {
            try settle(conflict)
            unsettled.removeFirst()
        }
    }

    /// Reads the row of an object with changes again, and merges them with it as ``ConflictPolicy/mine`` does.
    ///
    /// After an error, the changes are still those of the row that was read before.
    func readAgain(_ object: ManagedObject) throws {
        guard let current = try row(object.entity, object.number) else { throw object.noLongerExists }
        let theirs = try object.differences(from: current)
        let mine = object.entity.columns.filter { object.values.isUnsaved($0.index) }
        let base = object.isFault ? nil : (row: object.row, version: object.version)
        try object.keepWhole(in: current.row)
        do {
            try object.readAgain(current)
            if !theirs.isEmpty { try settlePartners(of: object, concernedBy: mine + theirs) }
        } catch {
            // A hook has failed before the other side of a relationship could be made to agree.
            if let base, object.hasStoredChanges { object.replaceRow(base.row, base.version) }
            throw error
        }
    }

    /// Reads the row of an object with changes again after a hook has failed for it, because the values that it failed for
    /// may have been repaired.
    ///
    /// If the other context has changed the same attributes, the object keeps its row, so that the next save finds the
    /// conflict.
    func bringUpToDateUnlessConflicting(_ object: ManagedObject) throws {
        guard let current = try row(object.entity, object.number), current.version != object.version,
            try !object.conflicts(with: current)
        else { return }
        object.replaceRow(current.row, current.version)
    }

    /// Returns the conflicts of the objects in a state.
    ///
    /// The other objects are brought up to date.
    private func conflicts(
        of state: ObjectLifecycle.State,
        besides settled: Set<ObjectIdentifier>
    ) throws -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        let objects = work.changed.filter { $0.state == state && !settled.contains(ObjectIdentifier($0)) }
        try forEachCurrentRow(of: objects) { object, current in
            guard try current?.version != object.version || object.isOverwritten(by: current?.row) else { return }
            if let conflict = try conflict(of: object, current) {
                conflicts.append(conflict)
            } else if let current {
                object.replaceRow(current.row, current.version)
                try object.recompute()
            } else {
                // Nothing leads to it anymore, and it must not be inserted again because of a reference that is cleared.
                object.acknowledge(isGone: true)
            }
        }
        return conflicts
    }

    /// Returns a conflict, or `nil` if it turns out that there is none.
    private func conflict(
        of object: ManagedObject,
        _ theirs: (row: PackedRow, version: Int64)?
    ) throws -> MergeConflict? {
        if object.isDeleted {
            // Both contexts deleted the object.
            guard theirs != nil else {
                object.acknowledge(isGone: true)
                return nil
            }
        }
        let mine = object.isDeleted ? [] : try object.netChanges()
        guard object.isDeleted || !mine.isEmpty else { return nil }
        let others = try theirs.map { try object.differences(from: $0) } ?? []
        return MergeConflict(
            object: object,
            kind: object.isDeleted ? .deletedHere : theirs == nil ? .deletedByOther : .changedByBoth,
            mine: object.entity.mergedNames(of: mine, besides: others),
            theirs: object.entity.mergedNames(of: others, besides: mine),
            baseRow: object.row,
            baseVersion: object.isFault ? nil : object.version,
            theirRow: theirs?.row,
            theirVersion: theirs?.version ?? 0
        )
    }

    private static func conflict(_ first: MergeConflict, among all: [MergeConflict]) -> StoreError {
        let object = first.object
        let what = first.kind == .deletedByOther ? "deleted" : "changed"
        return StoreError(
            .conflict,
            "another context has \(what) the object since it was read; refresh it, or save with a different policy",
            entity: object.entity.name,
            attribute: first.mine.first(where: first.theirs.contains),
            object: object.id,
            faults: all.count > 1 ? all.map { "\($0.object.id)" } : []
        )
    }

    private func settle(_ conflict: MergeConflict) throws {
        switch onConflict.kind {
        case .fail, .mine: break
        case .theirs:
            guard conflict.kind == .changedByBoth else { return try conflict.takeTheirs() }
            for name in conflict.theirs { try conflict.takeTheirs(name) }
        // As in a hook, the values of a deleted object can be read.
        case .merge(let resolve): try hookState.running { try resolve(conflict) }
        }
    }
}

extension MergeConflict {
    /// Applies the changed values on top of what another context has saved, or on nothing if it has deleted the object.
    fileprivate func rebase(keepingWhole: Bool) throws {
        guard let theirRow else { return }
        if keepingWhole { try object.keepWhole(in: theirRow) }
        object.replaceRow(theirRow, theirVersion)
    }

    /// Applies the changed values on top of what was read again, so that the next save finds the conflict.
    fileprivate func restoreBase() {
        guard theirRow != nil, let baseVersion else { return }
        object.replaceRow(baseRow, baseVersion)
    }
}

extension ConflictPolicy {
    fileprivate var isFailure: Bool {
        if case .fail = kind { return true }
        return false
    }

    fileprivate var takesTheirs: Bool {
        if case .theirs = kind { return true }
        return false
    }
}

extension ManagedObject {
    /// Returns the attributes whose values differ from those that were read.
    fileprivate func netChanges() throws -> [StoredAttribute] {
        try entity.columns.filter { attribute in
            do {
                return try isChanged(attribute)
            } catch let error as StoreError where error.code == .conflict {
                // The original of a large value can no longer be read. If it was set, it counts as changed.
                return values.isUnsaved(attribute.index)
            }
        }
    }

    /// Returns a Boolean value that indicates whether the row was changed although its version is the same.
    ///
    /// Programs that write with SQL do not update the version.
    fileprivate func isOverwritten(by current: PackedRow?) throws -> Bool {
        guard let current, !isFault, current != row else { return false }
        return try !entity.columns.allSatisfy { try isSame($0, in: current) }
    }

    /// Returns a Boolean value that indicates whether an attribute still has the value that was read.
    ///
    /// A cell that was only re-encoded, for example with a new key, counts as unchanged.
    private func isSame(_ attribute: StoredAttribute, in current: PackedRow) throws -> Bool {
        guard let cell = attribute.cell, !row.value(cell).isIdentical(to: current.value(cell)) else { return true }
        guard attribute.transformer != nil, row.kind(cell) == current.kind(cell) else { return false }
        // Only the length of a large value was read, and the length changes with the padding.
        if row.kind(cell) == .integer { return true }
        if attribute.isExternal, BlobRecord.uuid(in: row, cell) != nil, BlobRecord.uuid(in: current, cell) != nil {
            return true
        }
        let read = try load(attribute, row, cell)
        return try read.failure == nil && attribute.isUnchanged(read, since: current, cell, in: place(attribute))
    }

    /// Returns the attributes whose cells differ from those that were read.
    fileprivate func differences(from theirs: (row: PackedRow, version: Int64)) throws -> [StoredAttribute] {
        guard !isFault else { return [] }
        return try entity.columns.filter { attribute in
            guard let cell = attribute.cell else { return false }
            guard row.value(cell).isIdentical(to: theirs.row.value(cell)) else { return true }
            // Only the length of a large value was read along with its row.
            return try attribute.isDeferrable && row.kind(cell) == .integer
                && !isOriginal(attribute, in: theirs.version)
        }
    }

    /// Returns a Boolean value that indicates whether a newer version of the row is known to have the same large value.
    ///
    /// The bytes of a value that may be changed in place are in memory.
    private func isOriginal(_ attribute: StoredAttribute, in newer: Int64) throws -> Bool {
        guard let original = values[attribute.index]?.original, original.version == version else { return false }
        do {
            return try original.row.value(0).isIdentical(to: wholeCell(attribute, version: newer).value(0))
        } catch let error as StoreError where error.code == .conflict {
            return false
        }
    }

    /// Returns a Boolean value that indicates whether attributes that were set here differ between the row that was read and
    /// a newer one, or those that are merged together with them.
    fileprivate func conflicts(with newer: (row: PackedRow, version: Int64)) throws -> Bool {
        let theirs = try differences(from: newer)
        return try entity.columns.filter { values.isUnsaved($0.index) }
            .flatMap { try entity.merged(with: $0.name) }
            .contains { attribute in theirs.contains { $0 === attribute } }
    }

    /// Marks as set the attributes that must be merged together with those changed here, unless a newer row has the
    /// same values.
    ///
    /// Otherwise, a reference to an object of another entity would have two targets, and a composite would have parts
    /// from both contexts.
    fileprivate func keepWhole(in newer: PackedRow) throws {
        guard !isFault, !isDeleted else { return }
        let differs = { [row] (attribute: StoredAttribute) in
            attribute.cell.map { !row.value($0).isIdentical(to: newer.value($0)) } ?? false
        }
        for group in entity.mergedGroups {
            // Undoing the change that is merged puts the earlier values back.
            try context.joined(toChangesOf: self, at: group.all.map(\.index)) {
                if group.attributes.contains(where: { values.isUnsaved($0.index) }) {
                    for attribute in group.all where differs(attribute) { try keepRead(attribute) }
                } else if let position = group.position, group.attributes.contains(where: differs) {
                    // The other context has moved the object away from the list in which it was moved here.
                    replaceSlot(of: position, nil)
                }
            }
        }
    }

    /// Marks the value that was read as set.
    private func keepRead(_ attribute: StoredAttribute) throws {
        guard !values.isUnsaved(attribute.index) else { return }
        let slot = try load(attribute, from: row)
        if let failure = slot.failure { throw failure }
        slot.markUnsaved()
        replaceSlot(of: attribute, slot)
    }

    private func replaceSlot(of attribute: StoredAttribute, _ slot: Slot?) {
        context.noteStep(.slot(self, attribute.index, replaceSlot(attribute.index, slot)))
    }

    /// Discards the changes made here.
    func takeTheirs(isGone: Bool) {
        dropChanges()
        acknowledge(isGone: isGone)
    }
}
