internal import CPostgres
internal import Foundation
package import TransformableModel

extension PostgresConnection {
    /// Subscribes to a channel.
    ///
    /// A connection that listens is not shared: what it receives would reach another user, and PgBouncer does not pass on
    /// notifications.
    package func listen(to channel: String) throws {
        guard !options.usesTransactionPooling else {
            throw StoreError(.unsupported, "notifications need a connection that does not go through PgBouncer")
        }
        isListening = true
        try execute(PostgresStatement("LISTEN \(channel.quotedIdentifier)"))
    }

    /// Returns the messages that arrived, and waits for the first one until a time.
    ///
    /// - Returns: The messages in the order in which they were sent, or none after the time.
    package func notifications(until deadline: ContinuousClock.Instant) throws(StoreError) -> [PostgresNotification] {
        loss = .connectionLost
        while true {
            guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
            let messages = received()
            if !messages.isEmpty { return messages }
            guard unsafe Self.wait(for: PQsocket(handle), Int16(POLLIN), until: deadline) != 0 else { return [] }
        }
    }

    /// Frees the messages that arrived, unless the connection listens.
    ///
    /// Nobody would ask for them, so a server could fill the memory with them.
    func discardNotifications() {
        guard !isListening else { return }
        while let notification = unsafe PQnotifies(handle) { unsafe PQfreemem(notification) }
    }

    private func received() -> [PostgresNotification] {
        var messages: [PostgresNotification] = []
        while let notification = unsafe PQnotifies(handle) {
            let (channel, payload) = unsafe (notification.pointee.relname, notification.pointee.extra)
            messages.append(
                PostgresNotification(
                    channel: unsafe channel.map { unsafe String(cString: $0) } ?? "",
                    payload: unsafe payload.map { unsafe String(cString: $0) } ?? "",
                    process: unsafe notification.pointee.be_pid
                )
            )
            unsafe PQfreemem(notification)
        }
        return messages
    }

    /// Checks whether the server has ended the connection while it was not used, without a round trip.
    func checkWhileIdle() -> Bool {
        // A last message of the server may come before the end. A server that does not stop sending is left alone.
        for _ in 0..<Self.mostIdleReads {
            guard isUsable, unsafe Self.wait(for: PQsocket(handle), Int16(POLLIN), until: .now) != 0 else {
                return isUsable
            }
            guard unsafe PQconsumeInput(handle) == 1 else { return false }
            discardNotifications()
        }
        return false
    }

    // The number of times that an unused connection is read, up to 16 KiB each time.
    private static let mostIdleReads = 64
}

extension String {
    /// The text as an identifier in SQL.
    package var quotedIdentifier: String {
        "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
