import EncryptionPlugin
import Foundation
import GeometryPlugin
import Testing
import Transformable

/// A store with every kind of attribute, in its own folder.
struct StoreFixture {
    let folder: TemporaryFolder
    let store: String
    let keyFile: String

    static let model = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Patient", "attributes": [
            { "name": "name", "type": "string", "unique": true },
            { "name": "age", "type": "int16", "optional": true },
            { "name": "weight", "type": "double", "optional": true },
            { "name": "born", "type": "date", "optional": true },
            { "name": "notes", "type": "data", "optional": true },
            { "name": "bed", "transformer": "rect", "optional": true },
            { "name": "scan", "transformer": "bytes", "optional": true },
            { "name": "ssn", "transformer": "text | sealed", "optional": true }
          ] },
          { "name": "Visit", "attributes": [ { "name": "reason", "type": "string", "default": "none" } ] }
        ] }
        """

    /// The store and its keys as they are made once for all tests.
    private static let template = Result {
        let folder = try TemporaryFolder()
        let (store, keys) = (folder.path("clinic.sqlite"), folder.path("clinic.keys"))
        let model = try folder.write(Data(StoreFixture.model.utf8), "clinic.json")
        for arguments in [
            ["keys", "new", keys], ["store", "create", store, "--model", model, "--key-file", keys],
        ] {
            let run = try StoreFixture.run(arguments: arguments)
            try #require(run.status == 0 && run.messages == "", "\(run.messages)")
        }
        return folder
    }

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        keyFile = folder.path("clinic.keys")
        try folder.copyFiles(of: Self.template.get())
    }

    func run(_ arguments: String..., input: Data = Data()) throws -> CommandRun {
        try run(arguments: arguments, input: input)
    }

    func run(arguments: [String], input: Data = Data()) throws -> CommandRun {
        try Self.run(arguments: arguments, input: input)
    }

    private static func run(arguments: [String], input: Data = Data()) throws -> CommandRun {
        try CommandRun(arguments: arguments, input: input) { keys in
            try TransformerRegistry {
                SamplePlugin()
                GeometryPlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    /// Inserts a patient, and returns its number.
    @discardableResult
    func insert(_ values: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        let run = try run(arguments: ["store", "insert", store, "Patient", "--key-file", keyFile] + values)
        #expect(run.messages == "", sourceLocation: sourceLocation)
        return try #require(Int(run.output.dropLast()), sourceLocation: sourceLocation)
    }

    func get(_ number: Int, _ attribute: String, _ options: String...) throws -> CommandRun {
        try run(arguments: ["store", "get", store, "Patient", "\(number)", attribute] + options)
    }

    /// Changes the file, or that of another store, without the store's knowledge.
    func sqlite(_ sql: String, in other: String? = nil) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [other ?? store, sql]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
