import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Values that are far larger than the memory that a command can use.
struct StreamedCommandTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable").path
    private static let count =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_STREAM_BYTES"].flatMap(Int.init) ?? 24_000_000

    private let folder: TemporaryFolder
    private let ring: KeyRing

    init() throws {
        folder = try TemporaryFolder()
        ring = try KeyRing.empty.addingKey()
        try ring.write(to: folder.url.appending(path: "clinic.keys"))
    }

    /// A store whose first object has small values, and whose second one has large ones.
    private func makeStore(_ count: Int = count) throws {
        let scan = EntityDescription(
            "Scan",
            attributes: [
                .data("cell"), .data("file", .externalStorage(over: 100)),
                .transformed("sealed", "sealed", as: Data.self, .externalStorage(over: 100)),
            ]
        )
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let url = folder.url.appending(path: "clinic.sqlite")
        let store = try Store(at: url, model: Model(entities: [scan]), transformers: registry)
        for count in [10, count] {
            try store.write { context in
                let scan = try context.insert("Scan")
                for name in ["cell", "file", "sealed"] { try scan.setValue(Self.bytes(count), for: name) }
            }
        }
        try store.close()
    }

    private static func bytes(_ count: Int) -> Data {
        let line = Data("a line of forty bytes, which is repeated\n".utf8)
        var bytes = Data(capacity: count + line.count)
        while bytes.count < count { bytes.append(line) }
        return bytes.prefix(count)
    }

    /// Runs a shell command, in which `$T` is the program, and returns its status.
    private func run(_ script: String) throws -> Int32 {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.currentDirectoryURL = folder.url
        shell.environment = ProcessInfo.processInfo.environment.merging(["T": Self.executable]) { $1 }
        try shell.run()
        shell.waitUntilExit()
        return shell.terminationStatus
    }

    /// Runs a command of the program, and returns its peak memory use in bytes.
    ///
    /// A process of another program starts it, because the peak of a process includes what its parent had in memory.
    private func peak(_ command: String) throws -> Int {
        #expect(try run("env time --format %M --output peak $T \(command)") == 0, "\(command)")
        let output = try String(contentsOfFile: folder.path("peak"), encoding: .utf8)
        return try #require(Int(output.trimmingCharacters(in: .newlines)), "\(output)") << 10
    }

    private static let reads = ["cell", "file", "sealed", "cell --raw", "file --raw", "sealed --raw"]

    @Test func gettingLargeValuesTakesConstantMemory() throws {
        try makeStore()
        for read in Self.reads {
            let peaks = try [1, 2]
                .map { try peak("store get clinic.sqlite Scan \($0) \(read) --key-file clinic.keys > /dev/null") }
            #expect(peaks[1] - peaks[0] < 12_000_000, "\(read): \(peaks)")
        }
    }

    @Test func showingLargeValuesTakesConstantMemory() throws {
        try makeStore()
        let peaks = try ["--limit 1", "--offset 1"]
            .map { try peak("store show clinic.sqlite Scan \($0) --key-file clinic.keys > /dev/null") }
        #expect(peaks[1] - peaks[0] < 12_000_000, "\(peaks)")
    }

    @Test(arguments: ["gzip", "gzip | sealed"])
    func encodingLargeValuesTakesConstantMemory(expression: String) throws {
        try folder.write(Self.bytes(10), "1")
        try folder.write(Self.bytes(Self.count), "2")
        let peaks = try ["1", "2"]
            .map { name in
                let encoding = try peak(
                    "encode '\(expression)' --in \(name) --out \(name).enc --key-file clinic.keys"
                )
                let decoding = try peak(
                    "decode '\(expression)' --in \(name).enc --key-file clinic.keys > \(name).dec"
                )
                #expect(try run("cmp -s \(name) \(name).dec") == 0)
                return max(encoding, decoding)
            }
        #expect(peaks[1] - peaks[0] < 12_000_000, "\(peaks)")
    }

    @Test(arguments: ["cell", "file", "sealed"])
    func getsTheStoredValue(attribute: String) throws {
        try makeStore(3_000_000)
        let get = "$T store get clinic.sqlite Scan 2 \(attribute) --key-file clinic.keys"
        #expect(try run("\(get) > piped && \(get) --out written") == 0)
        for name in ["piped", "written"] {
            #expect(try Data(contentsOf: folder.url.appending(path: name)) == Self.bytes(3_000_000))
        }
        // Only the owner can read unsealed values, whatever the umask of the process is.
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("written"))[.posixPermissions] as? Int
        #expect(try #require(mode) & 0o077 == 0 || attribute != "sealed")
    }

    @Test func gzipReadsValuesEncodedInPieces() throws {
        try folder.write(Self.bytes(3_000_000), "lines")
        #expect(try run("$T encode gzip < lines | gunzip -c | cmp -s - lines") == 0)
        #expect(try run("gzip -c lines | $T decode gzip | cmp -s - lines") == 0)
    }

    @Test func aTruncatedValueIsNotWritten() throws {
        try folder.write(Self.bytes(3_000_000), "lines")
        #expect(try run("gzip -1 -c lines | head -c 20000 | $T decode gzip --out broken 2> /dev/null") == 65)
        #expect(try folder.names == ["clinic.keys", "lines"])
        #expect(try run("gzip -1 -c lines | head -c 3000 | $T decode gzip > broken 2> /dev/null") == 65)
        #expect(try Data(contentsOf: folder.url.appending(path: "broken")).isEmpty)
    }

    @Test func summariesRecognizeTheKindOfLargeValues() throws {
        try makeStore(100_000)
        let show = "$T store show clinic.sqlite Scan --offset 1 --key-file clinic.keys > shown"
        #expect(try run(show) == 0)
        let shown = try String(contentsOfFile: folder.path("shown"), encoding: .utf8)
        #expect(shown.components(separatedBy: "‹UTF-8 text, 100000 bytes›").count == 3, "\(shown)")
        #expect(shown.contains("‹sealed value, "), "\(shown)")
    }
}
