import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Re-encodings that compute a projection of several attributes.
///
/// Only in files: on a server, what the other program does would wait for the snapshot that the cells are read in.
@Suite struct CompoundReencodingTests {
    /// What another program does once while a projection is computed.
    private final class OtherProgram: Sendable {
        private let action = Mutex<(@Sendable () throws -> Void)?>(nil)

        func will(_ body: @escaping @Sendable () throws -> Void) {
            action.withLock { $0 = body }
        }

        func act() throws {
            let body = action.withLock { action in
                defer { action = nil }
                return action
            }
            try body?()
        }
    }

    /// A projection that is the number of its key.
    private struct NumberedTransformer: KeyIdentifyingTransformer {
        let keys: [Int64]
        let other: OtherProgram

        var traits: TransformerTraits { .plain }
        var currentKey: String? { "\(keys[0])" }

        func requireKeys(_ identifiers: [String]) throws {
            guard let stranger = identifiers.first(where: { !keys.map(\.description).contains($0) }) else { return }
            throw TransformerError(TransformerError.Code(rawValue: "missing-key"), "there is no key \(stranger)")
        }

        func encode(_ value: Data, in context: TransformContext) throws -> Int64 {
            try other.act()
            return keys[0]
        }

        func candidates(for value: Data, in context: TransformContext) -> [Int64] { keys }
    }

    private func open(_ file: URL, _ keys: [Int64], _ other: OtherProgram) throws -> Store {
        let registry = try TransformerRegistry {
            Registration("numbered", NumberedTransformer(keys: keys, other: other))
        }
        let note = EntityDescription(
            "Note",
            attributes: [.string("title"), .string("text")],
            projections: [CompoundProjection("both", of: ["title", "text"], "numbered")]
        )
        return try Store.trial(at: file, model: Model(entities: [note]), transformers: registry)
    }

    @Test func anAbortedReencodingWritesNoMoreCells() throws {
        let (folder, other) = (try Folder(), OtherProgram())
        let first = try open(folder.file(), [1], other)
        try first.write { context in
            let note = try context.insert("Note")
            try note.setValue("a", for: "title")
            try note.setValue("b", for: "text")
        }
        try first.close()
        let (store, second) = (try open(folder.file(), [2, 1], other), try open(folder.file(), [2, 1], other))
        other.will { _ = try second.abortReencodings() }
        let error = #expect(throws: StoreError.self) { try store.reencode(Reencoding("title", of: "Note")) }
        #expect(error?.code == .conflict)
        #expect(try Trial.cells("SELECT \"both\" FROM \"Note\"", in: folder.file()) == [[.integer(1)]])
        #expect(try store.reencode(Reencoding("title", of: "Note")).cells == 1)
        #expect(try Trial.cells("SELECT \"both\" FROM \"Note\"", in: folder.file()) == [[.integer(2)]])
    }

    /// Another attribute of the same projection is re-encoded, so the first re-encoding goes on.
    @Test func aReencodingOfAnotherAttributeWithANewerKeyIsNotUndone() throws {
        let (folder, other) = (try Folder(), OtherProgram())
        let first = try open(folder.file(), [1], other)
        try first.write { context in
            let note = try context.insert("Note")
            try note.setValue("a", for: "title")
            try note.setValue("b", for: "text")
        }
        let file = folder.file()
        other.will {
            let second = try open(file, [2, 1], other)
            _ = try second.reencode(Reencoding("text", of: "Note"))
            try second.close()
        }
        let error = #expect(throws: StoreError.self) { try first.reencode(Reencoding("title", of: "Note")) }
        #expect(error?.code == .invalidValue)
        #expect(try Trial.cells("SELECT \"both\" FROM \"Note\"", in: folder.file()) == [[.integer(2)]])
    }
}
