internal import Dispatch
internal import Foundation
internal import Synchronization
internal import TransformableModel

/// Connections that threads share, one after the other.
///
/// A connection is made when none is free, up to a limit, and checked before it is used again.
package final class PostgresPool: Sendable {
    private let address: PostgresAddress
    private let options: PostgresOptions
    private let idle = Mutex(IdleConnections())
    // Counts the connections that may still be taken.
    private let places: DispatchSemaphore

    package init(_ address: PostgresAddress, options: PostgresOptions = PostgresOptions()) {
        self.address = address
        self.options = options
        places = DispatchSemaphore(value: max(1, options.maximumConnections))
    }

    deinit {
        close()
    }

    /// Runs a closure with a connection.
    ///
    /// - Throws: What the closure throws, or `StoreError` with the code `busy` if no connection became free in time.
    package func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        guard places.wait(timeout: .now() + options.waitTimeout.timeInterval) == .success else {
            throw StoreError.allConnectionsInUse(options)
        }
        defer { places.signal() }
        let connection = try freeConnection() ?? PostgresConnection(address, options: options)
        defer {
            // A connection in an unknown state is closed.
            if connection.isUsable, idle.withLock({ $0.add(connection) }) {
                closeIdle(after: options.idleTimeout)
            }
        }
        return try body(connection)
    }

    /// Closes connections that have not been used for long, after a pause and for as long as any are not in use.
    private func closeIdle(after pause: Duration) {
        let seconds = min(max(pause.timeInterval, 0.001), Self.longestPause)
        DispatchQueue.global(qos: .utility)
            .asyncAfter(deadline: .now() + seconds) { [weak self] in
                guard let self, let oldest = idle.withLock({ $0.closeOlder(than: .now - options.idleTimeout) })
                else { return }
                closeIdle(after: ContinuousClock.now.duration(to: oldest + options.idleTimeout))
            }
    }

    /// The longest time between two looks at connections that are not in use, in seconds.
    private static let longestPause: TimeInterval = 3600

    /// Closes the connections that are not in use, and the others after their use.
    package func close() {
        idle.withLock { $0.close() }
    }

    /// Takes a connection that the server has not closed.
    private func freeConnection() -> PostgresConnection? {
        idle.withLock { $0.removeOlder(than: .now - options.idleTimeout) }
        while let connection = idle.withLock({ $0.take() }) {
            if connection.checkWhileIdle() { return connection }
        }
        return nil
    }
}

/// How often a transaction has run, because others were in its way.
struct TransactionAttempts {
    private let limit: Int
    private var count = 1
    private var hasLookedAgain = false

    /// - Parameter limit: How often the transaction may run.
    init(limit: Int = 10) {
        self.limit = limit
    }

    /// Returns the number of seconds after which the transaction runs again, or throws the error if it does not.
    ///
    /// They are random, so that two transactions do not meet again: up to 1 ms at first and 0.25 s at last. After a
    /// duplicate, it runs again only once, because it may insert the duplicate each time.
    mutating func pause(after error: StoreError) throws(StoreError) -> TimeInterval {
        // Only the server knows of an object that the transaction does not see.
        let looksAgain = error.mayFindObject && error.postgresError != nil && !hasLookedAgain
        guard error.isRetryable || looksAgain, count < limit else { throw error }
        if looksAgain { hasLookedAgain = true }
        defer { count += 1 }
        return .random(in: 0...0.001) * Double(1 << min(count, 8))
    }
}

/// The connections that nobody uses.
///
/// A connection is either here or in the hands of one thread, so that no two threads use it at once.
private struct IdleConnections: @unchecked Sendable {
    private var connections: [(connection: PostgresConnection, since: ContinuousClock.Instant)] = []
    private var isClosed = false
    // Whether the connections are going to be looked at again.
    private var isWatched = false

    /// Adds a connection, and returns whether it is the first one that somebody must close later.
    mutating func add(_ connection: PostgresConnection) -> Bool {
        guard !isClosed else { return false }
        connections.append((connection, .now))
        defer { isWatched = true }
        return !isWatched
    }

    /// Closes the connections that have not been used since a time.
    ///
    /// - Returns: Since when the first of the others has not been used, or `nil` if there are no others.
    mutating func closeOlder(than time: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        removeOlder(than: time)
        isWatched = !connections.isEmpty
        return connections.first?.since
    }

    /// Returns the connection that was used last.
    mutating func take() -> PostgresConnection? {
        connections.popLast()?.connection
    }

    mutating func removeOlder(than time: ContinuousClock.Instant) {
        connections.removeAll { $0.since < time }
    }

    mutating func close() {
        isClosed = true
        connections = []
    }
}

extension StoreError {
    static func allConnectionsInUse(_ options: PostgresOptions) -> Self {
        let count = options.maximumConnections
        let state = count > 1 ? "all \(count) connections are in use" : "the only connection is in use"
        return Self(.busy, "\(state); try again, or allow more connections")
    }
}

extension Duration {
    var timeInterval: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
