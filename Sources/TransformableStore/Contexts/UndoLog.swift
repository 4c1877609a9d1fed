/// The changes since the last save, in groups that are undone together.
struct UndoLog {
    /// A step that reverts one change.
    enum Step {
        /// An attribute of an object had this slot, or `nil` if it had not been used.
        case slot(ManagedObject, Int, Slot?)
        case state(ManagedObject, ObjectLifecycle.State)
        case pair(PairEdits.Key, PairEdits.Edit?)
        /// A change was rejected, or no longer is.
        case refusal(Refusal, isTakenBack: Bool)

        fileprivate var place: Place {
            switch self {
            case .slot(let object, let index, _): .slot(ObjectIdentifier(object), index)
            case .state(let object, _): .state(ObjectIdentifier(object))
            case .pair(let key, _): .pair(key)
            case .refusal(let refusal, _): .refusal(ObjectIdentifier(refusal))
            }
        }
    }

    /// What a step changes.
    ///
    /// Steps that change the same place are reverted in the opposite order.
    enum Place: Hashable {
        case slot(ObjectIdentifier, Int)
        case state(ObjectIdentifier)
        case pair(PairEdits.Key)
        case refusal(ObjectIdentifier)
    }

    /// A step, and whether the delete rules made it.
    struct Entry {
        let step: Step
        let isByRule: Bool
    }

    fileprivate private(set) var undone: [[Entry]] = []
    private(set) var done: [[Entry]] = []
    private var open: [Entry] = []
    // The number of times that all steps were discarded.
    private var clearCount = 0
    // The last of the first groups that changed each place, and the number of these groups.
    private var lastGroups: [Place: Int] = [:]
    private var indexedCount = 0
    // The number of nested open groups.
    fileprivate private(set) var depth = 0
    /// Whether the delete rules are being applied.
    var isFollowingRules = false

    mutating func begin() {
        depth += 1
    }

    mutating func end() {
        depth -= 1
        guard depth == 0, !open.isEmpty else { return }
        done.append(open)
        undone = []
        open = []
    }

    /// Ends a group whose steps are undone together with the last group that changed one of the given places, or else with
    /// the previous group.
    ///
    /// If a later group changed what the steps change, they are undone together with that group.
    mutating func endJoined(to places: Set<Place> = []) {
        depth -= 1
        guard depth == 0, !open.isEmpty else { return }
        let target = lastGroup(changing: places) ?? done.indices.last
        let changed = Set(open.map(\.step.place))
        if let index = [target, lastGroup(changing: changed)].compactMap(\.self).max() {
            done[index] += open
            for place in changed { lastGroups[place] = index }
        } else {
            done.append(open)
        }
        open = []
    }

    private mutating func lastGroup(changing places: Set<Place>) -> Int? {
        for index in indexedCount..<done.count {
            for entry in done[index] { lastGroups[entry.step.place] = index }
        }
        indexedCount = done.count
        return places.compactMap { lastGroups[$0] }.max()
    }

    private mutating func forgetLastGroups() {
        lastGroups = [:]
        indexedCount = 0
    }

    mutating func add(_ step: Step) {
        let entry = Entry(step: step, isByRule: isFollowingRules)
        guard depth == 0 else { return open.append(entry) }
        done.append([entry])
        undone = []
    }

    /// Discards all steps.
    ///
    /// An open group continues.
    mutating func clear() {
        done = []
        undone = []
        open = []
        clearCount += 1
        forgetLastGroups()
    }

    /// All steps that have not been undone, in order.
    fileprivate var entries: [Entry] { done.flatMap(\.self) + open }

    mutating func takeDone() -> [Entry]? {
        forgetLastGroups()
        return done.popLast()
    }

    mutating func takeUndone() -> [Entry]? { undone.popLast() }
    mutating func putUndone(_ steps: [Entry]) { undone.append(steps) }
    mutating func putDone(_ steps: [Entry]) { done.append(steps) }

    /// A position among the steps of the open group.
    fileprivate struct Mark {
        let count: Int
        let clearCount: Int
    }

    /// The position after the last step of the open group.
    fileprivate var mark: Mark { Mark(count: open.count, clearCount: clearCount) }

    /// Removes and returns the steps of the open group after a position.
    fileprivate mutating func takeOpen(after mark: Mark) -> [Entry] {
        // A save or a rollback in the meantime has discarded the steps before the position.
        let count = mark.clearCount == clearCount ? mark.count : 0
        defer { open.removeSubrange(count...) }
        return Array(open[count...])
    }
}

