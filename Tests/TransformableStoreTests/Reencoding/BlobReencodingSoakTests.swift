import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformablePostgres
import TransformableSQLite
import TransformableStore

/// The memory that re-encoding large values takes, and what a kill leaves of it.
@Suite(.eachEngine) struct BlobReencodingSoakTests {
    /// The server, for a process of its own, or `nil` if the test is on SQLite.
    private static var server: String? {
        get throws { EachEngine.current == .postgres ? try Trial.address() : nil }
    }

    /// Opens a store of another process.
    private static func open(_ url: URL, _ server: String?, model: Model? = nil, _ ring: KeyRing) throws -> Store {
        let registry = try registry(ring)
        guard let server else { return try Store(at: url, model: model, transformers: registry) }
        return try Store(postgres: server, schema: Trial.schema(url), model: model, transformers: registry)
    }

    private static func seal(_ count: Int, _ server: String?) throws -> Int {
        let scans = try Scans()
        let model = try Model(entities: [EntityDescription("Scan", attributes: [Scans.attribute(nil)])])
        let store = try open(scans.folder.file(), server, model: model, scans.ring)
        try store.write { context in
            var left = count
            try context.insert("Scan")
                .setStream(for: "bytes") {
                    defer { left -= 1 << 20 }
                    return left > 0 ? Data(repeating: UInt8(truncatingIfNeeded: left), count: min(left, 1 << 20)) : nil
                }
        }
        let before = try PeakMemory.bytes
        let report = try store.reencode(Reencoding("bytes", of: "Scan", to: .transformer("sealed")))
        return report.cells == 1 ? try PeakMemory.bytes - before : .max
    }

    @Test func memoryDoesNotGrowWithTheValue() async throws {
        await #expect(processExitsWith: .success) { [server = try Self.server as String?] in
            let variable = ProcessInfo.processInfo.environment["TRANSFORMABLE_STREAM_BYTES"]
            let count = variable.flatMap(Int.init) ?? 24_000_000
            _ = try Self.seal(1_000_000, server)
            let growth = try Self.seal(count, server)
            print("\(count) bytes sealed, peak memory grew by \(growth)")
            guard growth < 12_000_000 else { exit(5) }
        }
    }

    /// The number of kills: 200 in a soak test, and a few otherwise.
    private static let moments: [UInt32] = {
        let count = ProcessInfo.processInfo.environment["TRANSFORMABLE_CRASH_RUNS"].flatMap(Int.init)
        return (0..<(count ?? 6)).map { _ in UInt32.random(in: 20...500) }
    }()

    private static func registry(_ ring: KeyRing) throws -> TransformerRegistry {
        try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    /// Writes all values by one transformer after another until the process is killed.
    private static func reencodeForever(_ url: URL, _ server: String?, _ keys: URL) throws {
        let ring = try KeyRing(contentsOf: keys)
        for round in 0..<Int.max {
            let store = try open(url, server, ring)
            if round.isMultiple(of: 2) { try store.reencode(Reencoding("bytes", of: "Scan")) }
            let next = ["sealed", "gzip | sealed", "base64"][round % 3]
            try store.reencode(Reencoding("bytes", of: "Scan", to: .transformer(next)))
            try store.close()
        }
    }

    // The delay is the point here: the kill comes at any moment of converting, publishing, exchanging and sweeping.
    @Test(.withoutTenants("A process of its own opens the store, and knows no tenant."), arguments: moments.indices)
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
            [
                file = file as String, ring = ring as String, milliseconds = milliseconds as UInt32,
                server = try Self.server as String?
            ] in
            killThisProcess(after: milliseconds)
            try Self.reencodeForever(URL(filePath: file), server, URL(filePath: ring))
        }
        try Self.expectClean(scans)
    }

    private static func expectClean(_ scans: Scans) throws {
        let left = try open(scans.folder.file(), server, scans.ring)
        try expectWhole(left)
        // Whatever was under way, the next one ends in a clean folder.
        try left.reencode(Reencoding("bytes", of: "Scan", to: .transformer("gzip")))
        try left.close()
        let last = try open(scans.folder.file(), server, scans.ring)
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
