/// What the next save does with an object, and whether its context knows of it.
struct ObjectLifecycle {
    /// What happens to an object when its context is saved.
    enum State {
        case inserted
        case stored
        case deleted
        /// Deleted and removed, or never written.
        case gone
    }

    private(set) var state: State
    /// Whether the object is in the context's list of objects to write.
    private(set) var isNoted: Bool
    // Whether the last deletion took back an insertion that had failed.
    private var wasTakenBack = false

    /// Creates the lifecycle of an object with a row, or of a new one, which its context notes.
    init(isNew: Bool) {
        state = isNew ? .inserted : .stored
        isNoted = isNew
    }

    /// Whether the object is deleted, or is going to be.
    var isDeleted: Bool { state == .deleted || state == .gone }

    /// Whether the object is deleted because its insertion failed after its row was written.
    var isTakenBack: Bool { wasTakenBack && isDeleted }

    // MARK: Changes

    /// Records that there is something to save, and returns whether the context must be notified.
    fileprivate mutating func note() -> Bool {
        guard !isNoted else { return false }
        isNoted = true
        return true
    }

    /// Records that there is nothing left to save.
    mutating func forgetNote() {
        isNoted = false
    }

    /// Marks the object as deleted, and returns whether the context must be notified.
    fileprivate mutating func markDeleted(takingBack: Bool) -> Bool {
        wasTakenBack = takingBack
        switch state {
        case .inserted:
            state = .gone
            return false
        case .stored:
            state = .deleted
            return note()
        case .deleted, .gone: return false
        }
    }

    /// Makes a deleted object appear not to be deleted until its state is restored.
    fileprivate mutating func hideDeletion() {
        if isDeleted { state = state == .gone ? .inserted : .stored }
    }

    /// Returns to an earlier state.
    fileprivate mutating func restore(_ earlier: State) {
        state = earlier
    }

    /// Makes a new object a deleted one, and a deleted object one that is not.
    mutating func rollBack() {
        switch state {
        case .inserted: state = .gone
        case .deleted: state = .stored
        case .stored, .gone: break
        }
    }

    // MARK: The row

    /// Records whether the row exists.
    mutating func acknowledge(isGone: Bool) {
        state = isGone ? .gone : .stored
    }

    /// Records that there is nothing left to save, and whether the row exists.
    mutating func settle(isGone: Bool) {
        acknowledge(isGone: isGone)
        forgetNote()
    }
}

extension ManagedObject {
    /// What happens to the object when the context is saved.
    var state: ObjectLifecycle.State { lifecycle.state }

    /// Whether the object is in the context's list of objects to write.
    var isNoted: Bool { lifecycle.isNoted }

    /// Whether the object has been deleted.
    public var isDeleted: Bool { lifecycle.isDeleted }

    /// Whether the object is deleted because its insertion failed after its row was written.
    var isTakenBack: Bool { lifecycle.isTakenBack }

    /// Whether the object is new and has not been written yet.
    public var isInserted: Bool { state == .inserted }

    /// Records a change for the next save.
    func note() {
        guard lifecycle.note() else { return }
        context.work.note(self)
        keepRepresentative()
        noteReferences()
    }

    /// Records where the references that were read lead to.
    ///
    /// While the object has changes, the context relies on them.
    private func noteReferences() {
        guard context.isEditing, state == .stored, !isFault else { return }
        for attribute in entity.references {
            guard let cell = attribute.cell, row.kind(cell) == .integer else { continue }
            context.links.note(self, attribute, row.integer(cell))
        }
    }

    /// Marks the object as deleted.
    ///
    /// - Parameter takingBack: Whether it is deleted because its insertion failed after its row was written.
    /// - Returns: Whether the context must be notified.
    func markDeleted(takingBack: Bool) -> Bool {
        if state == .stored { keepRepresentative() }
        return lifecycle.markDeleted(takingBack: takingBack)
    }

    /// Makes an object whose insertion has failed a deleted one.
    func discard() {
        lifecycle.settle(isGone: true)
    }

    /// Records whether the row still exists, after another context may have deleted it.
    func acknowledge(isGone: Bool) {
        lifecycle.acknowledge(isGone: isGone)
        // If the save fails, a fetch must not find what was pending before.
        context.work.touch(self)
    }

    /// Returns to an earlier state, which the next save writes.
    func revert(to earlier: ObjectLifecycle.State) {
        lifecycle.restore(earlier)
        if state == .inserted || state == .deleted { note() }
        context.work.touch(self)
    }

    /// Calls a closure to which the object appears not to be deleted.
    func withoutDeletion<Result>(_ body: () throws -> Result) rethrows -> Result {
        let known = state
        lifecycle.hideDeletion()
        defer { lifecycle.restore(known) }
        return try body()
    }
}
