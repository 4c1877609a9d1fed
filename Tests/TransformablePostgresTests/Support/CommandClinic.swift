import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableCommands
import TransformablePostgres
import TransformablePostgresCommands
import _PostgresServer

/// Runs of the command line on a store in a file or in PostgreSQL, in a folder of their own.
struct CommandClinic {
    /// Where the store is.
    enum Kind: CaseIterable {
        case file
        case server
    }

    struct Run {
        let status: Int32
        let output: String
        let messages: String
    }

    let kind: Kind
    let folder = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString)")
    let schema = "commands-\(UUID().uuidString)"
    let registry: TransformerRegistry

    static let model = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Patient", "attributes": [
            { "name": "name", "type": "string", "unique": true },
            { "name": "age", "type": "int16", "optional": true },
            { "name": "ssn", "transformer": "text | sealed", "optional": true },
            { "name": "scan", "type": "data", "optional": true, "externalStorage": { "over": 1000 } }
          ], "relationships": [{ "name": "visits", "to": "Visit", "many": true, "inverse": "patient" }] },
          { "name": "Visit", "attributes": [{ "name": "reason", "type": "string", "default": "none" }],
            "relationships": [{ "name": "patient", "to": "Patient", "inverse": "visits", "optional": true }] }
        ], "fetchRequests": [{ "name": "adults", "entity": "Patient", "where": "age >= 18", "sortedBy": ["name"] }] }
        """

    init(_ kind: Kind, _ registry: TransformerRegistry? = nil) throws {
        self.kind = kind
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ring = try KeyRing.empty.addingKey()
        self.registry =
            try registry
            ?? TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: ring)
            }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    /// The arguments that name the store.
    func store() throws -> [String] {
        kind == .file ? [path("clinic.sqlite")] : [try Self.address(), "--schema", schema]
    }

    static func address() throws -> String { try PostgresServer.shared.get().address.description }

    /// Runs a verb on the store.
    func run(_ verb: String, _ arguments: String..., input: String = "") throws -> Run {
        try run(arguments: ["store", verb] + store() + arguments, input: input)
    }

    func run(arguments: [String], input: String = "") throws -> Run {
        let paths = ["input", "output", "messages"].map { folder.appending(path: "\($0)-\(UUID().uuidString)") }
        for (path, text) in zip(paths, [input, "", ""]) { try Data(text.utf8).write(to: path) }
        let files = try paths.map { try FileHandle(forUpdating: $0) }
        let io = CommandIO(
            input: files[0].fileDescriptor,
            output: files[1].fileDescriptor,
            messages: files[2].fileDescriptor
        )
        let registry = registry
        let status = TransformableCommand.withPostgres { TransformableCommand.run(arguments, io: io) { registry } }
        let texts = try paths.map { try String(contentsOf: $0, encoding: .utf8) }
        return Run(status: status, output: texts[1], messages: texts[2])
    }

    /// Creates the store, and expects success.
    func create() throws {
        let run = try run("create", "--model", write(Self.model, "clinic.json"))
        try #require(run.status == 0, "\(run.messages)")
    }

    /// Runs statements in the store's schema.
    func sql(_ statement: String) throws {
        try PostgresServer.connect().run(script: "SET search_path TO \"\(schema)\"; \(statement)")
    }
}