extension StoreContext {
    /// Runs a closure whose changes are undone together, in a context for editing.
    ///
    /// If the closure throws an error, its changes are kept.
    package func grouped<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isEditing else { return try body() }
        undoLog.begin()
        defer { undoLog.end() }
        return try body()
    }

    /// Runs a closure whose changes are undone together with those before it, in a context for editing.
    func joined<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isEditing else { return try body() }
        undoLog.begin()
        defer { undoLog.endJoined() }
        return try body()
    }

    /// Runs a closure whose changes are undone together with the last change to one of an object's attributes, in a
    /// context for editing.
    func joined<Result>(
        toChangesOf object: ManagedObject,
        at indexes: some Collection<Int>,
        _ body: () throws -> Result
    ) rethrows -> Result {
        guard isEditing else { return try body() }
        undoLog.begin()
        defer { undoLog.endJoined(to: Set(indexes.map { .slot(ObjectIdentifier(object), $0) })) }
        return try body()
    }

    /// Records how to revert a change, in a context for editing.
    func noteStep(_ step: UndoLog.Step) {
        if isEditing { undoLog.add(step) }
    }

    /// Reverts steps, the last one first.
    ///
    /// - Returns: The steps that redo them.
    private func revert(_ steps: [UndoLog.Entry]) -> [UndoLog.Entry] {
        links.forgetPositions()
        return steps.reversed().map { UndoLog.Entry(step: revert($0.step), isByRule: $0.isByRule) }
    }

    private func revert(_ step: UndoLog.Step) -> UndoLog.Step {
        dropLists()
        switch step {
        case .slot(let object, let index, let slot):
            // A change is checked against the row that was read last, which a refresh has discarded.
            if slot?.isDirty == true, object.isFault { try? object.requireRow() }
            let current = object.replaceSlot(index, slotToPutBack(slot, index, of: object))
            // The object may have been refreshed, so that the next save would not look at it.
            if slot?.isDirty == true, object.state != .gone { object.note() }
            return .slot(object, index, current)
        case .state(let object, let state):
            // A deletion is checked against the version that was read last.
            if state == .deleted, object.isFault { try? object.requireRow() }
            defer { object.revert(to: state) }
            return .state(object, object.state)
        case .pair(let key, let edit):
            defer { work.setPair(key, edit) }
            return .pair(key, work.pairs[key])
        case .refusal(let refusal, let isTakenBack): return revert(refusal, isTakenBack: isTakenBack)
        }
    }

    /// Returns the slot to put back, or `nil` if its value was read from a row that has been replaced since.
    private func slotToPutBack(_ slot: Slot?, _ index: Int, of object: ManagedObject) -> Slot? {
        let attribute = object.entity.attributes[index]
        guard let slot, !slot.isDirty, object.state == .stored, attribute.cell != nil else { return slot }
        // The program may hold a value of reference type, and change it in place.
        return attribute.isMutableInPlace && (try? object.isUnchanged(slot, attribute)) == true ? slot : nil
    }

    /// Whether there is a group of changes to undo.
    public var canUndo: Bool { !undoLog.done.isEmpty }

    /// Whether there is an undone group of changes to redo.
    public var canRedo: Bool { !undoLog.undone.isEmpty }

    /// Groups several changes for ``undo()``.
    ///
    /// Outside of a group, each call that changes something is a group of its own.
    ///
    /// If the closure throws an error in a context for editing, its changes are undone immediately. In a `write` block,
    /// they are kept, because nothing can be undone there. To discard them, throw the error from the block.
    ///
    /// - Parameter body: A closure that changes objects.
    /// - Returns: The result of the closure.
    /// - Throws: The errors thrown by the closure.
    public func group<Result>(_ body: () throws -> Result) throws -> Result {
        guard isEditing else { return try body() }
        return try grouped {
            let mark = undoLog.mark
            do {
                return try body()
            } catch {
                _ = revert(undoLog.takeOpen(after: mark))
                throw error
            }
        }
    }

    /// Undoes the last group of changes, along with its consequences, such as changes to inverse relationships and
    /// cascading deletions.
    ///
    /// After a save, a rollback, or the end of a block, there is nothing to undo. In-place changes of values of
    /// reference type, changes of `@Transient` properties of a class, and what hooks did outside of the store, are not
    /// undone.
    ///
    /// - Returns: Whether there was anything to undo.
    /// - Throws: `StoreError` with the code `misuse` inside a group or a hook.
    @discardableResult
    public func undo() throws -> Bool {
        try requireOutsideGroup()
        guard let steps = undoLog.takeDone() else { return false }
        undoLog.putUndone(revert(steps))
        return true
    }

    /// Redoes the changes that ``undo()`` undid last, unless something else has changed since.
    ///
    /// - Returns: Whether there was anything to redo.
    /// - Throws: `StoreError` with the code `misuse` inside a group or a hook.
    @discardableResult
    public func redo() throws -> Bool {
        try requireOutsideGroup()
        guard let steps = undoLog.takeUndone() else { return false }
        undoLog.putDone(revert(steps))
        return true
    }

    private func requireOutsideGroup() throws(StoreError) {
        guard undoLog.depth == 0, saving.phase == .open else {
            throw StoreError(.misuse, "a group of changes or a save is in progress; undo after it has ended")
        }
    }
}

// MARK: - Delete rules

extension StoreContext {
    /// Reverts what the delete rules have done since the last save, so that they can be applied again after some
    /// deletions were given up.
    ///
    /// If something other than the rules has made a later change, that change is kept.
    ///
    /// - Parameter revived: The objects that are not deleted after all. They are as another context has saved them.
    func takeBackConsequences(for revived: [ManagedObject]) {
        links.forgetPositions()
        let revived = Set(revived.map(ObjectIdentifier.init))
        var overridden: Set<UndoLog.Place> = []
        for entry in undoLog.entries.reversed() {
            if !entry.isByRule {
                overridden.insert(entry.step.place)
            } else if !overridden.contains(entry.step.place) {
                takeBack(entry.step, revived)
            }
        }
        // They have no row to delete, but what led to them leads to them again.
        for object in work.changed where object.state == .gone { work.noteDeletion(object) }
    }

    private func takeBack(_ step: UndoLog.Step, _ revived: Set<ObjectIdentifier>) {
        guard case .slot(let object, let index, let slot) = step else {
            _ = revert(step)
            return
        }
        // The object has been refreshed since then, or its changes are given up.
        guard object.isNoted, !revived.contains(ObjectIdentifier(object)) else { return }
        // Values that were only read are read again, because another context may have saved others.
        let wasRead = slot?.isDirty == false && object.state == .stored && object.entity.attributes[index].cell != nil
        _ = object.replaceSlot(index, wasRead ? nil : slot)
    }
}
