import EncryptionPlugin
import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Re-encodings that are killed at random moments while another process writes.
///
/// The run is short by default, and complete with the variable `TRANSFORMABLE_SOAK`, as in `make soak`.
struct ResealCrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["TRANSFORMABLE_SOAK"] != nil
    private static let rowCount = isSoak ? 100_000 : 3000
    private static let killCount = isSoak ? 20 : 4

    /// The information that both processes share.
    private final class Shared: Sendable {
        let expected = Mutex([Int64: String]())
        let isDone = Mutex(false)
        let failure = Mutex<String?>(nil)
    }

    private let folder: TemporaryFolder
    private let store: URL
    private let keys: URL

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "clinic.sqlite")
        keys = folder.url.appending(path: "clinic.keys")
    }

    private func model(_ transformer: String) throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Note",
                attributes: [
                    .transformed(
                        "text",
                        transformer,
                        as: String.self,
                        .projected("blind-index(bits: 20)", as: "finder")
                    )
                ]
            )
        ])
    }

    private func open(_ transformer: String, _ ring: KeyRing) throws -> Store {
        let registry = try TransformerRegistry {
            Registration.text
            EncryptionPlugin(keys: ring)
        }
        let options = Store.Options(busyTimeout: .seconds(60))
        return try Store(at: store, model: model(transformer), transformers: registry, options: options)
    }

    /// Starts the program, and kills it after a while.
    ///
    /// Returns its status if it finished before.
    private func reseal(_ arguments: [String], killedAfter microseconds: UInt32?) throws -> Int32? {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "transformable")
        process.arguments = ["store", "reseal", store.path, "--key-file", keys.path] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        if let microseconds {
            // The delay is intended: the kill comes at a random moment.
            usleep(microseconds)
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// The work of the other process until it is stopped: it changes, adds, and removes notes one by one.
    private func write(_ transformers: [String], _ ring: KeyRing, _ shared: Shared) throws {
        var generator = SystemRandomNumberGenerator()
        var transformers = transformers
        var store = try open(transformers.removeFirst(), ring)
        var round = 0
        while !shared.isDone.withLock({ $0 }) {
            round += 1
            let number = Int64.random(in: 1...Int64(Self.rowCount), using: &generator)
            do {
                let change = try store.write { [round] context -> (Int64, String?) in
                    let note = try context.objectIfPresent(ObjectID(entity: "Note", number: number))
                    guard let note, round % 3 != 0 else {
                        let added = try context.insert("Note")
                        try added.setValue("added \(round)", for: "text")
                        return (added.id.number, "added \(round)")
                    }
                    if round % 7 == 0 {
                        try context.delete(note)
                        return (number, nil)
                    }
                    try note.setValue("changed \(round)", for: "text")
                    return (number, "changed \(round)")
                }
                shared.expected.withLock { $0[change.0] = change.1 }
            } catch let error as StoreError where error.code == .storeChanged && !transformers.isEmpty {
                try? store.close()
                store = try open(transformers.removeFirst(), ring)
            }
            usleep(200)
        }
        try store.close()
    }

    @Test(arguments: [
        (["text | sealed"], [String]()),
        (["text", "text | sealed"], ["--attribute", "Note.text", "--to", "text | sealed"]),
    ])
    func resumesWithoutLosingOrRepeatingWork(transformers: [String], arguments: [String]) throws {
        let former = try KeyRing.empty.addingKey()
        let first = try open(transformers[0], former)
        let shared = Shared()
        try first.write { context in
            for number in 1...Self.rowCount {
                let note = try context.insert("Note")
                try note.setValue("note \(number)", for: "text")
                shared.expected.withLock { $0[note.id.number] = "note \(number)" }
            }
        }
        try first.close()
        let ring = try former.rotatingKey()
        try ring.write(to: keys)

        // On a separate thread, because tasks that block would occupy the threads that others need.
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            do {
                try write(transformers, ring, shared)
            } catch {
                shared.failure.withLock { $0 = "\(error)" }
            }
            hasEnded.signal()
        }
        let longest: UInt32 = Self.isSoak ? 3_000_000 : 700_000
        for _ in 0..<Self.killCount {
            _ = try reseal(arguments, killedAfter: .random(in: 20_000...longest))
        }
        #expect(try reseal(arguments, killedAfter: nil) == 0)
        shared.isDone.withLock { $0 = true }
        hasEnded.wait()
        #expect(shared.failure.withLock { $0 } == nil)

        // The store contains what was committed, and only under the new key.
        #expect(try reseal([], killedAfter: nil) == 0)
        let newest = try #require(ring.generations(of: "default").last).id
        let last = try open(transformers.last ?? "", ring.retiringUnchecked(former.generations(of: "default")[0].id))
        let (found, keys) = try last.read { context in
            let notes = try context.fetch("Note").map { ($0.id.number, try $0.value("text", as: String.self)) }
            return (notes, try context.countStored("text", of: "Note", by: 0..<KeyID.headerCount).keys.map { $0 })
        }
        let isWhole = Dictionary(uniqueKeysWithValues: found) == shared.expected.withLock { $0 }
        #expect(isWhole)
        #expect(Set(keys.map { $0.flatMap { KeyID(sealed: $0) } }) == [newest])
        for (number, text) in found.prefix(20) {
            let ids = try last.read { try $0.ids("Note", where: Field("text") == text) }
            #expect(ids.map(\.number).contains(number))
        }
        try last.close()
    }
}
