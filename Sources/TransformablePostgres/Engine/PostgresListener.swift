internal import Foundation
internal import Synchronization
internal import TransformableModel

/// Counts the commits of others to a store, which PostgreSQL notifies it of.
///
/// It has a connection of its own from the first question on.
final class PostgresListener: Sendable {
    /// How long a stopped listener may still run.
    private static let interval = Duration.milliseconds(500)

    /// The connection that the thread takes over.
    ///
    /// `@unchecked` because nobody else uses it from then on.
    private struct First: @unchecked Sendable {
        let connection: PostgresConnection?
    }

    private struct State {
        var count: Int64 = 0
        var isRunning = false
        var isStopped = false
    }

    // `nil` if there is only PgBouncer, through which nothing can be heard.
    private let address: PostgresAddress?
    private let options: PostgresOptions
    /// The channel of everyone who has opened the store.
    let channel: String
    /// What tells its own commits from those of others.
    let sender = UUID().uuidString
    private let state = Mutex(State())

    init(_ address: PostgresAddress, _ options: PostgresOptions, schema: String) {
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
        guard let address else { return nil }
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning && !state.isStopped
        }
        if isFirst {
            let first = First(connection: try? connect(address))
            let thread = Thread { [self] in listen(first.connection, address) }
            thread.name = "PostgresListener"
            thread.start()
        }
        return state.withLock { $0.count }
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
    private func listen(_ first: PostgresConnection?, _ address: PostgresAddress) {
        var connection = first
        while !isStopped {
            do {
                let current = try connection ?? reconnect(address)
                connection = current
                let messages = try current.notifications(until: .now + Self.interval)
                if messages.contains(where: { $0.payload != sender }) { noteChange() }
            } catch {
                connection = nil
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
    }

    /// Connects again, and assumes that something has changed meanwhile.
    private func reconnect(_ address: PostgresAddress) throws -> PostgresConnection {
        let connection = try connect(address)
        noteChange()
        return connection
    }

    private func noteChange() {
        state.withLock { $0.count += 1 }
    }
}
