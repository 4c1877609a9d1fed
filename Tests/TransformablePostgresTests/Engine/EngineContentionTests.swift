import EncryptionPlugin
import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// Two processes that change the same objects of a store, each with several connections.
@Suite(.needsPostgres) struct EngineContentionTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The duration: a minute in a soak test, and a moment otherwise.
    private static let seconds = environment["TRANSFORMABLE_CONTENTION_SECONDS"].flatMap(Double.init) ?? 1
    /// The number of connections of each process.
    private static let connections = environment["TRANSFORMABLE_CONTENTION_SECONDS"] == nil ? 3 : 8
    private static let counters: Int64 = 5

    /// How many changes were committed, and how many were in each other's way.
    private struct Tally: Codable {
        var writes = 0
        var saves = 0
        var conflicts = 0
    }

    /// Increments counters until the time is over, each time along with a part that has the new number.
    private static func work(_ place: EngineStore, until end: Date, _ thread: Int) throws -> Tally {
        var options = PostgresOptions()
        options.maximumConnections = 1
        let store = try place.open(options: options)
        defer { try? store.close() }
        var tally = Tally()
        var step = thread
        // At least once each, even on a busy machine.
        while Date() < end || tally.writes == 0 || tally.saves == 0 {
            let id = ObjectID(entity: "Item", number: Int64(step) % counters + 1)
            do {
                if step.isMultiple(of: 2) {
                    try store.write { try increment(id, in: $0) }
                    tally.writes += 1
                } else {
                    let context = store.makeContext()
                    try increment(id, in: context)
                    try context.save()
                    tally.saves += 1
                }
                step += 1
            } catch let error as StoreError where [.transactionConflict, .conflict].contains(error.code) {
                tally.conflicts += 1
            }
        }
        return tally
    }

    private static func increment(_ id: ObjectID, in context: StoreContext) throws {
        let item = try context.object(id)
        let count = try item.value("count", as: Int64.self) + 1
        try item.setValue(count, for: "count")
        let part = try context.insert("Part")
        try part.setValue(count, for: "number")
        try part.setObject(item, for: "item")
    }

    /// Runs a thread for each connection, and adds up what they did.
    private static func run(_ place: EngineStore, until end: Date) throws -> Tally {
        let results = Mutex<[Result<Tally, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: connections) { thread in
            let result = Result { try work(place, until: end, thread) }
            results.withLock { $0.append(result) }
        }
        return try results.withLock(\.self)
            .reduce(into: Tally()) { total, result in
                let own = try result.get()
                total.writes += own.writes
                total.saves += own.saves
                total.conflicts += own.conflicts
            }
    }

    // The other process writes its numbers to a file.
    @Test func appliesEachChangeExactlyOnce() async throws {
        let place = try EngineStore()
        let store = try place.open()
        try await store.write { context in for _ in 0..<Self.counters { _ = try context.insert("Item") } }
        let end = Date().addingTimeInterval(Self.seconds)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try place.keys.write(to: folder.appending(path: "keys"))
        let here = Task.detached { try Self.run(place, until: end) }
        await #expect(processExitsWith: .success) {
            [
                address = place.address.description as String, schema = place.schema as String,
                end = end.timeIntervalSince1970 as Double, folder = folder.path as String
            ] in
            let keys = try KeyRing(contentsOf: URL(filePath: folder + "/keys"))
            let place = try EngineStore(at: PostgresAddress(address), schema: schema, keys: keys)
            let tally = try Self.run(place, until: Date(timeIntervalSince1970: end))
            try JSONEncoder().encode(tally).write(to: URL(filePath: folder + "/tally"))
        }
        let own = try await here.value
        let other = try JSONDecoder().decode(Tally.self, from: Data(contentsOf: folder.appending(path: "tally")))
        let total = own.writes + own.saves + other.writes + other.saves
        print("two processes, \(2 * Self.connections) connections: \(own) \(other)")
        try await store.read { context in
            var sum: Int64 = 0
            for item in try context.fetch("Item") {
                let count = try item.value("count", as: Int64.self)
                let numbers = try item.objects("parts").map { try $0.value("number", as: Int64.self) }
                #expect(numbers.sorted() == (0..<count).map { $0 + 1 })
                sum += count
            }
            #expect(sum == total)
        }
    }
}
