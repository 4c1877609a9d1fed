import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// A transformer that refuses one value.
private struct PickyTransformer: Transformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: String, in context: TransformContext) throws -> Data {
        guard value != "bad" else { throw TransformerError.invalidData("the value is bad") }
        return Data(value.utf8)
    }

    func decode(_ encoded: Data, in context: TransformContext) -> String { String(decoding: encoded, as: UTF8.self) }
}

/// Bytes that are set as streams or contents, until they are saved.
@Suite(.eachEngine) struct UnsavedBytesTests {
    /// How bytes are set.
    enum Setting: CaseIterable {
        case stream, contents

        func set(_ bytes: Data, for name: String, of object: ManagedObject) throws {
            guard self == .stream else { return try object.setContents(bytes, for: name) }
            var rest = bytes
            try object.setStream(for: name) {
                defer { rest = Data() }
                return rest
            }
        }
    }

    /// What makes stored bytes undecodable.
    enum Damage: CaseIterable {
        case cell, checksum

        var sql: String {
            switch self {
            case .cell: "UPDATE \"Scan\" SET \"sealed\" = \(Trial.bytes("00ff"))"
            case .checksum: "UPDATE \"_transformable_blob\" SET \"checksum\" = \(Trial.bytes("00"))"
            }
        }
    }

