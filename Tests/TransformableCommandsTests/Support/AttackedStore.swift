import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// A copy of a sealed store, which an attacker without the key changes.
struct AttackedStore {
    /// The text that must never occur unencrypted.
    static let canary = "canary-4711"

    static let model = """
        { "transformableModel": 1, "entities": [ { "name": "Patient", "attributes": [
            { "name": "name", "type": "string" },
            { "name": "note", "transformer": "text | sealed", "optional": true },
            { "name": "ssn", "transformer": "text | sealed", "optional": true,
              "projections": [ { "name": "ssn_bi", "transformer": "blind-index(bits: 16)", "indexed": true } ] } ] } ],
          "fetchRequests": [ { "name": "all", "entity": "Patient" } ] }
        """

    private static let template = Result { try Template() }

    /// The original store, which is created once for all tests.
    private final class Template: Sendable {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let (store, keys) = (folder.path("clinic.sqlite"), folder.path("clinic.keys"))
            let model = try folder.write(Data(AttackedStore.model.utf8), "clinic.json")
            let canary = AttackedStore.canary
            for arguments in [
                ["keys", "new", keys], ["store", "create", store, "--model", model, "--key-file", keys],
                [
                    "store", "insert", store, "Patient", "name=Ada", "note=\(canary)", "ssn=\(canary)", "--key-file",
                    keys,
                ],
                ["store", "insert", store, "Patient", "name=Bob", "note=other", "--key-file", keys],
            ] {
                let run = try AttackedStore.run(arguments)
                try #require(run.status == 0, "\(run.messages)")
            }
        }
    }

    let folder: TemporaryFolder
    var store: String { folder.path("clinic.sqlite") }
    var keys: String { folder.path("clinic.keys") }
    var model: String { folder.path("clinic.json") }

    init() throws {
        folder = try TemporaryFolder()
        try folder.copyFiles(of: Self.template.get().folder)
    }

    static func registry(_ keys: KeyRing) throws -> TransformerRegistry {
        try TransformerRegistry {
            SamplePlugin()
            EncryptionPlugin(keys: keys)
        }
    }

    static func run(_ arguments: [String], input: Data = Data()) throws -> CommandRun {
        try CommandRun(arguments: arguments, input: input) { try registry($0) }
    }

    /// Runs a command.
    ///
    /// STORE, KEYS, and MODEL stand for files, and OUT for one that does not exist.
    func run(_ words: [String]) throws -> CommandRun {
        let output = try TemporaryFolder()
        let places = ["STORE": store, "KEYS": keys, "MODEL": model, "OUT": output.path("out")]
        return try Self.run(words.map { places[$0] ?? $0 })
    }

    /// Opens the store with the library.
    func open(_ options: Store.Options = .mustExist, model: Model? = nil) throws -> Store {
        let ring = try KeyRing(contentsOf: URL(filePath: keys))
        return try Store(at: URL(filePath: store), model: model, transformers: Self.registry(ring), options: options)
    }

    /// Changes the file with an SQLite shell.
    func sqlite(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [store, sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(sql)")
    }

    /// All tables and their rows, as written by an SQLite shell.
    func dump() throws -> Data {
        try Self.output(of: "sqlite3", [store, ".dump"])
    }

    /// SQLite's count of changes to the tables.
    func schemaVersion() throws -> Int {
        let text = String(decoding: try Self.output(of: "sqlite3", [store, "PRAGMA schema_version"]), as: UTF8.self)
        return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private static func output(of program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return output
    }

    /// The result of an independent program, which was written from the description of the seal alone.
    func check(_ options: String...) throws -> String {
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardized
        let script = tests.appending(path: "EncryptionPluginTests/Vectors/seal.py")
        let output = try Self.output(of: "python3", [script.path, store, keys] + options)
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static let hasPython = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { access("\($0)/python3", X_OK) == 0 }

    /// Whether a text occurs in any file of the store's folder.
    func hasPlain(_ text: String) throws -> Bool {
        try folder.names.contains { name in
            try Data(contentsOf: URL(filePath: folder.path(name))).range(of: Data(text.utf8)) != nil
        }
    }
}
