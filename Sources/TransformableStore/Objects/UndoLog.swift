/// What was done since the last save, in groups that are undone together.
struct UndoLog {
    /// How one change is taken back.
    enum Step {
        /// An attribute of an object had this slot; nil if it had not been touched.
        case slot(ManagedObject, Int, Slot?)
        case state(ManagedObject, ManagedObject.State)
        case pair(PairEdits.Key, PairEdits.Edit?)
        /// Something was refused, or is no longer.
        case refusal(Refusal, isTakenBack: Bool)
    }

    /// A step, and whether the delete rules took it.
    struct Entry {
        let step: Step
        let isByRule: Bool
    }

    private(set) var undone: [[Entry]] = []
    private(set) var done: [[Entry]] = []
    private var open: [Entry] = []
    // How many groups are open in each other.
    private(set) var depth = 0
    /// Whether the delete rules are being followed.
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

    mutating func add(_ step: Step) {
        let entry = Entry(step: step, isByRule: isFollowingRules)
        guard depth == 0 else { return open.append(entry) }
        done.append([entry])
        undone = []
    }

    /// Forgets every step; a group that is open goes on.
    mutating func clear() {
        done = []
        undone = []
        open = []
    }

    /// Every step that is not undone, the first one first.
    var entries: [Entry] { done.flatMap(\.self) + open }

    mutating func takeDone() -> [Entry]? { done.popLast() }
    mutating func takeUndone() -> [Entry]? { undone.popLast() }
    mutating func putUndone(_ steps: [Entry]) { undone.append(steps) }
    mutating func putDone(_ steps: [Entry]) { done.append(steps) }

    /// Takes what the open group has so far.
    mutating func takeOpen() -> [Entry] {
        defer { open = [] }
        return open
    }
}

extension StoreContext {
    /// Runs a body whose changes are undone together, in a context made for editing.
    func grouped<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isEditing else { return try body() }
        undoLog.begin()
        defer { undoLog.end() }
        return try body()
    }

    /// Keeps how a change is taken back, in a context made for editing.
    func noteStep(_ step: UndoLog.Step) {
        if isEditing { undoLog.add(step) }
    }

    /// Takes steps back, the last one first.
    ///
    /// - Returns: The steps that do them again.
    private func revert(_ steps: [UndoLog.Entry]) -> [UndoLog.Entry] {
        lastPositions = [:]
        return steps.reversed().map { UndoLog.Entry(step: revert($0.step), isByRule: $0.isByRule) }
    }

    func revert(_ step: UndoLog.Step) -> UndoLog.Step {
        dropLists()
        switch step {
        case .slot(let object, let index, let slot):
            let current = object.replaceSlot(index, slot)
            return .slot(object, index, current)
        case .state(let object, let state):
            defer {
                object.state = state
                pendingTables?.note(object)
            }
            return .state(object, object.state)
        case .pair(let key, let edit):
            defer {
                pairs[key] = edit
                pendingTables?.note(key)
            }
            return .pair(key, pairs[key])
        case .refusal(let refusal, let isTakenBack): return revert(refusal, isTakenBack: isTakenBack)
        }
    }

    /// Whether there is a group of changes to undo.
    public var canUndo: Bool { !undoLog.done.isEmpty }

    /// Whether there is an undone group of changes to do again.
    public var canRedo: Bool { !undoLog.undone.isEmpty }

    /// Makes several changes one group for ``undo()``; without it each call that changes something is one.
    ///
    /// If the body throws, what it has changed is undone at once.
    ///
    /// - Parameter body: Changes objects.
    /// - Returns: What the body gives.
    /// - Throws: What the body throws.
    public func group<Result>(_ body: () throws -> Result) throws -> Result {
        guard isEditing, undoLog.depth == 0 else { return try body() }
        return try grouped {
            do {
                return try body()
            } catch {
                _ = revert(undoLog.takeOpen())
                throw error
            }
        }
    }

    /// Takes the last group of changes back, what followed from it included: the other sides of
    /// relationships, cascades.
    ///
    /// A save, a rollback and the end of a block leave nothing to undo. What was changed inside of a value of
    /// reference type, and what hooks did outside of the store, is not taken back.
    ///
    /// - Returns: Whether there was anything to undo.
    /// - Throws: ``StoreError`` with ``StoreError/Code/misuse`` within a group or a hook.
    @discardableResult
    public func undo() throws -> Bool {
        try requireOutsideGroup()
        guard let steps = undoLog.takeDone() else { return false }
        undoLog.putUndone(revert(steps))
        return true
    }

    /// Does again what ``undo()`` took back last, unless something else was changed since.
    ///
    /// - Returns: Whether there was anything to do again.
    /// - Throws: ``StoreError`` with ``StoreError/Code/misuse`` within a group or a hook.
    @discardableResult
    public func redo() throws -> Bool {
        try requireOutsideGroup()
        guard let steps = undoLog.takeUndone() else { return false }
        undoLog.putDone(revert(steps))
        return true
    }

    private func requireOutsideGroup() throws(StoreError) {
        guard undoLog.depth == 0, phase == .open else {
            throw StoreError(.misuse, "a group of changes or a save is under way; undo when it has ended")
        }
    }
}
