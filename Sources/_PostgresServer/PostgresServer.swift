public import Foundation
public import TransformablePostgres

/// A PostgreSQL server of the tests' own, in a folder of its own, which is reached through a Unix socket only.
///
/// It ends with the program that started it, even if that crashes.
public final class PostgresServer: Sendable {
    /// The server that all tests share.
    public static let shared = Result { try PostgresServer() }

    /// The folder of PostgreSQL's programs, if they are installed.
    public static let programs: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders =
            path.split(separator: ":").map(String.init)
            + versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return folders.map { URL(filePath: $0) }
            .first { folder in
                FileManager.default.isExecutableFile(atPath: folder.appending(path: "initdb").path)
            }
    }()

    /// The folder of the server's data and of its socket.
    public let folder: URL
    // The server's script reads it, and ends the server at its end.
    private let lifeline = Pipe()
    private let answers = Pipe()

    /// Starts a server, and waits until it can be used.
    ///
    /// - Throws: ``Failure`` if PostgreSQL is not installed, or does not start.
    public init() throws {
        guard let programs = Self.programs else { throw Failure(log: "initdb was not found") }
        folder = try Self.makeFolder()
        let process = Process()
        let user = getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = user + ["sh", "-c", Self.script, "sh", folder.path, programs.path]
        process.currentDirectoryURL = folder
        process.standardInput = lifeline
        process.standardOutput = answers
        try process.run()
        try waitUntilReady()
    }

    /// Ends the server as a crash does, and starts it again.
    ///
    /// - Throws: ``Failure`` if it does not start again.
    public func crash() throws {
        try lifeline.fileHandleForWriting.write(contentsOf: Data("crash\n".utf8))
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        let answer = answers.fileHandleForReading.availableData
        guard answer == Data("ready\n".utf8) else {
            let log = try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
            throw Failure(log: log ?? "no log")
        }
    }

    /// The server did not start.
    public struct Failure: Error {
        /// What the server's programs wrote.
        public let log: String
    }

    /// Creates a folder that the server's user owns and whose path is short enough for a socket.
    private static func makeFolder() throws -> URL {
        let folder = URL(filePath: "/tmp").appending(path: "pg-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if getuid() == 0, let nobody = unsafe getpwnam("nobody") {
            let code = unsafe chown(folder.path, nobody.pointee.pw_uid, nobody.pointee.pw_gid)
            guard code == 0 else { throw Failure(log: "the folder cannot be given to the server's user") }
        }
        return folder
    }

    private static let script = """
        folder=$1 programs=$2
        exec 2>"$folder/errors"
        trap '' INT TERM HUP
        "$programs/initdb" -D "$folder/data" -U tester -A trust --no-sync --locale=C -E UTF8 >"$folder/log" 2>&1 || exit 1
        start() {
            rm -f "$folder/data/postmaster.pid"
            "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \\
                -c max_connections=200 >>"$folder/log" 2>&1 </dev/null &
            server=$!
            # The server writes its state into the last line.
            until grep -qs "^ready" "$folder/data/postmaster.pid"; do
                kill -0 $server || exit 1
                sleep 0.05
            done
            echo ready
        }
        end() {
            kill -QUIT $server
            wait $server
        }
        start
        # Each line asks for a crash.
        while read -r line; do
            end
            start
        done
        end
        rm -rf "$folder"
        """

    /// The address of the server's database.
    public var address: PostgresAddress {
        get throws { try address(of: "tester") }
    }

    /// The address of the shared server's database for a role that can create schemas and is bound by row-level security.
    package static let boundAddress = Result {
        let server = try shared.get()
        try server.grant("CREATE ROLE bound LOGIN; GRANT CREATE ON DATABASE postgres TO bound")
        return try server.address(of: "bound")
    }

    /// Runs a script that grants privileges on the database.
    ///
    /// PostgreSQL fails one of two transactions that do so at the same time, so they wait for each other.
    package func grant(_ script: String) throws {
        try PostgresConnection(address).run(script: "SELECT pg_advisory_xact_lock(1); \(script)")
    }

    /// Returns the address of the server's database for a role.
    package func address(of role: String) throws -> PostgresAddress {
        try PostgresAddress("postgres:host=\(folder.path) port=5432 user=\(role) dbname=postgres")
    }

    /// Connects to the shared server.
    package static func connect(options: PostgresOptions = PostgresOptions()) throws -> PostgresConnection {
        try PostgresConnection(shared.get().address, options: options)
    }
}
