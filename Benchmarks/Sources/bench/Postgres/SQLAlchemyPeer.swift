import Foundation
import _PostgresServer

/// SQLAlchemy in a Python process of its own, which waits for work while others are measured.
final class SQLAlchemyPeer {
    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()

    /// Starts SQLAlchemy on a server; nil where the first Python of the search path has none.
    init?(on server: PostgresServer) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Peers"
        process.arguments = ["python3", "\(folder)/sqlalchemy_patients.py", server.folder.path]
        process.standardInput = orders
        process.standardOutput = answers
        process.standardError = FileHandle.nullDevice
        try process.run()
        guard answer() == "ready" else { return nil }
    }

    deinit {
        try? orders.fileHandleForWriting.close()
    }

    /// A contender that has SQLAlchemy insert or fetch rows.
    func contender(_ work: String, _ count: Int64) -> Contender {
        Contender("SQLAlchemy", isElsewhere: true) { [self] in
            try Disagreement.unless(order("\(work) \(count)") == "done", "SQLAlchemy fails")
        }
    }

    /// The sum of all rows, as ``Patient/sum(_:_:ssn:)`` adds them up.
    func sum() throws -> Double? {
        try Double(order("sum"))
    }

    private func order(_ text: String) throws -> String {
        try orders.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
        return answer()
    }

    /// Reads a line, whose end Python may write separately.
    private func answer() -> String {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let bytes = answers.fileHandleForReading.availableData
            guard !bytes.isEmpty else { break }
            line += bytes
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
