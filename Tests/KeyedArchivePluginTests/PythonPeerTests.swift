import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// What plistlib reads and a walk of the objects by hand are what we read, whole: the graph and the values.
@Suite(.enabled(if: PythonPeer.isPresent, "python3 is not here"))
struct PythonPeerTests {
    @Test func agreesOnFoundationsArchives() throws {
        let archives = try FoundationPeerTests.cases.enumerated()
            .filter { !Self.isPythonLost(on: $1.value) }
            .map { number, sample in
                let object = sample.object
                let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
                return ("\(number)-\(sample.testDescription)", data)
            }
        #expect(try PythonPeer.complaints(on: archives) == "")
    }

    @Test(arguments: KeyedArchiveFormat.allCases)
    func agreesOnOurArchives(format: KeyedArchiveFormat) throws {
        let transformer = ArchivedValueTransformer(format: format)
        let archives = try FoundationPeerTests.cases.enumerated()
            .filter { !Self.isPythonLost(on: $1.value) }
            .map { number, sample in ("\(number)-\(sample.testDescription)", try transformer.encode(sample.value)) }
        #expect(try PythonPeer.complaints(on: archives) == "")
    }

    @Test(.enabled(if: Corpus.folder != nil, "TRANSFORMABLE_CORPORA does not name a folder"))
    func agreesOnTheCorpora() throws {
        let archives = try Corpus.archives.filter { !$0.isBroken }.enumerated()
            .map { ("\($0)-\($1.testDescription)", try Data(contentsOf: $1.url)) }
        #expect(archives.count > 40)
        #expect(try PythonPeer.complaints(on: archives) == "")
    }

    /// A class that the walk by hand does not know.
    private static func isPythonLost(on value: ArchivedValue) -> Bool {
        guard case .affineTransform = value else { return false }
        return true
    }
}

/// Runs the script beside the tests.
enum PythonPeer {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peer/archives.py")

    static let isPresent = (try? run(["-c", "import plistlib"]))?.status == 0

    /// What differs between Python's reading and ours; empty if nothing does.
    static func complaints(on archives: [(name: String, data: Data)]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, data) in archives {
            let file = folder.appending(path: name.replacing("/", with: "-"))
            try data.write(to: file.appendingPathExtension("archive"))
            let archive = try Archive(data)
            try Data(archive.json.utf8).write(to: file.appendingPathExtension("graph.json"))
            for key in archive.topKeys {
                let value = try ArchivedValueTransformer(root: key).decode(data)
                try Data(value.json.utf8).write(to: file.appendingPathExtension("\(key).json"))
            }
        }
        let (status, output) = try run([script.path, folder.path])
        return status == 0 ? "" : output
    }

    private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
