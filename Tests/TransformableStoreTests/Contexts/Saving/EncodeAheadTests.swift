import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Large saves, in which values are encoded on other threads before their rows are written.
@Suite(.eachEngine) struct EncodeAheadTests {
    /// Encodes text and the number of its object, and runs a closure first.
    private struct RecordingTransformer: Transformer {
        let traits = TransformerTraits.plain
        let counter = Counter()
        var waitsForOthers = false
        var willEncode: @Sendable (String) throws -> Void = { _ in }

        func encode(_ value: String, in context: TransformContext) throws -> Data {
            try willEncode(value)
            counter.note()
            if waitsForOthers { counter.waitForOthers() }
            return Data("\(value) of \(context.object ?? 0)".utf8)
        }

        func decode(_ encoded: Data, in context: TransformContext) -> String {
            String(decoding: encoded, as: UTF8.self)
        }
    }

    /// Counts calls, and the threads that made them.
    private final class Counter: Sendable {
        private let state = Mutex((count: 0, threads: Set<UInt>()))

        var count: Int { state.withLock(\.count) }
        var threadCount: Int { state.withLock(\.threads.count) }

        func note() {
            state.withLock { state in
                state.count += 1
                state.threads.insert(UInt(pthread_self()))
            }
        }

        /// Waits until another thread has made a call as well, unless none does so for a long time.
        func waitForOthers() {
            let end = Date.now + 20
            while threadCount == 1, Date.now < end { usleep(1000) }
        }
    }

    private struct Refusal: Error {}

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func notes(_ transformer: RecordingTransformer) throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Note", attributes: [.transformed("text", "recording", as: String.self, .optional)])
        ])
        let registry = try TransformerRegistry { Registration("recording", transformer) }
        return try Store.trial(at: folder.file(), model: model, transformers: registry)
    }

    private static func add(_ count: Int, in context: StoreContext) throws {
        for number in 0..<count {
            let note = try context.insert("Note")
            if number % 50 != 17 { try note.setValue("a\(number)", for: "text") }
        }
    }

    private static func texts(in context: StoreContext) throws -> [String?] {
        try context.fetch("Note").map { try $0.value("text", as: String?.self) }
    }

    private static func expected(_ count: Int) -> [String?] {
        (0..<count).map { $0 % 50 == 17 ? nil : "a\($0) of \($0 + 1)" }
    }

    /// More and fewer objects than a batch, and than a save needs for other threads to help.
    @Test(arguments: [1, 255, 256, 257, 384, 1000, 3000])
    func objectsHaveTheirOwnValues(count: Int) throws {
        let store = try notes(RecordingTransformer())
        try store.write { try Self.add(count, in: $0) }
        let texts = try store.read(Self.texts)
        #expect(texts == Self.expected(count))
    }

    @Test func aContextSavesTheSame() throws {
        let store = try notes(RecordingTransformer())
        let context = store.makeContext()
        try Self.add(1000, in: context)
        try context.save()
        let texts = try store.read(Self.texts)
        #expect(texts == Self.expected(1000))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func eachValueIsEncodedOnceAndOnSeveralThreads() throws {
        let transformer = RecordingTransformer(waitsForOthers: true)
        let store = try notes(transformer)
        try store.write { try Self.add(5000, in: $0) }
        #expect(transformer.counter.count == 4900)
        #expect(transformer.counter.threadCount > 1)
    }

    /// What is encoded ahead must not take much memory.
    @Test func largeValuesAreEncodedWhenTheirRowsAreWritten() throws {
        let transformer = RecordingTransformer()
        let store = try notes(transformer)
        let text = String(repeating: "a", count: 5000)
        try store.write { context in
            for _ in 0..<500 { try context.insert("Note").setValue(text, for: "text") }
        }
        #expect(transformer.counter.count == 500)
        #expect(transformer.counter.threadCount == 1)
    }

    @Test(arguments: [0, 127, 128, 300, 999])
    func anErrorNamesTheObject(index: Int) throws {
        let store = try notes(RecordingTransformer { if $0 == "a\(index)" { throw Refusal() } })
        let error = #expect(throws: StoreError.self) { try store.write { try Self.add(1000, in: $0) } }
        #expect(error?.code == .invalidValue)
        #expect(error?.attribute == "text")
        #expect(error?.object?.number == Int64(index) + 1)
        #expect((error?.underlying as? TransformerError)?.underlying is Refusal)
        #expect(try store.read { try $0.count("Note") } == 0)
    }

    /// A transformer that reads the store would wait for the save, which waits for the transformer.
    @Test(.timeLimit(.minutes(1))) func aTransformerCannotReadTheStore() throws {
        let opened = Mutex<Store?>(nil)
        let store = try notes(
            RecordingTransformer { _ in
                _ = try opened.withLock(\.self)?.read { try $0.count("Note") }
            }
        )
        opened.withLock { $0 = store }
        let error = #expect(throws: StoreError.self) { try store.write { try Self.add(1000, in: $0) } }
        let cause = error?.underlying as? TransformerError
        #expect((cause?.underlying as? StoreError)?.code == .misuse)
    }
}
