/// How far a context has come with saving its changes, and what it has written.
///
/// It is a class so that no access to it lasts while hooks run, whose fetches read it.
final class SaveState {
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

    private(set) var phase = Phase.open
    /// What the current transaction has written.
    let record = SaveRecord()
    /// Whether an object with certain unique values was looked for, and a new one was to be inserted instead.
    private(set) var hasMissedObject = false

    /// Runs a closure that runs hooks and delete rules before anything is written.
    func preparing(_ body: () throws -> Void) rethrows {
        try enter(.preparing, body)
    }

    /// Runs a closure that writes.
    func writing(_ body: () throws -> Void) rethrows {
        try enter(.writing, body)
    }

    private func enter(_ phase: Phase, _ body: () throws -> Void) rethrows {
        self.phase = phase
        defer { self.phase = .open }
        try body()
    }

    /// Ends the changes of a block, whose transaction has been committed.
    func settle() {
        phase = .settled
    }

    /// Records that a new object is to be inserted because no object with its unique values was found.
    func noteMissedObject() {
        hasMissedObject = true
    }
}

@available(*, unavailable)
extension SaveState: Sendable {}

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

/// What a context's current transaction has written.
final class SaveRecord {
    /// The objects, in the order in which they were written.
    private(set) var written: [WrittenObject] = []
    /// The changes for observers.
    private(set) var changes = ChangeSet()
    /// Whether there are observers of the transaction.
    private(set) var isObserved = false
    /// Whether all changes are listed, even if there are more than observers learn of.
    var listsAll = false
    // The number of objects in the changes, by their entities.
    private var counts: [String: Int] = [:]
    /// Text whose uniqueness the database cannot check.
    private(set) var rewritableTexts: [RewritableText] = []

    func begin(isObserved: Bool) {
        self.isObserved = isObserved
        // Whoever starts to observe before the transaction ends needs to know that there was more.
        if !isObserved { changes.omitSome() }
    }

    func add(_ entry: WrittenObject) {
        written.append(entry)
    }

    /// Records the rows of all objects that still have one.
    ///
    /// - Parameter read: A closure that passes the rows of objects to another one, in the order of the objects.
    func readRows(_ read: (_ objects: [ManagedObject], _ keep: (CurrentRow) -> Void) throws -> Void) rethrows {
        let places = written.indices.filter { written[$0].kind != .deleted }
        var rest = places[...]
        try read(places.map { written[$0].object }) { current in
            if let place = rest.popFirst() { written[place].row = current.row }
        }
    }

    func takeWritten() -> [WrittenObject] {
        defer { written = [] }
        return written
    }

    // MARK: Observers

    func note(_ id: ObjectID, _ kind: WrittenObject.Kind, _ attributes: [String]) {
        add(to: id.entity) { $0.note(id, kind, attributes) }
    }

    func noteUpdate(_ id: ObjectID, _ names: some Sequence<String>) {
        add(to: id.entity) { $0.update(id, names) }
    }

    /// Records a change to an object of an entity, unless so many of them have changed that no observer learns of each.
    private func add(to entity: String, _ change: (inout ChangeSet) -> Void) {
        guard !changes.omitted.contains(entity) else { return }
        let before = changes.count
        change(&changes)
        counts[entity, default: 0] += changes.count - before
        if !listsAll, counts[entity, default: 0] > ChangeSet.limit { changes.omit(entity) }
    }

    /// Records that there were changes that are not listed.
    func omitSome() {
        changes.omitSome()
    }

    func takeChanges() -> ChangeSet {
        defer { forgetChanges() }
        return changes
    }

    private func forgetChanges() {
        changes = ChangeSet()
        counts = [:]
    }

    // MARK: Unique text

    func note(_ text: RewritableText) {
        rewritableTexts.append(text)
    }

    func forgetTexts() {
        rewritableTexts = []
    }

    /// Forgets what a transaction that was rolled back has written.
    func rollBack() {
        written = []
        rewritableTexts = []
        forgetChanges()
    }
}

@available(*, unavailable)
extension SaveRecord: Sendable {}
