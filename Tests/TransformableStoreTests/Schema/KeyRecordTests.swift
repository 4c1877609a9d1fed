import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite

// Counts how often a record of keys asks a stage.
@testable import TransformableStore

@Suite(.eachEngine) struct KeyRecordTests {
    private static let text = ReencodingFixture.text("text | bound", projected: "text | blind")

    private func recorded(_ fixture: ReencodingFixture) throws -> String? {
        let cells = try Trial.cells("SELECT \"keys\" FROM \"_transformable_projection\"", in: fixture.folder.file())
        guard case .text(let keys)? = cells.first?.first else { return nil }
        return keys
    }

    private func count(_ store: Store) throws -> Int {
        try store.read { try $0.count("Note", where: Field("text") == "a") }
    }

    /// Expects an error that names a key that the program lacks.
    private func expectMissing(
        _ key: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> some Any
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.transformerError?.code.rawValue == "missing-key", sourceLocation: sourceLocation)
        #expect(error?.transformerError?.message == "there is no key \(key)", sourceLocation: sourceLocation)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    /// A projection whose keys are checked again and again.
    private struct CheckedTransformer: KeyIdentifyingTransformer {
        let counter: Counter

        var traits: TransformerTraits { .plain }
        var currentKey: String? { "1" }

        func requireKeys(_ identifiers: [String]) {
            counter.add()
        }

        func encode(_ value: String, in context: TransformContext) -> Int64 { 1 }
    }

    @Test func asksAStageAboutAllKeysAtOnce() throws {
        let counter = Counter()
        let registry = try TransformerRegistry { Registration("checked", CheckedTransformer(counter: counter)) }
        let resolved = try registry.resolve("checked", for: String.self, ending: .column)
        let record = try #require(KeyRecord(resolved, recorded: (0..<100).map(String.init)))
        #expect(counter.value == 1)
        #expect(record.isNewest)
    }

    @Test func searchingWithAWrongKeyRingThrows() throws {
        var fixture = try ReencodingFixture()
        let store = try fixture.open(Self.text)
        try store.addNotes(["a"])
        #expect(try count(store) == 1)
        #expect(try recorded(fixture) == "7")
        try store.close()
        fixture.keys = [9]
        let wrong = try fixture.open(Self.text)
        let error = #expect(throws: StoreError.self) { try count(wrong) }
        #expect(error?.transformerError?.code.rawValue == "missing-key")
        let reason = "it cannot be searched, because its index uses a key that is not available"
        #expect(error?.message.hasPrefix(reason) == true, "\(error as Any)")
        // Which key it is reveals nothing about the value, which the attribute withholds.
        #expect(error?.transformerError?.message == "there is no key 7")
        // Nobody who has the right key could find what it wrote.
        let refusal = #expect(throws: StoreError.self) { try wrong.addNotes(["b"]) }
        #expect(refusal?.transformerError?.message == "there is no key 7")
        #expect(refusal?.message.contains("“store seal --accept-model --lost-key”") == true)
        #expect(try wrong.texts == ["a"])
        #expect(try recorded(fixture) == "7")
    }

