import Foundation

/// A server that accepts a connection, and ends it at the first statement.
///
/// PgBouncer does so while the server behind it is down.
final class EndingServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        port = try MutatingProxy.listen(listener)
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            for answer in [Self.welcome, Self.end] where Self.receive(from: client) {
                _ = unsafe send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
            }
            shutdown(client, Int32(SHUT_WR))
            // If it were closed with bytes that nobody has read, the client might not get the error.
            while Self.receive(from: client) {}
            close(client)
        }
    }

    deinit {
        close(listener)
    }

    private static func receive(from client: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8192)
        return unsafe recv(client, &buffer, buffer.count, 0) > 0
    }

    /// It needs no password, and waits for statements.
    private static let welcome =
        message("R", "\0\0\0\0") + message("S", "server_version\0" + "15.0\0") + message("Z", "I")

    private static let end = message("E", "SFATAL\0VFATAL\0C08P01\0Mthe server is down\0\0")

    /// Returns a message of PostgreSQL's protocol: its type, its length, which includes itself, and its content.
    private static func message(_ type: String, _ content: String) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, UInt8(content.utf8.count + 4)] + Array(content.utf8)
    }
}
