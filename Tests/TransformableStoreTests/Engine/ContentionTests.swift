import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Two processes with four threads each, which write and read the same store.
@Suite struct ContentionTests {
    /// The duration: a minute in a soak test, and a moment otherwise.
    private static let seconds =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_CONTENTION_SECONDS"].flatMap(Double.init) ?? 1.5
    private static let counters = 5

    private static func store(_ url: URL) throws -> Store {
        var bytes = AttributeDescription.transformed("bytes", "bound", as: Data.self, .optional)
        bytes.externalThreshold = 1000
        let counter = EntityDescription("Counter", attributes: [.integer("count", .default(0)), bytes])
        return try Store(at: url, model: Model(entities: [counter]), transformers: Transformers().registry())
    }

    /// Increments counters, along with bytes that depend on the count, until the time is over.
    ///
    /// The other threads read.
    private static func work(_ store: Store, until end: Date, _ thread: Int) throws -> (writes: Int, reads: Int) {
        var (writes, reads) = (0, 0)
        // At least once each, even on a busy machine.
        repeat {
            let number = Int64((writes + thread) % counters + 1)
            try store.write { context in
                let counter = try context.object(ObjectID(entity: "Counter", number: number))
                let count = try counter.value("count", as: Int.self) + 1
                try counter.setValue(count, for: "count")
                try counter.setValue(bytes(count), for: "bytes")
            }
            writes += 1
            let isWhole = try store.read { context in
                try context.fetch("Counter")
                    .allSatisfy { try $0.value("bytes", as: Data.self) == bytes($0.value("count", as: Int.self)) }
            }
            guard isWhole else { throw StoreError(.corruptFile, "bytes and count are of two moments") }
            reads += 1
        } while Date() < end
        return (writes, reads)
    }

    private static func bytes(_ count: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: count), count: 1200 + count % 7)
    }

    /// Runs four threads, and returns the number of their writes and reads.
    private static func run(_ url: URL, until end: Date) throws -> (writes: Int, reads: Int) {
        let store = try store(url)
        defer { try? store.close() }
        let results = Mutex<[Result<(writes: Int, reads: Int), any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let result = Result { try work(store, until: end, thread) }
            results.withLock { $0.append(result) }
        }
        return try results.withLock(\.self)
            .reduce((0, 0)) { total, result in
                let counts = try result.get()
                return (total.0 + counts.writes, total.1 + counts.reads)
            }
    }

    // The other process records its number of writes. The counters must equal the sum of both numbers.
    @Test func losesNoUpdateAndRejectsNoWriter() async throws {
        let folder = try Folder()
        let store = try Self.store(folder.file())
        try await store.write { context in
            for _ in 0..<Self.counters { try context.insert("Counter").setValue(Self.bytes(0), for: "bytes") }
        }
        let end = Date().addingTimeInterval(Self.seconds)
        let (path, note) = (folder.file().path, folder.file("writes").path)
        let here = Task.detached { try Self.run(URL(filePath: path), until: end) }
        await #expect(processExitsWith: .success) {
            [path = path as String, note = note as String, end = end.timeIntervalSince1970 as Double] in
            let counts = try Self.run(URL(filePath: path), until: Date(timeIntervalSince1970: end))
            try Data("\(counts.writes)".utf8).write(to: URL(filePath: note))
        }
        let own = try await here.value
        let text = try String(contentsOfFile: note, encoding: .utf8)
        let writes = own.writes + (Int(text) ?? 0)
        print("two processes and eight threads: \(writes) writes, \(own.reads) reads of one process")
        let sum = try await store.read { context in
            try context.fetch("Counter").reduce(0) { try $0 + $1.value("count", as: Int.self) }
        }
        #expect(sum == writes)
        #expect(own.writes > 0 && writes > own.writes)
        #expect(try store.verify().isSound)
        // The last of these writes may have met a reader, so that what it replaced waits for the next one.
        try await store.write { context in
            try context.object(ObjectID(entity: "Counter", number: 1)).setValue(Self.bytes(0), for: "bytes")
        }
        #expect(try store.removeOrphanedBlobs() == 0)
        #expect(try folder.blobs().count == Self.counters)
    }
}
