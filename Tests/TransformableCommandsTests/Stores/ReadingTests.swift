import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Commands that read change no byte of a store or of the files next to it.
@Suite struct ReadingTests {
    /// The files that the last writer has left behind.
    enum Remains: CaseIterable {
        case nothing
        case log
        case logAndIndex

        var suffixes: [String] {
            switch self {
            case .nothing: [""]
            case .log: ["", "-wal"]
            case .logAndIndex: ["", "-wal", "-shm"]
            }
        }
    }

    /// A store with a blind index, as a killed writer leaves it.
    struct Place {
        let fixture: StoreFixture
        let folder: TemporaryFolder
        var store: String { folder.path("clinic.sqlite") }

        static let model = """
            { "transformableModel": 1, "entities": [ { "name": "Patient", "attributes": [
                { "name": "name", "type": "string", "indexed": true },
                { "name": "ssn", "transformer": "text | sealed", "optional": true,
                  "projections": [ { "name": "ssn_bi", "transformer": "blind-index", "indexed": true } ] } ] } ] }
            """

        /// The files as they are made once for all tests.
        private static let templates = Result {
            try Dictionary(uniqueKeysWithValues: Remains.allCases.map { ($0, try make($0)) })
        }

        private static func make(_ remains: Remains) throws -> TemporaryFolder {
            let fixture = try StoreFixture()
            let folder = try TemporaryFolder()
            let path = fixture.folder.path("reading.sqlite")
            let model = try fixture.folder.write(Data(Self.model.utf8), "reading.json")
            #expect(try fixture.run("store", "create", path, "--model", model).messages == "")
            let insert = ["store", "insert", path, "Patient", "--key-file", fixture.keyFile, "name=Ada", "ssn=1-2"]
            #expect(try fixture.run(arguments: insert).messages == "")
            // A copy of the files of an open store includes a log.
            let store = try Self.open(path)
            try store.write { try $0.insert("Patient").setValue("Bob", for: "name") }
            if remains == .nothing { try store.close() }
            for suffix in remains.suffixes {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path("clinic.sqlite") + suffix)
            }
            return folder
        }

        init(_ remains: Remains = .nothing) throws {
            fixture = try StoreFixture()
            folder = try TemporaryFolder()
            try folder.copyFiles(of: #require(Self.templates.get()[remains]))
        }

        static func open(_ path: String) throws -> Store {
            let options = Store.Options(opening: .mustExist, unresolved: .keepBytes)
            return try Store(
                at: URL(filePath: path),
                transformers: TransformerRegistry { SamplePlugin() },
                options: options
            )
        }

        /// The bytes of every file of the store's folder.
        func contents() throws -> [String: Data] {
            try Dictionary(
                uniqueKeysWithValues: folder.names.map { ($0, try Data(contentsOf: URL(filePath: folder.path($0)))) }
            )
        }
    }

    static let verbs: [[String]] = [
        ["inspect", "STORE"], ["store", "schema", "STORE"], ["store", "schema", "STORE", "--json"],
        ["store", "show", "STORE"], ["store", "show", "STORE", "Patient", "KEYS"],
        ["store", "show", "STORE", "Patient"],
        ["store", "show", "STORE", "Patient", "--where", "ssn == '1-2'", "KEYS"],
        ["store", "get", "STORE", "Patient", "1", "ssn", "KEYS"], ["store", "verify", "STORE"],
        ["store", "verify", "STORE", "KEYS"], ["store", "copy", "STORE", "OUT"],
        ["store", "export", "STORE", "--out", "OUT", "KEYS"], ["store", "discard", "STORE"],
        ["store", "sweep", "STORE", "--dry-run"], ["keys", "list", "KEYFILE", "--store", "STORE"],
    ]

    private func run(_ verb: [String], on place: Place) throws -> CommandRun {
        let output = try TemporaryFolder()
        let arguments = verb.flatMap { word in
            switch word {
            case "STORE": [place.store]
            case "KEYS": ["--key-file", place.fixture.keyFile]
            case "KEYFILE": [place.fixture.keyFile]
            case "OUT": [output.path("out")]
            default: [word]
            }
        }
        return try place.fixture.run(arguments: arguments)
    }

    @Test(arguments: verbs, Remains.allCases) func changesNothing(verb: [String], remains: Remains) throws {
        let place = try Place(remains)
        let before = try place.contents()
        #expect(before.count == remains.suffixes.count)
        let run = try run(verb, on: place)
        #expect(run.status == 0, "\(run.messages)")
        var after = try place.contents()
        // SQLite needs the index of the log for coordination with others.
        if remains == .log { after["clinic.sqlite-shm"] = nil }
        #expect(after == before)
    }

    /// Changes that make the next writer recompute the index or record a different signature.
    static let edits = [
        "UPDATE _transformable_projection SET fingerprint = 'x'",
        "UPDATE _transformable_attribute SET signature = NULL WHERE name = 'ssn'",
        """
        UPDATE _transformable_model SET json = replace(json, '"transformer":"blind-index"', '"transformer":"text"')
        """,
        "DROP INDEX \"_index.Patient.ssn_bi\"",
    ]

    @Test(arguments: verbs, edits) func repairsNothing(verb: [String], edit: String) throws {
        let place = try Place()
        try Self.edit(place.store, edit)
        let before = try place.contents()
        _ = try run(verb, on: place)
        #expect(try place.contents() == before)
    }

    private static func edit(_ path: String, _ sql: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path, sql]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func readsWhileAnotherProgramWrites() throws {
        let place = try Place()
        let writer = try Place.open(place.store)
        for number in 3...5 {
            try writer.write { try $0.insert("Patient").setValue("\(number)", for: "name") }
            let run = try run(["store", "show", "STORE", "Patient", "--count"], on: place)
            #expect(run.output == "\(number)\n")
        }
        try writer.close()
        #expect(try place.folder.names == ["clinic.sqlite"])
    }
}
