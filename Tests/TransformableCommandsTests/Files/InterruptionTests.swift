import EncryptionPlugin
import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Commands that are repeatedly interrupted while they write secrets to a file.
struct InterruptionTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable")
    private static let rowCount = 400
    private static let largeCount = 20_000_000
    private static let runCount = 6

    /// How a run ended.
    private struct End {
        let reason: Process.TerminationReason
        let status: Int32
        let messages: String
        /// The contents of the target's folder after the process has ended.
        let left: [String]
    }

    private let folder: TemporaryFolder
    /// The folder of results, apart from the store and its keys.
    private let results: URL

    /// The stores, the keys, and the export as they are made once for all tests.
    private static let template = Result {
        let folder = try TemporaryFolder()
        let ring = try KeyRing.empty.addingKey()
        try ring.write(to: folder.url.appending(path: "clinic.keys"))
        try makeStore(ring, in: folder)
        try makeCoreDataStore(in: folder)
        return folder
    }

    init() throws {
        folder = try TemporaryFolder()
        results = folder.url.appending(path: "results")
        try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
        try folder.copyFiles(of: Self.template.get())
    }

    /// Makes a store with the tables that Core Data creates.
    private static func makeCoreDataStore(in folder: TemporaryFolder) throws {
        let model = folder.url.appending(path: "events.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let attribute = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
        let xml = "<model><entity name=\"Event\">\(attribute)</entity></model>"
        try Data(xml.utf8).write(to: model.appending(path: "contents"))
        let queue = try DatabaseQueue(path: folder.url.appending(path: "events.sqlite").path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                    CREATE TABLE ZEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Event', 0, 20000);
                    INSERT INTO Z_METADATA VALUES (1, '0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11', NULL);
                    WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 20000)
                    INSERT INTO ZEVENT SELECT i, 1, 1, 'event ' || i FROM number
                    """
            )
        }
        try queue.close()
    }

    private static func makeStore(_ ring: KeyRing, in folder: TemporaryFolder) throws {
        let note = EntityDescription(
            "Note",
            attributes: [
                .transformed("text", "text | sealed", as: String.self),
                .data("page", .optional),
                .data("scan", .optional, .externalStorage(over: 100)),
            ]
        )
        let registry = try TransformerRegistry {
            Registration.text
            EncryptionPlugin(keys: ring)
        }
        let url = folder.url.appending(path: "clinic.sqlite")
        let store = try Store(at: url, model: Model(entities: [note]), transformers: registry)
        try store.write { context in
            for number in 1...rowCount {
                let note = try context.insert("Note")
                try note.setValue("secret \(number)", for: "text")
                try note.setValue(Data(repeating: 7, count: number == 1 ? largeCount : 50), for: "page")
                try note.setValue(Data(repeating: 8, count: 2000), for: "scan")
            }
        }
        try store.export(to: folder.url.appending(path: "exported"))
        try store.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    private var left: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: results.path).sorted() }
    }

    private func start(_ arguments: [String], _ messages: Pipe) throws -> Process {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        return process
    }

    /// Runs a command, and sends it a signal at a random time after it has begun to write.
    private func run(_ arguments: [String], _ signal: Int32?) throws -> End {
        let before = try Set(left)
        let messages = Pipe()
        let process = try start(arguments, messages)
        if let signal {
            while process.isRunning, try Set(left).subtracting(before).isEmpty { usleep(300) }
            // The delay is intended: the signal comes at a random moment.
            usleep(.random(in: 0...30_000))
            kill(process.processIdentifier, signal)
        }
        let text = try messages.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let (reason, status) = (process.terminationReason, process.terminationStatus)
        return try End(reason: reason, status: status, messages: String(decoding: text, as: UTF8.self), left: left)
    }

    private func clear() throws {
        for name in try left { try FileManager.default.removeItem(at: results.appending(path: name)) }
    }

    /// The permissions that others have for the files in the folder.
    private func othersRights(_ names: [String]) throws -> [Int] {
        try names.map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: results.appending(path: name).path)
            return try #require(attributes[.posixPermissions] as? Int) & 0o077
        }
    }

    static let commands = [
        ["store", "export", "clinic.sqlite", "--out", "results/out", "--key-file", "clinic.keys"],
        ["store", "copy", "clinic.sqlite", "results/out"],
        ["store", "import", "results/out", "--folder", "exported", "--key-file", "clinic.keys"],
        ["store", "get", "clinic.sqlite", "Note", "1", "page", "--raw", "--out", "results/out"],
        ["store", "adopt", "events.sqlite", "--model", "events.xcdatamodel", "--out", "results/out"],
    ]

    private static func results(of arguments: [String]) -> [String] {
        ["copy", "import"].contains(arguments[1]) ? ["out", "out-blobs"] : ["out"]
    }

    @Test(arguments: commands, [SIGINT, SIGTERM])
    func aSignalRemovesUnfinishedFiles(arguments: [String], signal: Int32) throws {
        let name = signal == SIGINT ? "SIGINT" : "SIGTERM"
        var interrupted = 0
        for _ in 0..<Self.runCount where interrupted < 2 {
            let end = try run(arguments, signal)
            #expect(end.reason == .exit)
            // It may have finished before the signal.
            if end.status == 0 {
                try clear()
                continue
            }
            interrupted += 1
            #expect(end.status == 128 + signal)
            // If the signal comes after the result has its name, the result is complete.
            #expect(end.left == [] || end.left == Self.results(of: arguments), "\(end.left)")
            if end.left == ["out"], arguments[1] == "get" {
                #expect(try Data(contentsOf: results.appending(path: "out")).count == Self.largeCount)
            }
            try clear()
            // Commands without the key say first that they did not verify the seal.
            let lines = end.messages.split(separator: "\n").filter { !$0.hasPrefix("note: the model in") }
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("error: interrupted by \(name)") == true, "\(end.messages)")
        }
        #expect(interrupted > 0)
    }

    @Test(arguments: commands)
    func theNextRunRemovesLeftoversOfAKilledRun(arguments: [String]) throws {
        var found = 0
        for _ in 0..<Self.runCount where found < 2 {
            let end = try run(arguments, SIGKILL)
            // If the signal comes after the result has its name, the result is complete.
            guard end.reason == .uncaughtSignal, !end.left.contains("out") else {
                try clear()
                continue
            }
            // There is a private folder of the run that was killed last, and none of earlier runs.
            found += end.left.count
            #expect(end.left.count <= 1)
            #expect(try othersRights(end.left).allSatisfy { $0 == 0 })
        }
        #expect(found > 0)
        let whole = try run(arguments, nil)
        #expect(whole.status == 0)
        #expect(whole.left == Self.results(of: arguments))
    }

    @Test func aCopyHasTheStoresPermissions() throws {
        let end = try run(Self.commands[1], nil)
        #expect(end.status == 0)
        #expect(try othersRights(["out", "out-blobs"]) == [0, 0])
    }

    /// A program that waits for the key file for up to a minute ends immediately.
    @Test(arguments: [SIGINT, SIGTERM])
    func aWaitingRotationCanBeInterrupted(signal: Int32) throws {
        let file = results.appending(path: "clinic.keys")
        try FileManager.default.copyItem(at: folder.url.appending(path: "clinic.keys"), to: file)
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        defer { close(descriptor) }
        let messages = Pipe()
        let process = try start(["keys", "rotate", "results/clinic.keys"], messages)
        // It opens the file repeatedly.
        let descriptors = "/proc/\(process.processIdentifier)/fd"
        let hasOpened = {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            return numbers.contains { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(number)")
                return target == file.resolvingSymlinksInPath().path
            }
        }
        while process.isRunning, !hasOpened() { usleep(300) }
        let sent = ContinuousClock.now
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 128 + signal)
        #expect(sent.duration(to: .now) < .seconds(20))
        #expect(try left == ["clinic.keys"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func anInterruptedRotationLeavesTheKeyFileUnchanged(signal: Int32) throws {
        let file = results.appending(path: "clinic.keys")
        try FileManager.default.copyItem(at: folder.url.appending(path: "clinic.keys"), to: file)
        for _ in 0..<Self.runCount {
            let process = try start(["keys", "rotate", "results/clinic.keys"], Pipe())
            usleep(.random(in: 0...40_000))
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            let names = try left
            #expect(names.count <= (signal == SIGKILL ? 2 : 1))
            #expect(try othersRights(names).allSatisfy { $0 == 0 })
            #expect(try !KeyRing(contentsOf: file).names.isEmpty)
        }
        #expect(try run(["keys", "rotate", "results/clinic.keys"], nil).status == 0)
        #expect(try left == ["clinic.keys"])
    }
}
