internal import Dispatch
internal import GRDB
internal import Synchronization

/// Notices what other connections commit to a store's file: other programs, and other stores of this one.
///
/// SQLite counts for each connection what others have committed, in a number that costs microseconds to ask for. While
/// somebody observes the store, its writing connection is asked several times a second; else never.
final class OtherWriters: Sendable {
    private static let interval = Duration.milliseconds(150)
    // How long an observation waits to learn the number, if another write of this store keeps the connection.
    private static let patience = DispatchTimeInterval.milliseconds(100)

    fileprivate struct State {
        var watch: Task<Void, Never>?
        var version: Int64?
        // Whether the connection has been asked and has not answered yet.
        var isAsked = false
    }

    private let state = Mutex(State())

    deinit {
        stop()
    }

    /// Begins to ask, unless it has begun already.
    ///
    /// - Parameter store: The store, which is not kept alive for it.
    func start(_ store: Store) {
        guard store.url != nil, state.withLock({ $0.watch == nil }) else { return }
        askFirst(store)
        state.withLock { state in
            guard state.watch == nil else { return }
            state.watch = Task.detached(priority: .utility) { [weak store] in
                while (try? await Task.sleep(for: Self.interval)) != nil, let store, store.others.tick(store) {}
            }
        }
    }

    /// Asks no more.
    func stop() {
        state.withLock { $0.stop() }
    }

    /// Learns the number before anything is observed: what was committed earlier is no change.
    ///
    /// If the connection is busy, nobody waits for it long, and one change too many may be reported.
    private func askFirst(_ store: Store) {
        let answered = DispatchSemaphore(value: 0)
        ask(store.database) { _ in answered.signal() }
        guard !Nesting.active.contains(ObjectIdentifier(store)) else { return }
        _ = answered.wait(timeout: .now() + Self.patience)
    }

    /// Asks once; false if nobody observes the store any more.
    private func tick(_ store: Store) -> Bool {
        let goesOn = state.withLock { state in
            // Together with the look at the watch, so that an observer who comes meanwhile finds that there is none.
            guard !store.isObserved else { return true }
            state.stop()
            return false
        }
        guard goesOn else { return false }
        ask(store.database) { [weak store] isChanged in
            if isChanged { store?.publish(.unknown) }
        }
        return true
    }

    /// Asks the connection, when it is free, whether others have committed since it was asked last.
    private func ask(_ database: any DatabaseWriter, _ answer: @escaping @Sendable (Bool) -> Void) {
        let isFree = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        guard isFree else { return }
        database.asyncWriteWithoutTransaction { [weak self] database in
            let version = try? SQLStatement.integer("PRAGMA data_version", on: database)
            answer(self?.note(version) ?? false)
        }
    }

    private func note(_ version: Int64?) -> Bool {
        state.withLock { state in
            state.isAsked = false
            guard let version else { return false }
            defer { state.version = version }
            return state.version.map { $0 != version } ?? false
        }
    }
}

extension OtherWriters.State {
    fileprivate mutating func stop() {
        watch?.cancel()
        watch = nil
        version = nil
    }
}

extension Store {
    /// Has the observers told of what others commit, for as long as there are any.
    func watchOthers() {
        others.start(self)
    }
}
