internal import Transformable

extension StoreContext {
    /// Settles what other contexts have saved of the objects that are about to be written.
    ///
    /// - Returns: The objects whose rows are gone and are made again.
    /// - Throws: ``StoreError`` with ``StoreError/Code/conflict``, naming the objects; what a merge throws.
    func settleConflicts() throws -> [ManagedObject] {
        // Deletions first: what only follows from one that is given up is no change that could conflict.
        let deletions = try conflicts(of: .deleted)
        if !onConflict.isFailure {
            for conflict in deletions { try settle(conflict) }
            let revived = deletions.map(\.object).filter { $0.state == .stored }
            if !revived.isEmpty { takeBackConsequences(for: revived) }
        }
        let changes = try conflicts(of: .stored)
        if onConflict.isFailure, let first = deletions.first ?? changes.first {
            throw Self.conflict(first, among: deletions + changes)
        }
        for conflict in changes { try settle(conflict) }
        return changes.filter { $0.kind == .deletedByOther && $0.object.state == .stored }.map(\.object)
    }

    /// The conflicts of the objects in a state; all others are brought up to date.
    private func conflicts(of state: ManagedObject.State) throws -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        for object in changed where object.state == state {
            let current = try row(object.entity, object.number)
            guard try current?.version != object.version || object.isOverwritten(by: current?.row) else { continue }
            if let conflict = try conflict(of: object, current?.row) {
                conflicts.append(conflict)
                if !onConflict.isFailure { object.rebase(current) }
            } else if let current {
                object.fill(current.row, current.version)
            }
        }
        return conflicts
    }

    /// Describes a conflict; nil if there is none after all.
    private func conflict(of object: ManagedObject, _ theirs: PackedRow?) throws -> MergeConflict? {
        if object.isDeleted {
            // Both wanted the same.
            guard theirs != nil else {
                object.state = .gone
                return nil
            }
        } else if try object.netChanges().isEmpty {
            return nil
        }
        return MergeConflict(
            object: object,
            kind: object.isDeleted ? .deletedHere : theirs == nil ? .deletedByOther : .changedByBoth,
            mine: object.isDeleted ? [] : try object.netChanges(),
            theirs: theirs.map(object.differences) ?? [],
            baseRow: object.row,
            theirRow: theirs
        )
    }

    private static func conflict(_ first: MergeConflict, among all: [MergeConflict]) -> StoreError {
        let object = first.object
        let what = first.kind == .deletedByOther ? "deleted" : "changed"
        return StoreError(
            .conflict,
            "another context has \(what) it since it was read; refresh it, or save with another policy",
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
        case .merge(let resolve): try resolve(conflict)
        }
    }
}

extension ConflictPolicy {
    fileprivate var isFailure: Bool {
        if case .fail = kind { return true }
        return false
    }
}

extension ManagedObject {
    /// The attributes that were set to something else than what was read.
    fileprivate func netChanges() throws -> [String] {
        do {
            return try changedColumns().map(\.name)
        } catch let error as StoreError where error.code == .conflict {
            // What a large value was can no longer be read; it was set, and so it counts.
            return changedAttributes
        }
    }

    /// Whether the row is another one than the one that was read, though its version is the same: programs that
    /// write by SQL leave that as it is.
    fileprivate func isOverwritten(by current: PackedRow?) throws -> Bool {
        guard let current, !isFault, current != row else { return false }
        return try !entity.columns.allSatisfy { try isSame($0, in: current) }
    }

    /// Whether an attribute has the value that was read.
    ///
    /// A cell that was only encoded again, as under a new key, counts as the same.
    private func isSame(_ attribute: StoredAttribute, in current: PackedRow) throws -> Bool {
        guard let cell = attribute.cell, !row.value(cell).isIdentical(to: current.value(cell)) else { return true }
        guard attribute.transformer != nil, row.kind(cell) == current.kind(cell) else { return false }
        // Of a large value only the length was read, which changes with the padding.
        if row.kind(cell) == .integer { return true }
        if attribute.isExternal, BlobRecord.uuid(in: row, cell) != nil, BlobRecord.uuid(in: current, cell) != nil {
            return true
        }
        let read = try load(attribute, row, cell)
        return try read.failure == nil && attribute.isUnchanged(read, since: current, cell, in: place(attribute))
    }

    /// The attributes whose cells differ from those that were read.
    fileprivate func differences(from theirs: PackedRow) -> [String] {
        guard !isFault else { return [] }
        return entity.columns.compactMap { attribute in
            guard let cell = attribute.cell else { return nil }
            let isLarge = attribute.isDeferrable && row.kind(cell) == .integer
            let isSame = !isLarge && row.value(cell).isIdentical(to: theirs.value(cell))
            return isSame ? nil : attribute.name
        }
    }

    /// Puts what was set over what another context has saved; nil if it has deleted the object.
    fileprivate func rebase(_ current: (row: PackedRow, version: Int64)?) {
        guard let current else { return }
        fill(current.row, current.version)
    }

    /// Gives up what was changed here.
    func takeTheirs(isGone: Bool) {
        dropChanges()
        state = isGone ? .gone : .stored
    }
}
