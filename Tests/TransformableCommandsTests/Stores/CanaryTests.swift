import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Searches for sealed values in every file of a store: the database, its log, blobs, copies, exports, data that
/// migrations set aside, and leftovers of killed programs.
struct CanaryTests {
    /// The text that every sealed value begins with.
    private static let canary = "canary-7QX-"
    private static let rowCount = 700
    private static let unfinished = "Patient.ssn: a re-encoding is unfinished"

    private let folder: TemporaryFolder
    private let store: String
    private let keys: String

    private static func model(version: Int, _ attributes: String...) -> Data {
        Data(
            """
            { "transformableModel": 1, "version": \(version), "entities": [ { "name": "Patient", "attributes": [
                { "name": "name", "type": "string" },
                { "name": "ssn", "transformer": "text | sealed", "projections": [
                    { "name": "finder", "transformer": "lowercase | blind-index(bits: 8)", "indexed": true } ] },
                \(attributes.joined(separator: ", ")) ] } ] }
            """
            .utf8
        )
    }

    private static let scan =
        #"{ "name": "scan", "transformer": "sealed", "optional": true, "externalStorage": { "over": 100 } }"#
    private static let note = #"{ "name": "note", "transformer": "text | gzip | sealed", "optional": true }"#

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        keys = folder.path("clinic.keys")
        let model = try folder.write(Self.model(version: 1, Self.scan, Self.note), "clinic.json")
        #expect(try run("keys", "new", keys).status == 0)
        #expect(try run("store", "create", store, "--model", model).status == 0)
        let opened = try open()
        try opened.write { context in
            for number in 0..<Self.rowCount {
                let patient = try context.insert("Patient")
                try patient.setValue("patient \(number)", for: "name")
                try patient.setValue("\(Self.canary)\(number)", for: "ssn")
                guard number < 20 else { continue }
                let scan = Data(String(repeating: "\(Self.canary)\(number) ", count: 40).utf8)
                try patient.setValue(scan, for: "scan")
                try patient.setValue("\(Self.canary)\(number)", for: "note")
            }
        }
        #expect(try exposed() == [])
        try opened.close()
    }

    private static func registry(_ ring: KeyRing) throws -> TransformerRegistry {
        try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    private func open() throws -> Store {
        let ring = try KeyRing(contentsOf: URL(filePath: keys))
        return try Store(at: URL(filePath: store), transformers: Self.registry(ring))
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments: arguments, registry: Self.registry)
    }

    /// Starts the program, and kills it after a random time.
    private func runAndKill(_ arguments: String..., within microseconds: UInt32 = 1_000_000) throws {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "transformable")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The delay is intended: the kill comes at a random moment.
        usleep(.random(in: 20_000...microseconds))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The files in the folder that contain a piece of a value.
    private func exposed() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
            .filter { name in
                guard let bytes = try? Data(contentsOf: URL(filePath: folder.path(name))) else { return false }
                return [Self.canary, Self.canary.lowercased()].contains { bytes.range(of: Data($0.utf8)) != nil }
            }
    }

    @Test func noFileContainsPlaintext() throws {
        let options = ["--key-file", keys]
        let input = try folder.write(Data(#""not a patient""#.utf8), "input.json")
        // Successful and failed operations while others have the store open and the log is full.
        let opened = try open()
        #expect(try run("store", "set", store, "Patient", "1", "ssn=\(Self.canary)1", options[0], keys).status == 0)
        #expect(try run("store", "set", store, "Patient", "1", "scan=@\(input)", options[0], keys).status == 0)
        #expect(try run("store", "set", store, "Patient", "9999", "ssn=\(Self.canary)2", options[0], keys).status != 0)
        #expect(try run("store", "delete", store, "Patient", "3").status == 0)
        #expect(try exposed() == [])
        let found = try opened.read { try $0.count("Patient", where: Field("ssn") == "\(Self.canary)5") }
        #expect(found == 1)
        try opened.close()

        // A migration keeps dropped sealed values unchanged.
        let newer = try folder.write(Self.model(version: 2, Self.scan), "clinic-2.json")
        #expect(try run("store", "migrate", store, "--model", newer, options[0], keys).status == 0)
        #expect(try run("store", "discard", store).output.contains("Patient.note"))
        #expect(try exposed() == [])

        #expect(try run("keys", "rotate", keys).status == 0)
        for _ in 0..<3 { try runAndKill("store", "reseal", store, "--key-file", keys) }
        #expect(try exposed() == [])
        #expect(try run("store", "reseal", store, "--scrub", "--key-file", keys).messages == "")
        for _ in 0..<3 { try runAndKill("store", "copy", store, folder.path("killed.sqlite")) }
        #expect(try run("store", "copy", store, folder.path("copy.sqlite")).status == 0)
        // Without keys, an export contains the sealed bytes.
        #expect(try run("store", "export", store, "--out", folder.path("export")).status == 77)
        #expect(try exposed() == [])
    }

    // A store in memory consists of files, too. The plain text in it shows that the search finds them.
    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
    func noFileOfAStoreInMemoryContainsPlaintext() throws {
        let (plain, secret) = ("plain-\(UUID())", "\(Self.canary)\(UUID())")
        let model = try Model(json: Self.model(version: 1, Self.scan, Self.note))
        let ring = try KeyRing(contentsOf: URL(filePath: keys))
        let memory = try Store.inMemory(model: model, transformers: Self.registry(ring))
        try memory.write { context in
            for _ in 0..<50 {
                let patient = try context.insert("Patient")
                try patient.setValue(plain, for: "name")
                try patient.setValue(secret, for: "ssn")
                try patient.setValue(Data(String(repeating: secret, count: 10).utf8), for: "scan")
            }
        }
        let found = try memory.read { try $0.count("Patient", where: Field("ssn") == secret) }
        #expect(found == 50)
        #expect(try isAnywhere(plain, in: "/dev/shm"))
        #expect(try !isAnywhere(secret, in: "/dev/shm"))
        try memory.close()
    }

    /// Returns whether a text is in any file of a folder.
    ///
    /// Another process reads the files: closing them in this one would drop the locks of the store.
    private func isAnywhere(_ text: String, in folder: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["grep", "-rqsF", text, folder]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func decryptedOutputIsPrivate() throws {
        for number in 0..<4 {
            try runAndKill("store", "export", store, "--out", folder.path("out-\(number)"), "--key-file", keys)
        }
        #expect(try run("store", "export", store, "--out", folder.path("out"), "--key-file", keys).status == 0)
        let exposed = try exposed()
        #expect(exposed.contains("out/Patient.jsonl"))
        for name in exposed {
            let top = name.split(separator: "/").first.map(String.init) ?? ""
            #expect(top.hasPrefix("out") || top.hasPrefix(".transformable-"))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(top))
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func leftoversOfAKilledRunAreReportedAndRemoved() throws {
        for _ in 0..<6 {
            try runAndKill("store", "reseal", store, "--attribute", "Patient.ssn", "--plain", "--key-file", keys)
        }
        let isPlain = try run("store", "schema", store).output.contains(/ssn +[0-9]+ +string/)
        let left = try exposed()
        // Either the run has finished before the kill, or its leftovers are reported.
        if !isPlain, !left.isEmpty {
            #expect(left.allSatisfy { $0.hasPrefix("clinic.sqlite") })
            #expect(try run("store", "verify", store, "--key-file", keys).output.contains(Self.unfinished))
            let aborted = try run("store", "reseal", store, "--abort", "--scrub", "--key-file", keys)
            #expect(aborted.status == 0, "\(aborted.messages)")
        }
        if !isPlain {
            #expect(try exposed() == [])
            let verified = try run("store", "verify", store, "--key-file", keys)
            #expect(verified.status == 0, "\(verified.output)")
        }
    }
}
