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
}
