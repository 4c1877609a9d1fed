internal import Synchronization

/// What is committed to a store, from the call of ``Store/changes(of:)`` on.
///
/// What contexts of this store commit is listed object by object. Of what another store on the same file or another
/// program commits it is only known that it did: within about a fifth of a second comes a change set that
/// ``ChangeSet/isIncomplete``, whose reader reads again what it shows.
///
/// Each element is what was committed since the one before: usually one transaction. Whoever asks seldom
/// gets several of them as one, and beyond ten thousand objects only that there were more, so that nothing
/// piles up. Ends when the store is closed, and when the task that waits is cancelled.
///
/// ```swift
/// for await change in try store.changes(of: "Patient") {
///     list.update(change.inserted, change.deleted)
/// }
/// ```
public struct StoreChanges: AsyncSequence, Sendable {
    /// What was committed since the element before.
    public typealias Element = ChangeSet
    /// Nothing fails.
    public typealias Failure = Never

    let observer: Observer

    /// Gives an iterator; all that are made share one stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: observer)
    }

    /// Gives the change sets to one reader.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let observer: Observer

        /// Waits for something to be committed; nil when the store is closed or the task cancelled.
        public mutating func next() async -> ChangeSet? {
            await observer.next()
        }

        /// Waits for something to be committed; nil when the store is closed or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ChangeSet? {
            await observer.next()
        }
    }
}

/// Keeps for one reader what was committed since it asked last.
final class Observer: Sendable {
    // How many objects a change set lists at most.
    private static let limit = 10_000

    private struct State {
        var pending = ChangeSet()
        var waiting: [UInt64: CheckedContinuation<ChangeSet?, Never>] = [:]
        var nextWaiter: UInt64 = 0
        var cancelled: Set<UInt64> = []
        var isFinished = false
    }

    private let entities: Set<String>
    private let state = Mutex(State())

    init(entities: Set<String>) {
        self.entities = entities
    }

    func publish(_ changes: ChangeSet) {
        let changes = changes.filtered(entities)
        guard !changes.isEmpty else { return }
        let (readers, sets) = state.withLock { state in
            state.pending.add(changes, limit: Self.limit)
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
            if state.cancelled.remove(key) != nil { return .some(nil) }
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
            // The task may be cancelled before it waits.
            if reader == nil { state.cancelled.insert(key) }
            return reader
        }
        reader?.resume(returning: nil)
    }
}

/// The readers of a store's changes, as long as somebody holds them.
final class ObserverList: Sendable {
    private struct Reference: Sendable {
        weak let observer: Observer?
    }

    private let references = Mutex<[Reference]>([])

    var isEmpty: Bool {
        references.withLock { references in
            references.removeAll { $0.observer == nil }
            return references.isEmpty
        }
    }

    func add(_ observer: Observer) {
        references.withLock { $0.append(Reference(observer: observer)) }
    }

    private var observers: [Observer] { references.withLock { $0.compactMap(\.observer) } }

    func publish(_ changes: ChangeSet) {
        for observer in observers { observer.publish(changes) }
    }

    func finish() {
        for observer in observers { observer.finish() }
    }
}

extension Store {
    /// Reports what is committed to the store from now on.
    ///
    /// Commits of other programs, and of other stores that this one has open on the same file, show as change sets that
    /// list nothing: see ``ChangeSet/isIncomplete``.
    ///
    /// - Parameter entities: Of which entities, their children included; none means all.
    /// - Returns: The changes as they come, for one reader.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity``.
    public func changes(of entities: String...) throws(StoreError) -> StoreChanges {
        var names: Set<String> = entities.isEmpty ? Set(schema.entities.map(\.name)) : []
        for entity in entities { names.formUnion(try schema.family(entity).map(\.name)) }
        let observer = Observer(entities: names)
        observers.add(observer)
        watchOthers()
        return StoreChanges(observer: observer)
    }

    /// Whether anybody wants to know what is committed.
    var isObserved: Bool { !observers.isEmpty }

    func publish(_ changes: ChangeSet) {
        guard !changes.isEmpty else { return }
        observers.publish(changes)
    }
}
