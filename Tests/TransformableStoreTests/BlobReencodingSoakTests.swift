import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The memory that re-encoding large values takes, and what a kill leaves of it.
@Suite struct BlobReencodingSoakTests {
    /// The peak memory use of the process, in bytes.
    private static var peak: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss * 1024
    }

    private static func seal(_ count: Int) throws -> Int {
        let scans = try Scans()
        let store = try scans.store(nil)
        try store.write { context in
            var left = count
            try context.insert("Scan")
                .setStream(for: "bytes") {
                    defer { left -= 1 << 20 }
                    return left > 0 ? Data(repeating: UInt8(truncatingIfNeeded: left), count: min(left, 1 << 20)) : nil
                }
        }
        let before = peak
        let report = try store.reencode(Reencoding("bytes", of: "Scan", to: .transformer("sealed")))
        return report.cells == 1 ? peak - before : .max
    }

    @Test func memoryDoesNotGrowWithTheValue() async {
        await #expect(processExitsWith: .success) {
            let variable = ProcessInfo.processInfo.environment["TRANSFORMABLE_STREAM_BYTES"]
            let count = variable.flatMap(Int.init) ?? 40_000_000
            _ = try Self.seal(1_000_000)
            let growth = try Self.seal(count)
            print("\(count) bytes sealed, peak memory grew by \(growth)")
            guard growth < 12_000_000 else { exit(5) }
        }
    }

    /// The number of kills: 200 in a soak test, and a few otherwise.
    private static let moments: [UInt32] = {
        let count = ProcessInfo.processInfo.environment["TRANSFORMABLE_CRASH_RUNS"].flatMap(Int.init)
        return (0..<(count ?? 6)).map { _ in UInt32.random(in: 20...500) }
    }()

    private static func registry(_ keys: URL) throws -> TransformerRegistry {
        let ring = try KeyRing(contentsOf: keys)
        return try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    /// Writes all values by one transformer after another until the process is killed.
    private static func reencodeForever(_ url: URL, _ keys: URL) throws {
        let registry = try registry(keys)
        for round in 0..<Int.max {
            let store = try Store(at: url, transformers: registry, options: .mustExist)
            if round.isMultiple(of: 2) { try store.reencode(Reencoding("bytes", of: "Scan")) }
            let next = ["sealed", "gzip | sealed", "base64"][round % 3]
            try store.reencode(Reencoding("bytes", of: "Scan", to: .transformer(next)))
            try store.close()
        }
    }

    // The delay is the point here: the kill comes at any moment of converting, publishing, exchanging and sweeping.
    @Test(arguments: moments.indices)
    func aKillLosesNothing(index: Int) async throws {
        let milliseconds = Self.moments[index]
        let scans = try Scans()
        let keys = scans.folder.file("scans.keys")
        try scans.ring.write(to: keys)
        let store = try scans.store("base64")
        try Scans.fill(store)
        try Scans.fill(store)
        try store.close()
        let (file, ring) = (scans.folder.file().path, keys.path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [file = file as String, ring = ring as String, milliseconds = milliseconds as UInt32] in
            killThisProcess(after: milliseconds)
            try Self.reencodeForever(URL(filePath: file), URL(filePath: ring))
        }
        try Self.expectClean(scans, keys)
    }

    private static func expectClean(_ scans: Scans, _ keys: URL) throws {
        let left = try Store(at: scans.folder.file(), transformers: registry(keys), options: .mustExist)
        try expectWhole(left)
        // Whatever was under way, the next one ends in a clean folder.
        try left.reencode(Reencoding("bytes", of: "Scan", to: .transformer("gzip")))
        try left.close()
        let last = try Store(at: scans.folder.file(), transformers: registry(keys), options: .mustExist)
        try expectWhole(last)
        try scans.expectClean(last)
    }

    private static func expectWhole(_ store: Store) throws {
        let values = try store.read { try $0.fetch("Scan").map { try $0.value("bytes", as: Data?.self) } }
        let once: [Data?] = Scans.counts.enumerated().map { Scans.bytes($0, $1) } + [nil]
        #expect(values == once + once)
        #expect(try store.verify().faults.map(\.description) == [])
    }
}