    private static let large = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })

    private let folder: Folder
    private let registry: TransformerRegistry

    init() throws {
        folder = try Folder()
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
            Registration("box", BoxTransformer())
            Registration("picky", PickyTransformer())
            Registration("blind", BlindTransformer(keys: [7]))
        }
    }

    private func open() throws -> Store {
        let external = AttributeOption.externalStorage(over: 1000)
        let model = try Model(entities: [
            EntityDescription(
                "Scan",
                attributes: [
                    .string("name", .optional), .data("plain", .optional, external),
                    .transformed("sealed", "gzip | sealed", as: Data.self, .optional, external),
                    .transformed("box", "box", as: Box.self, .optional),
                    .transformed("word", "picky", as: String.self, .optional, .projected("text | blind")),
                ]
            )
        ])
        return try Store.trial(at: folder.file(), model: model, transformers: registry)
    }

    private func add(to store: Store, _ values: [String: any Sendable] = [:]) throws -> ObjectID {
        try store.write { context in
            let scan = try context.insert("Scan")
            for (name, value) in values { try scan.setValue(any: value, for: name) }
            return scan.id
        }
    }

    // MARK: - Replacing bytes

    @Test(arguments: Setting.allCases, Damage.allCases)
    func damagedBytesAreReplacedOnlyExplicitly(setting: Setting, damage: Damage) throws {
        let store = try open()
        let id = try add(to: store, ["sealed": Self.large])
        try store.close()
        try Trial.run(damage.sql, in: folder.file())

        let damaged = try open()
        let error = #expect(throws: StoreError(code: .undecodable)) {
            try damaged.write { try setting.set(Data([1]), for: "sealed", of: $0.object(id)) }
        }
        #expect(error?.attribute == "sealed" && error?.object == id)
        let context = damaged.makeContext()
        let scan = try context.object(id)
        try setting.set(Data([1]), for: "sealed", of: scan)
        #expect(throws: StoreError(code: .undecodable)) { try context.save() }
        context.rollback()
        try scan.replaceValue(nil as Data?, for: "sealed")
        try setting.set(Data([2]), for: "sealed", of: scan)
        try setting.set(Data([3]), for: "sealed", of: scan)
        try context.save()
        #expect(try damaged.read { try $0.object(id).value("sealed", as: Data.self) } == Data([3]))
        #expect(try damaged.verify().isSound)
        try damaged.close()
    }

    /// The row is not read before it is written, because what it contains may be lost.
    @Test(arguments: Setting.allCases) func bytesOfAnObjectThatWasNotReadAreReplaced(setting: Setting) throws {
        let store = try open()
        let id = try add(to: store, ["sealed": Self.large])
        try store.write { context in
            let scan = try context.fault(id)
            try scan.replaceValue(nil as Data?, for: "sealed")
            try setting.set(Data([1]), for: "sealed", of: scan)
        }
        #expect(try store.read { try $0.object(id).value("sealed", as: Data.self) } == Data([1]))
        #expect(try store.verify().blobCount == 0)
        try store.close()
    }

    @Test(arguments: Setting.allCases) func intactBytesThatWereNotReadAreReplaced(setting: Setting) throws {
        let store = try open()
        let id = try add(to: store, ["sealed": Self.large, "plain": Self.large])
        try store.write { context in
            let scan = try context.object(id)
            for name in ["sealed", "plain"] { try setting.set(Data([1]), for: name, of: scan) }
        }
        let values = try store.read { context in
            try ["sealed", "plain"].map { try context.object(id).value($0, as: Data.self) }
        }
        #expect(values == [Data([1]), Data([1])])
        #expect(try store.verify().blobCount == 0)
        try store.close()
    }

    // MARK: - Reading

    // The stages of “box” would write “2x3”.
    @Test func contentsAreReadBeforeTheyAreSaved() throws {
        let store = try open()
        let contents = Data("02x3".utf8)
        let id = try store.write { context in
            let scan = try context.insert("Scan")
            try scan.setContents(contents, for: "box")
            try scan.setContents(Self.large, for: "sealed")
            #expect(try scan.value("box", as: Box.self) == Box(width: 2, height: 3))
            #expect(try scan.stream("box")?.rest() == contents)
            #expect(try scan.stream("sealed")?.rest() == Self.large)
            return scan.id
        }
        #expect(try store.read { try $0.object(id).stream("box")?.rest() } == contents)
        try store.close()
    }

    @Test func aCanceledReadIsNoFailureToDecode() async throws {
        let store = try open()
        let id = try add(to: store, ["name": "a", "sealed": Self.large])
        let read = Task {
            try await store.read { context in
                let scan = try context.object(id)
                #expect(try scan.value("name", as: String.self) == "a")
                withUnsafeCurrentTask { $0?.cancel() }
                return try scan.value("sealed", as: Data.self)
            }
        }
        await #expect(throws: CancellationError.self) { try await read.value }
        try store.close()
    }

    // MARK: - Finding pending values

    @Test(arguments: [10, 700_000]) func fetchesFindPendingStreams(count: Int) throws {
        let store = try open()
        let id = try add(to: store)
        let context = store.makeContext()
        let scan = try context.object(id)
        let bytes = Data(Self.large.prefix(count))
        #expect(try context.count("Scan", where: Field("plain") == nil) == 1)
        try Setting.stream.set(bytes, for: "plain", of: scan)
        #expect(try context.count("Scan", where: Field("plain") == nil) == 0)
        #expect(try context.fetch("Scan", where: Field("plain") != nil) == [scan])
        let isEqual = Field("plain") == bytes
        if count > 1000 {
            // The bytes are not in memory.
            #expect(throws: StoreError(code: .misuse)) { try context.count("Scan", where: isEqual) }
        } else {
            #expect(try context.count("Scan", where: isEqual) == 1)
        }
        try context.save()
        #expect(try context.count("Scan", where: isEqual) == 1)
        try store.close()
    }

    @Test func fetchesFindNoPreviousValueOfOneThatCannotBeEncoded() throws {
        let store = try open()
        let id = try add(to: store, ["word": "good"])
        let context = store.makeContext()
        let scan = try context.object(id)
        func count(_ condition: Condition) throws -> Int { try context.count("Scan", where: condition) }
        let isProjected = Field("word_blind") != nil
        #expect(try [count(Field("word") == "good"), count(isProjected)] == [1, 1])
        try scan.setValue("bad", for: "word")
        #expect(try [count(Field("word") == "good"), count(isProjected)] == [0, 0])
        #expect(try count(Field("word") == nil) == 1)
        #expect(throws: StoreError(code: .invalidValue)) { try context.save() }
        try scan.setValue("fine", for: "word")
        #expect(try [count(Field("word") == "fine"), count(isProjected)] == [1, 1])
        try context.save()
        try store.close()
    }
}
