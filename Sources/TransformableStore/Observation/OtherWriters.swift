internal import Dispatch
internal import Synchronization

/// Detects commits to a store by other connections: other programs, and other stores of this program.
///
/// An engine counts the commits of others, in a number that can be read within microseconds. While the store is observed,
/// the engine is asked for the number several times a second.
final class OtherWriters: Sendable {
    private static let interval = Duration.milliseconds(150)
    // How long the start of an observation waits for the number if another write uses the connection.
    private static let patience = DispatchTimeInterval.milliseconds(100)

    fileprivate struct State {
        var watch: Task<Void, Never>?
        var version: Int64?
        // Whether the connection was asked and has not answered yet.
        var isAsked = false
        // Whether the number was not known at first, so that others may have committed before it is.
        var isLate = false
    }

    private let state = Mutex(State())

    deinit {
        stop()
    }

    /// Starts polling, unless it has been started already.
    ///
    /// - Parameter store: The store, which is not retained.
    func start(_ store: Store) {
        guard store.isShared, state.withLock({ $0.watch == nil }) else { return }
        askFirst(store)
        state.withLock { state in
            guard state.watch == nil else { return }
            state.watch = Task.detached(priority: .utility) { [weak store] in
                while (try? await Task.sleep(for: Self.interval)) != nil, let store, store.others.tick(store) {}
            }
        }
    }

    /// Stops polling.
    func stop() {
        state.withLock { $0.stop() }
    }

    /// Reads the number before the observation starts, because earlier commits are not changes.
    ///
    /// If the connection is busy, this does not wait for long, and one change too many may be reported.
    private func askFirst(_ store: Store) {
        let answered = DispatchSemaphore(value: 0)
        ask(store.engine) { [weak store] isChanged in
            answered.signal()
            if isChanged { store?.noteOthers() }
        }
        guard !Nesting.isActive(store),
            answered.wait(timeout: .now() + Self.patience) == .timedOut
        else { return }
        state.withLock { $0.isLate = $0.version == nil }
    }

    /// Polls once, and returns `false` if the store is no longer observed.
    private func tick(_ store: Store) -> Bool {
        let goesOn = state.withLock { state in
            // This is checked under the same lock, so that an observer added in the meantime starts polling again.
            guard !store.isObserved else { return true }
            state.stop()
            return false
        }
        guard goesOn else { return false }
        ask(store.engine) { [weak store] isChanged in
            if isChanged { store?.noteOthers() }
        }
        return true
    }

    /// Asks the connection, once it is free, whether others have committed since the last time.
    private func ask(_ engine: any Engine, _ answer: @escaping @Sendable (Bool) -> Void) {
        let isFree = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        guard isFree else { return }
        engine.askDataVersion { [weak self] version in answer(self?.note(version) ?? false) }
    }

    private func note(_ version: Int64?) -> Bool {
        state.withLock { state in
            state.isAsked = false
            guard let version else {
                state.isLate = true
                return false
            }
            defer { (state.version, state.isLate) = (version, false) }
            return state.version.map { $0 != version } ?? state.isLate
        }
    }
}

extension OtherWriters.State {
    fileprivate mutating func stop() {
        watch?.cancel()
        watch = nil
        version = nil
        isLate = false
    }
}

extension Store {
    /// Notifies the observers of commits by others, as long as there are observers.
    func watchOthers() {
        others.start(self)
    }

    /// Records that others have committed, so that contexts do not rely on what they have read, and notifies the observers.
    fileprivate func noteOthers() {
        noteCommit()
        publish(.unknown, in: nil)
    }
}
