internal import Foundation
internal import Synchronization
internal import TransformableModel

/// Counts the commits of others to a store, which PostgreSQL notifies it of.
///
/// It has a connection of its own from the first question on.
final class PostgresListener: Sendable {
    /// How long a stopped listener may still run.
    private static let interval = Duration.milliseconds(500)
    /// How many such intervals pass at most before it tries to connect again.
    private static let longestPause = 60

    /// The connection that the thread takes over.
    ///
    /// `@unchecked` because nobody else uses it from then on.
    private struct First: @unchecked Sendable {
        let connection: PostgresConnection?
    }

    private struct State {
        var count: Int64 = 0
        var sender = UUID().uuidString
        var isRunning = false
        var isStopped = false
        /// Whether nothing can be heard, because the server is a standby.
        var isRefused = false
    }

    // `nil` if there is only PgBouncer, through which nothing can be heard.
    private let address: PostgresAddress?
    private let options: PostgresOptions
    /// The channel of everyone who has opened the store.
    let channel: String
    private let noteRefusal: @Sendable (StoreError) -> Void
    private let state = Mutex(State())

    /// What tells its own commits from those of others.
    var sender: String { state.withLock(\.sender) }

    /// - Parameters:
    ///   - address: The address of the database.
    ///   - options: How the connection is made.
    ///   - schema: The name of the schema.
    ///   - noteRefusal: A closure that is called once if the server does not let anyone listen.
    init(
        _ address: PostgresAddress,
        _ options: PostgresOptions,
        schema: String,
        noteRefusal: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.noteRefusal = noteRefusal
        self.address = options.usesTransactionPooling ? options.notificationAddress : address
        var options = options
        options.usesTransactionPooling = false
        self.options = options
        channel = PostgresName.shortened("transformable." + schema)
    }

    /// Returns a number that changes when someone else commits, or `nil` if nothing can be heard.
    ///
    /// The first call begins to listen, and returns once the server has been told.
    func version() -> Int64? {
        // Its own commits whose outcome is unknown are counted all the same.
        guard let address else { return state.withLock { $0.count > 0 ? $0.count : nil } }
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning && !state.isStopped
        }
        if isFirst { start(address) }
        return state.withLock { $0.isRefused ? nil : $0.count }
    }

    /// Connects, and starts the thread that listens.
    private func start(_ address: PostgresAddress) {
        let first: First
        do {
            first = First(connection: try connect(address))
        } catch {
            noteIfRefused(error)
            first = First(connection: nil)
        }
        let thread = Thread { [self] in listen(first.connection, address) }
        thread.name = "PostgresListener"
        thread.start()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    private func connect(_ address: PostgresAddress) throws -> PostgresConnection {
        let connection = try PostgresConnection(address, options: options)
        try connection.listen(to: channel)
        return connection
    }

    /// Listens until it is stopped, and connects again if the connection is lost.
    ///
    /// If that fails again and again, the pauses become longer. A standby that refuses may be promoted later.
    private func listen(_ first: PostgresConnection?, _ address: PostgresAddress) {
        var connection = first
        var pause = 1
        while !isStopped {
            do {
                let current = try connection ?? reconnect(address)
                connection = current
                pause = 1
                let messages = try current.notifications(until: .now + Self.interval)
                if messages.contains(where: { $0.payload != sender }) { noteChange() }
            } catch {
                noteIfRefused(error)
                connection = nil
                for _ in 0..<pause where !isStopped { Thread.sleep(forTimeInterval: 0.5) }
                pause = min(2 * pause, Self.longestPause)
            }
        }
    }

    /// Notes that nothing can be heard from the server, if an error says so.
    ///
    /// A standby, which only reads, does not let anyone listen.
    private func noteIfRefused(_ error: any Error) {
        guard let error = error as? StoreError, error.code == .readOnly else { return }
        let isKnown = state.withLock { state in
            defer { state.isRefused = true }
            return state.isRefused
        }
        if !isKnown { noteRefusal(error) }
    }

    /// Connects again, and assumes that something has changed meanwhile.
    private func reconnect(_ address: PostgresAddress) throws -> PostgresConnection {
        let connection = try connect(address)
        state.withLock { $0.isRefused = false }
        noteChange()
        return connection
    }

    /// Counts a commit of its own whose outcome is unknown as one of others.
    ///
    /// If it has succeeded, nobody has reported it. The server may still be busy with it, and notifies everyone afterward.
    func noteUnknownOutcome() {
        state.withLock { state in
            state.sender = UUID().uuidString
            state.count += 1
        }
    }

    private func noteChange() {
        state.withLock { $0.count += 1 }
    }
}
