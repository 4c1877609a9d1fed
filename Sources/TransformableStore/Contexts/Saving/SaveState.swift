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
