import Dispatch
import Testing
import Transformable
import TransformableStore

/// Methods of a store that are called inside a block of the same store.
@Suite struct NestedUseTests {
    private static let uses: [(name: String, body: @Sendable (Store) throws -> Void)] = [
        ("namesSetAside", { _ = try $0.namesSetAside() }),
        ("rowKeys", { _ = try $0.rowKeys() }),
        ("countOrphanedBlobs", { _ = try $0.countOrphanedBlobs() }),
        ("unfinishedReencodings", { _ = try $0.unfinishedReencodings() }),
    ]

    @Test(arguments: uses.indices) func throwsInsteadOfDeadlocking(index: Int) throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("a")
        let (name, body) = Self.uses[index]
        try store.read { _ in _ = #expect(throws: StoreError(.misuse, ""), "\(name)") { try body(store) } }
        try store.write { _ in _ = #expect(throws: StoreError(.misuse, ""), "\(name)") { try body(store) } }
        try body(store)
    }

    private static func count(_ store: Store) throws -> Int { try store.read { try $0.count("Document") } }

    private typealias Work = @Sendable () async throws -> Int

    /// Blocks of a store that start a task, and do not wait for it.
    private static let starts: [@Sendable (Store, @escaping Work) throws -> Task<Int, any Error>] = [
        { store, work in try store.read { _ in Task { try await work() } } },
        { store, work in try store.write { _ in Task { try await work() } } },
        { store, work in try store.rehearse { _ in Task { try await work() } }.result },
    ]

    @Test(arguments: starts.indices) func aTaskThatOutlastsItsBlockUsesTheStore(index: Int) async throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        let (isOpen, block) = AsyncStream.makeStream(of: Void.self)
        let start = Self.starts[index]
        let task = try start(store) {
            for await _ in isOpen {}
            try store.addDocument("a")
            return try Self.count(store)
        }
        block.finish()
        #expect(try await task.value == 1)
    }

    // The block could wait for the task.
    @Test func aTaskCannotUseTheStoreWhileItsBlockIsOpen() async throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        let task = try await store.write { _ in
            let hasTried = DispatchSemaphore(value: 0)
            let task = Task { () -> Void in
                _ = #expect(throws: StoreError(.misuse, "")) { try Self.count(store) }
                hasTried.signal()
            }
            hasTried.wait()
            return task
        }
        await task.value
    }
}
