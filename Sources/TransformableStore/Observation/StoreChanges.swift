internal import Synchronization

/// The changes that are committed to a store after a call to ``Store/changes(of:)``.
///
/// Commits of this store's contexts are listed object by object. A commit of another store on the same file, or of
/// another program, is detected, but its objects are not known. Within about a fifth of a second, it produces a
/// change set whose ``ChangeSet/isIncomplete`` is `true`, so that you read again what you show.
///
/// Each element contains what was committed since the previous one, which is usually one transaction. If you read
/// slowly, several transactions are combined. Beyond ten thousand objects, the element only states that there were
/// more, so memory use is limited. The sequence ends when the store is closed or no longer referenced, or when the
/// waiting task is canceled.
///
/// ```swift
/// for await change in try store.changes(of: "Patient") {
///     list.update(change.inserted, change.deleted)
/// }
/// ```
public struct StoreChanges: AsyncSequence, Sendable {
    /// The changes since the previous element.
    public typealias Element = ChangeSet
    /// The sequence never fails.
    public typealias Failure = Never

    let observer: Observer

    /// Creates an iterator.
    ///
    /// All iterators of the sequence share one stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: observer)
    }

    /// Provides the change sets to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let observer: Observer

        /// Waits for a commit, and returns `nil` when the store is closed or the task is canceled.
        public mutating func next() async -> ChangeSet? {
            await observer.next()
        }

        /// Waits for a commit, and returns `nil` when the store is closed or the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ChangeSet? {
            await observer.next()
        }
    }
}

/// Collects what was committed since its reader last asked.
final class Observer: Sendable {
    private struct State {
        var pending = ChangeSet()
        var waiting: [UInt64: CheckedContinuation<ChangeSet?, Never>] = [:]
        var nextWaiter: UInt64 = 0
        var canceled: Set<UInt64> = []
        var isFinished = false
    }

    private let entities: Set<String>
    private let scope: TenantScope
    private let state = Mutex(State())

    init(entities: Set<String>, in scope: TenantScope) {
        self.entities = entities
        self.scope = scope
    }

    func publish(_ changes: ChangeSet, in origin: TenantScope?) {
        // A tenant can see its own commits, those to shared objects, and those of unknown programs.
        guard origin == nil || origin == .shared || origin == scope else { return }
        let changes = changes.filtered(entities)
        guard !changes.isEmpty else { return }
        let (readers, sets) = state.withLock { state in
            state.pending.add(changes)
            guard let key = state.waiting.keys.min(), let reader = state.waiting.removeValue(forKey: key) else {
                return ([CheckedContinuation<ChangeSet?, Never>](), ChangeSet())
            }
            defer { state.pending = ChangeSet() }
            return ([reader], state.pending)
        }
        for reader in readers { reader.resume(returning: sets) }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    func next() async -> ChangeSet? {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(key, $0) }
        } onCancel: {
            cancel(key)
        }
    }

    private func wait(_ key: UInt64, _ reader: CheckedContinuation<ChangeSet?, Never>) {
        let answer: ChangeSet?? = state.withLock { state in
            if state.canceled.remove(key) != nil { return .some(nil) }
            if !state.pending.isEmpty {
                defer { state.pending = ChangeSet() }
                return .some(state.pending)
            }
            if state.isFinished { return .some(nil) }
            state.waiting[key] = reader
            return nil
        }
        if let answer { reader.resume(returning: answer) }
    }

    private func cancel(_ key: UInt64) {
        let reader = state.withLock { state in
            let reader = state.waiting.removeValue(forKey: key)
            // The task may be canceled before it waits.
            if reader == nil { state.canceled.insert(key) }
            return reader
        }
        reader?.resume(returning: nil)
    }
}

/// The readers of a store's changes, which are not retained.
final class ObserverList: Sendable {
    private struct Reference: Sendable {
        weak let observer: Observer?
    }

    private struct State {
        var references: [Reference] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    var isEmpty: Bool {
        state.withLock { state in
            state.references.removeAll { $0.observer == nil }
            return state.references.isEmpty
        }
    }

    /// Adds an observer, unless the store is closed, in which case there is nothing to wait for.
    ///
    /// - Returns: Whether the observer was added.
    func add(_ observer: Observer) -> Bool {
        let isAdded = state.withLock { state in
            if !state.isFinished { state.references.append(Reference(observer: observer)) }
            return !state.isFinished
        }
        if !isAdded { observer.finish() }
        return isAdded
    }

    func publish(_ changes: ChangeSet, in origin: TenantScope?) {
        let observers = state.withLock { $0.references.compactMap(\.observer) }
        for observer in observers { observer.publish(changes, in: origin) }
    }

    /// Whether the store has been closed.
    var isFinished: Bool { state.withLock(\.isFinished) }

    func finish() {
        let observers = state.withLock { state in
            state.isFinished = true
            return state.references.compactMap(\.observer)
        }
        for observer in observers { observer.finish() }
    }
}

extension Store {
    /// Returns the changes that are committed to the store from now on.
    ///
    /// Commits of other programs, and of other stores that have the same file open, appear as change sets that list
    /// nothing. See ``ChangeSet/isIncomplete``.
    ///
    /// - Parameter entities: The entities to observe, including their children. If there are none, all entities are
    ///   observed.
    /// - Returns: The changes, for one reader.
    /// - Throws: `StoreError` with the code `unknown-entity` if there is no such entity.
    public func changes(of entities: String...) throws(StoreError) -> StoreChanges {
        try changes(of: entities, in: undividedScope())
    }

    func changes(of entities: [String], in scope: TenantScope) throws(StoreError) -> StoreChanges {
        var names: Set<String> = entities.isEmpty ? Set(schema.entities.map(\.name)) : []
        for entity in entities { names.formUnion(try schema.family(entity).map(\.name)) }
        let observer = Observer(entities: names, in: scope)
        if observers.add(observer) { watchOthers() }
        return StoreChanges(observer: observer)
    }

    /// Whether there are observers of commits.
    var isObserved: Bool { !observers.isEmpty }

    /// Returns a Boolean value that indicates whether an error ends results that are read again after each change, because
    /// the task was canceled or the store was closed.
    ///
    /// Observers learn that the store is closed only after its engine was closed.
    func endsResults(_ error: any Error) -> Bool {
        let isClosed = (error as? StoreError).map { $0.code == .misuse && $0.message == StoreError.closed.message }
        return Task.isCancelled || observers.isFinished || isClosed == true
    }

    /// Notifies observers of a commit.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - scope: The scope of the context that committed them, or `nil` for a commit of another program.
    func publish(_ changes: ChangeSet, in scope: TenantScope?) {
        guard !changes.isEmpty else { return }
        observers.publish(changes, in: scope)
    }
}
