import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// When values are decoded and encoded, and where objects can be used.
@Suite struct StrategyTests {
    /// Counts the calls of a transformer.
    private final class Counter: Sendable {
        struct Counts: Equatable {
            var encoded = 0
            var decoded = 0
        }

        private let counts = Mutex(Counts())

        func noteEncoding() { counts.withLock { $0.encoded += 1 } }
        func noteDecoding() { counts.withLock { $0.decoded += 1 } }

        /// The counts since the last call.
        func take() -> Counts {
            counts.withLock { counts in
                defer { counts = Counts() }
                return counts
            }
        }
    }

    /// Text as UTF-8 after a marker, whose bytes cannot be compared for equality.
    ///
    /// Its calls are counted.
    private struct CountingTransformer: Transformer {
        let counter: Counter

        var traits: TransformerTraits { [] }

        func encode(_ value: String, in context: TransformContext) -> Data {
            counter.noteEncoding()
            return Data("+\(value)".utf8)
        }

        func decode(_ encoded: Data, in context: TransformContext) throws -> String {
            counter.noteDecoding()
            guard encoded.first == UInt8(ascii: "+") else { throw TransformerError.invalidData("no mark") }
            return String(decoding: encoded.dropFirst(), as: UTF8.self)
        }
    }

    private let folder: Folder
    private let counter = Counter()

    init() throws {
        folder = try Folder()
    }

    private func store(_ strategy: AttributeOption = .decode(.onAccess)) throws -> Store {
        let text = AttributeDescription.transformed("text", "counting", as: String.self, .optional, strategy)
        let model = try Model(entities: [
            EntityDescription(
                "Page",
                attributes: [.integer("number", .default(0)), text, .transient("note", as: String.self)]
            )
        ])
        let transformer = CountingTransformer(counter: counter)
        let registry = try TransformerRegistry { Registration("counting", transformer) }
        return try Store(at: folder.file(), model: model, transformers: registry)
    }

    private func insert(_ count: Int, _ store: Store) throws {
        try store.write { context in
            for number in 0..<count { try context.insert("Page").setValue("p\(number)", for: "text") }
        }
    }

    @Test func decodesOnceWhenFirstRead() throws {
        let store = try store()
        try insert(3, store)
        _ = counter.take()
        try store.read { [counter] context in
            let pages = try context.fetch("Page", where: Condition("number == 0"))
            #expect(counter.take() == .init())
            for _ in 0..<2 { #expect(try pages[1].value("text", as: String.self) == "p1") }
            #expect(counter.take() == .init(decoded: 1))
        }
    }

    @Test func decodesOnFetchOnRequest() throws {
        let store = try store(.decode(.onFetch))
        try insert(3, store)
        _ = counter.take()
        try store.read { [counter] context in
            let pages = try context.fetch("Page")
            #expect(counter.take() == .init(decoded: 3))
            #expect(try pages[1].value("text", as: String.self) == "p1")
            #expect(counter.take() == .init())
        }
        // A failure to decode is reported by the fetch, not where the value is read.
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Page SET text = x'00' WHERE _id = 2") }
        #expect(throws: StoreError(code: .undecodable)) { try store.read { try $0.fetch("Page").count } }
    }

    @Test func decodesANewerRowOnFetchOnRequest() throws {
        let store = try store(.decode(.onFetch))
        try insert(1, store)
        let context = store.makeContext()
        let page = try context.fetch("Page")[0]
        let id = page.id
        try store.write { try $0.object(id).setValue("newer", for: "text") }
        _ = counter.take()
        #expect(try context.fetch("Page") == [page])
        #expect(counter.take() == .init(decoded: 1))
        #expect(try page.value("text", as: String.self) == "newer")
    }

    @Test func encodesOnceWhenSaving() throws {
        let store = try store()
        let context = store.makeContext()
        let page = try context.insert("Page")
        for text in ["a", "b", "c"] { try page.setValue(text, for: "text") }
        #expect(counter.take() == .init())
        try context.save()
        #expect(counter.take().encoded == 1)
        #expect(try store.read { try $0.fetch("Page")[0].value("text", as: String.self) } == "c")
    }

    @Test func encodesWhenSetOnRequest() throws {
        let store = try store(.encode(.onSet))
        let context = store.makeContext()
        let page = try context.insert("Page")
        try page.setValue("a", for: "text")
        #expect(counter.take() == .init(encoded: 1))
        try context.save()
        #expect(counter.take().encoded == 0)
    }

    @Test func aTransientValueBelongsToItsObject() throws {
        let store = try store()
        let context = store.makeContext()
        let page = try context.insert("Page")
        try page.setValue("mine", for: "note")
        try context.save()
        #expect(try page.value("note", as: String?.self) == "mine")
        try page.setValue("again", for: "note")
        #expect(context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)
        #expect(try store.makeContext().object(page.id).value("note", as: String?.self) == nil)
    }

    /// Returns an object from its block, which programs must not do.
    private final class Leak: @unchecked Sendable {
        // Read by the test after the block has ended.
        var object: ManagedObject?
    }

    @Test func anObjectCannotBeUsedAfterItsBlock() throws {
        let store = try store()
        try insert(1, store)
        let leak = Leak()
        try store.write { leak.object = try $0.fetch("Page")[0] }
        let page = try #require(leak.object)
        #expect(throws: StoreError(code: .misuse)) { try page.setValue("x", for: "text") }
        #expect(throws: StoreError(code: .misuse)) { try page.context.fetch("Page") }
        #expect(throws: StoreError(code: .misuse)) { try page.context.delete(page) }
        let id = page.id
        try store.read { leak.object = try $0.fault(id) }
        #expect(throws: StoreError(code: .misuse)) { try leak.object?.value("text", as: String.self) }
        #expect(throws: StoreError(code: .readOnly)) { try leak.object?.setValue("x", for: "text") }
    }

    @Test func anObjectOfAnotherContextIsRejected() throws {
        let store = try store()
        let contexts = [store.makeContext(), store.makeContext()]
        let page = try contexts[0].insert("Page")
        #expect(throws: StoreError(code: .misuse)) { try contexts[1].delete(page) }
        #expect(throws: StoreError(code: .misuse)) { try contexts[1].refresh(page) }
    }
}
