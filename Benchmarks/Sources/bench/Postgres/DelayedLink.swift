import Foundation
import _PostgresServer

/// A TCP connection to a server with a delay in each direction.
final class DelayedLink {
    /// The address of the server's database over the link.
    let address: String
    private let process = Process()
    private let lifeline = Pipe()

    /// Starts a link in a Python process of its own.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - milliseconds: The time that bytes take each way.
    /// - Throws: ``Disagreement`` if there is no Python.
    init(to server: PostgresServer, _ milliseconds: Double) throws {
        let answers = Pipe()
        let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Peers/delayed_link.py"
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script, server.folder.path + "/.s.PGSQL.5432", "\(milliseconds)"]
        process.standardInput = lifeline
        process.standardOutput = answers
        try process.run()
        let answer = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(answer.split(separator: "\n").first ?? "") else {
            throw Disagreement(description: "the delayed link needs Python")
        }
        address = "postgres:host=127.0.0.1 port=\(port) user=tester dbname=postgres"
    }

    deinit {
        try? lifeline.fileHandleForWriting.close()
    }
}
