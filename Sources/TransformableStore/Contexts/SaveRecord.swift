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
        changes.note(id, kind, attributes)
    }

    func noteUpdate(_ id: ObjectID, _ names: some Sequence<String>) {
        changes.update(id, names)
    }

    /// Records that there were changes that are not listed.
    func omitSome() {
        changes.omitSome()
    }

    func takeChanges() -> ChangeSet {
        defer { changes = ChangeSet() }
        return changes
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
        changes = ChangeSet()
    }
}

@available(*, unavailable)
extension SaveRecord: Sendable {}
