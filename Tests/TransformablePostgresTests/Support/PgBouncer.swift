import Foundation
import Testing
import TransformablePostgres
import _PostgresServer

/// PgBouncer in transaction mode, with fewer connections to the shared server than its clients have.
///
/// It ends with the program that started it.
final class PgBouncer: Sendable {
    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    // Part of the name of the socket.
    private let port = Int.random(in: 10_000...60_000)
    private let folder: URL
    private let lifeline = Pipe()

    init() throws {
        let server = try PostgresServer.shared.get()
        folder = server.folder
        let name = "bouncer-\(UUID().uuidString)"
        let settings = folder.appending(path: name)
        let text = """
            [databases]
            \(name) = host=\(folder.path) port=5432 user=tester dbname=postgres pool_size=3
            [pgbouncer]
            listen_addr =
            listen_port = \(port)
            unix_socket_dir = \(folder.path)
            auth_type = any
            pool_mode = transaction
            max_client_conn = 200
            """
        try Data(text.utf8).write(to: settings)
        let user = getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = "trap '' INT TERM HUP; \"$1\" -q \"$2\" 2>/dev/null >&2 & cat >/dev/null; kill -KILL $!"
        process.arguments = try user + ["sh", "-c", script, "sh", #require(Self.program), settings.path]
        process.standardInput = lifeline
        try process.run()
        address = try PostgresAddress(
            "postgres:host=\(folder.path) port=\(port) user=tester dbname=\(name) connect_timeout=5"
        )
        try waitUntilReady()
    }

    let address: PostgresAddress

    private func waitUntilReady() throws {
        let socket = folder.appending(path: ".s.PGSQL.\(port)").path
        let deadline = ContinuousClock.now + .seconds(10)
        while !FileManager.default.fileExists(atPath: socket) || (try? PostgresConnection(address)) == nil {
            try #require(.now < deadline, "PgBouncer did not start")
        }
    }
}