    @Test func verifyingWithAWrongKeyRingFindsNoFault() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a", "b"])
        fixture.keys = [9]
        let found = try fixture.open(Self.text).verify()
        #expect(found.isSound)
        #expect(found.objectCount == 2)
        #expect(found.unreadable.map(\.attribute) == ["text"])
        #expect(found.unreadable.map(\.count) == [2])
        #expect(found.unreadable.first?.error.transformerError?.code.rawValue == "missing-key")
    }

    @Test func followsARotation() throws {
        var fixture = try ReencodingFixture()
        let old = try fixture.open(Self.text)
        try old.addNotes(["a"])
        fixture.keys = [9, 7]
        let new = try fixture.open(Self.text)
        #expect(try recorded(fixture) == "7 9")
        try new.addNotes(["a"])
        #expect(try count(new) == 2)
        // The store that was open before has not got the key of what was written since.
        expectMissing("9") { try count(old) }
        #expect(try new.reencode(Reencoding("text", of: "Note")).cells == 2)
        #expect(try recorded(fixture) == "9")
        fixture.keys = [9]
        #expect(try count(fixture.open(Self.text)) == 2)
    }

    @Test func aProgramWithTheOldKeysCannotReencode() throws {
        var fixture = try ReencodingFixture()
        let old = try fixture.open(Self.text)
        try old.addNotes(["a"])
        fixture.keys = [9, 7]
        let new = try fixture.open(Self.text)
        expectMissing("9") { try old.reencode(Reencoding("text", of: "Note")) }
        #expect(try recorded(fixture) == "7 9")
        try new.reencode(Reencoding("text", of: "Note"))
        expectMissing("9") { try old.reencode(Reencoding("text", of: "Note")) }
        #expect(try recorded(fixture) == "9")
        #expect(try old.unfinishedReencodings().isEmpty)
    }

    // The other program may have written rows that this one went past.
    @Test func keepsTheKeyOfAProgramThatOpenedTheStoreMeanwhile() throws {
        var fixture = try ReencodingFixture()
        let old = try fixture.open(Self.text)
        try old.addNotes(["a"])
        fixture.keys = [9, 7]
        var isOpened = false
        try old.reencode(Reencoding("text", of: "Note")) { _ in
            guard !isOpened else { return }
            isOpened = true
            try fixture.open(Self.text).addNotes(["a"])
        }
        #expect(try recorded(fixture) == "7 9")
        #expect(try count(fixture.open(Self.text)) == 2)
    }

    @Test func theNewestKeyRebuildsAnIndexWithoutTheOldest() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a"])
        fixture.keys = [9, 7]
        try fixture.open(Self.text).close()
        fixture.keys = [9]
        let store = try fixture.open(Self.text)
        expectMissing("7") { try count(store) }
        try store.reencode(Reencoding("text", of: "Note"))
        #expect(try recorded(fixture) == "9")
        #expect(try count(store) == 1)
    }

    @Test func theNewestKeyWritesRowsWithoutTheOldest() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a"])
        fixture.keys = [9, 7]
        try fixture.open(Self.text).close()
        fixture.keys = [9]
        try fixture.open(Self.text).addNotes(["a"])
        #expect(try recorded(fixture) == "7 9")
        fixture.keys = [9, 7]
        #expect(try count(fixture.open(Self.text)) == 2)
    }

    @Test func aRotationNeedsOnlyTheNewestKey() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a"])
        fixture.keys = [9, 7]
        try fixture.open(Self.text).close()
        fixture.keys = [10, 9]
        let store = try fixture.open(Self.text)
        #expect(try recorded(fixture) == "7 9 10")
        try store.addNotes(["a"])
        try store.reencode(Reencoding("text", of: "Note"))
        #expect(try recorded(fixture) == "10")
        #expect(try count(store) == 2)
    }

    /// A rehearsal does not record its keys, but writes with them as a program that does.
    @Test func rehearsesARotationThatNeedsOnlyTheNewestKey() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a"])
        fixture.keys = [9, 7]
        try fixture.open(Self.text).close()
        fixture.keys = [10, 9]
        var options = Store.Options.mustExist
        options.isRehearsal = true
        let store = try fixture.open(Self.text, options)
        _ = try store.rehearse { try $0.insert("Note").setValue("b", for: "text") }
        #expect(try store.rehearse(Reencoding("text", of: "Note")).cells == 1)
        #expect(try recorded(fixture) == "7 9")
    }

    /// A program still has the key that others consider lost.
    @Test func aProgramWhoseKeyWasGivenUpRecordsItAgain() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a"])
        fixture.keys = [9, 7]
        let service = try fixture.open(Self.text)
        try service.addNotes(["a"])
        fixture.keys = [7]
        let options = Store.Options(acceptsUnauthenticatedModel: true, acceptsLostKey: true)
        let other = try fixture.open(Self.text, options)
        try other.reencode(Reencoding("text", of: "Note"))
        #expect(try recorded(fixture) == "7")
        #expect(throws: StoreError(code: .storeChanged)) { try service.addNotes(["a"]) }
        fixture.keys = [9, 7]
        try fixture.open(Self.text).addNotes(["a"])
        #expect(try recorded(fixture) == "7 9")
        expectMissing("9") { try count(other) }
    }

    struct Loss: CustomTestStringConvertible {
        let testDescription: String
        /// The keys of the programs that have written to the store.
        let writers: [[Int64]]
        let left: [Int64]
        /// The key that an error names.
        let missing: String
        let recorded: String
    }

    @Test(arguments: [
        Loss(testDescription: "the only key", writers: [[7]], left: [9], missing: "7", recorded: "7 9"),
        Loss(testDescription: "the newest key", writers: [[7], [9, 7]], left: [7], missing: "9", recorded: "9 7"),
        Loss(testDescription: "all keys", writers: [[7], [9, 7]], left: [5], missing: "7", recorded: "7 9 5"),
        Loss(
            testDescription: "one in between",
            writers: [[7], [5, 7], [9, 5, 7]],
            left: [7, 9],
            missing: "5",
            recorded: "5 9 7"
        ),
    ])
    func acceptingALostKeyMakesTheCurrentOneTheNewest(loss: Loss) throws {
        var fixture = try ReencodingFixture()
        for keys in loss.writers {
            fixture.keys = keys
            try fixture.open(Self.text).addNotes(["a"])
        }
        fixture.keys = loss.left
        let options = Store.Options(acceptsUnauthenticatedModel: true, acceptsLostKey: true)
        let store = try fixture.open(Self.text, options)
        #expect(try recorded(fixture) == loss.recorded)
        try store.addNotes(["a"])
        expectMissing(loss.missing) { try count(store) }
        try store.reencode(Reencoding("text", of: "Note"))
        #expect(try recorded(fixture) == "\(loss.left[0])")
        #expect(try count(store) == loss.writers.count + 1)
        #expect(try fixture.open(Self.text).verify().isSound)
    }

    @Test func reencodingRebuildsTheIndexOfAPlainAttribute() throws {
        var fixture = try ReencodingFixture()
        let plain = AttributeDescription.string("text", .indexed, .projected("text | blind", as: "finder"))
        try fixture.open(plain).addNotes(["a", "b"])
        fixture.keys = [9, 7]
        let store = try fixture.open(plain)
        let report = try store.reencode(Reencoding("text", of: "Note"))
        #expect(report.cells == 2)
        #expect(!report.dropsIndex)
        #expect(try recorded(fixture) == "9")
        // (9 * 31 + 97) % 256, and one more for “b”.
        let sql = "SELECT \"text\", \"finder\" FROM \"Note\" ORDER BY \"_id\""
        #expect(
            try Trial.cells(sql, in: fixture.folder.file()) == [
                [.text("a"), .integer(120)], [.text("b"), .integer(121)],
            ]
        )
        fixture.keys = [9]
        #expect(try fixture.open(plain).verify().isSound)
    }

    /// Bytes after a key.
    private struct KeyedPrefixTransformer: KeyIdentifyingTransformer {
        let keys: [UInt8]
        var traits: TransformerTraits { .plain }
        var currentKey: String? { keys.first.map { "p\($0)" } }

        func requireKeys(_ identifiers: [String]) throws {
            guard let stranger = identifiers.first(where: { !keys.map { "p\($0)" }.contains($0) }) else { return }
            throw TransformerError(TransformerError.Code(rawValue: "missing-key"), "there is no key \(stranger)")
        }

        func encode(_ value: Data, in context: TransformContext) -> Data { [keys[0]] + value }

        func candidates(for value: Data, in context: TransformContext) -> [Data] { keys.map { [$0] + value } }
    }

    /// Opens a store whose index depends on the keys of two stages.
    private func openStaged(_ folder: Folder, _ prefixes: [UInt8], _ keys: [Int64]) throws -> Store {
        let registry = try TransformerRegistry {
            Registration.text
            Registration("bound", BoundTransformer(key: 42))
            Registration("prefix", KeyedPrefixTransformer(keys: prefixes))
            Registration("blind", KeyedBlindTransformer(keys: keys))
        }
        let text = ReencodingFixture.text("text | bound", projected: "text | prefix | blind")
        let model = try Model(entities: [EntityDescription("Note", attributes: [text])])
        return try Store.trial(at: folder.file(), model: model, transformers: registry)
    }

    private func stagedKeys(_ store: Store) throws -> [String]? {
        try store.read { try $0.indexKeys() }["Note.finder"]
    }

    @Test func recordsTheKeysOfEveryStage() throws {
        let folder = try Folder()
        try openStaged(folder, [3], [7]).addNotes(["a"])
        let store = try openStaged(folder, [3], [9, 7])
        #expect(try count(store) == 1)
        #expect(try stagedKeys(store) == ["p3", "7", "9"])
        expectMissing("7") { try count(openStaged(folder, [3], [9])) }
        expectMissing("p3") { try count(openStaged(folder, [4], [9, 7])) }
        try store.reencode(Reencoding("text", of: "Note"))
        #expect(try stagedKeys(store) == ["p3", "9"])
    }

    @Test func aProgramThatLacksTheNewestKeyOfOneStageCannotReencode() throws {
        let folder = try Folder()
        let reencoding = Reencoding("text", of: "Note")
        try openStaged(folder, [3], [7]).addNotes(["a"])
        try openStaged(folder, [3], [9, 7]).close()
        expectMissing("p3") { try openStaged(folder, [4], [9, 7]).reencode(reencoding) }
        let store = try openStaged(folder, [4, 3], [9, 7])
        #expect(try stagedKeys(store) == ["p3", "7", "9", "p4"])
        expectMissing("9") { try openStaged(folder, [4, 3], [7]).reencode(reencoding) }
        try store.reencode(reencoding)
        #expect(try stagedKeys(store) == ["p4", "9"])
    }

    @Test func damageKeepsTheFormerKeyInTheRecord() throws {
        var fixture = try ReencodingFixture()
        try fixture.open(Self.text).addNotes(["a", "b"])
        try Trial.run(
            "UPDATE \"Note\" SET \"text\" = \(Trial.bytes("00")) WHERE \"_id\" = 2",
            in: fixture.folder.file()
        )
        fixture.keys = [9, 7]
        let store = try fixture.open(Self.text)
        #expect(try store.reencode(Reencoding("text", of: "Note")).failureCount == 1)
        #expect(try recorded(fixture) == "7 9")
    }

    /// Opens what key 7 has sealed, unless `isRetired` says that the key is retired.
    private struct RetirableTransformer: Transformer {
        let isRetired: Bool
        var traits: TransformerTraits { [.confidential, .deterministic] }

        func encode(_ value: Data, in context: TransformContext) -> Data { [7] + value }

        func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
            let code = TransformerError.Code(rawValue: "retired-key")
            if isRetired { throw TransformerError(code, "the key 7 is retired") }
            return encoded.dropFirst()
        }
    }

    @Test func aRetiredKeyPreventsPartialRecomputation() throws {
        let folder = try Folder()
        func open(_ version: Int, isRetired: Bool) throws -> Store {
            let registry = try TransformerRegistry {
                Registration.text
                Registration("kept", RetirableTransformer(isRetired: isRetired))
                Registration("blind", KeyedBlindTransformer(keys: [7]))
            }
            let title = AttributeDescription.string("title", .default(""))
            let text = AttributeDescription.transformed(
                "text",
                "text | kept",
                as: String.self,
                .projected("text | blind")
            )
            let model = try Model(
                version: version,
                entities: [EntityDescription("Note", attributes: version == 1 ? [text] : [text, title])]
            )
            return try Store.trial(at: folder.file(), model: model, transformers: registry)
        }
        let store = try open(1, isRetired: false)
        try store.addNotes(["a"])
        try store.close()
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try open(2, isRetired: true) }
            #expect(error?.transformerError?.code.rawValue == "retired-key")
        }
        #expect(try count(open(2, isRetired: false)) == 1)
    }
}
