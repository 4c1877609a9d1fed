import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// External values, in files or in a table of a server.
@Suite(.eachEngine) struct ExternalValueTests {
    private static let large = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })

    private let folder: Folder
    private let registry: TransformerRegistry

    init() throws {
        folder = try Folder()
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    private static func model(isExternal: Bool = true) throws -> Model {
        let external = isExternal ? AttributeOption.externalStorage(over: 1000) : .optional
        return try Model(entities: [
            EntityDescription(
                "Scan",
                attributes: [
                    .string("name", .optional), .data("plain", .optional, external),
                    .transformed("sealed", "gzip | sealed", as: Data.self, .optional, external),
                ],
                relationships: [.toOne("folder", "Folder", inverse: "scans")]
            ),
            EntityDescription(
                "Folder",
                relationships: [.toMany("scans", "Scan", inverse: "folder", deleteRule: .cascade)]
            ),
        ])
    }

    private func open(isExternal: Bool = true) throws -> Store {
        try Store.trial(at: folder.file(), model: Self.model(isExternal: isExternal), transformers: registry)
    }

    @discardableResult
    private func add(_ name: String, _ value: Data, to store: Store) throws -> ObjectID {
        try store.write { context in
            let scan = try context.insert("Scan")
            try scan.setValue(name, for: "name")
            try scan.setValue(value, for: "plain")
            try scan.setValue(value, for: "sealed")
            return scan.id
        }
    }

    /// Checks the store, and returns the number of its external values.
    private func count(_ store: Store) throws -> Int {
        let found = try store.verify()
        #expect(found.isSound, "\(found.faults)")
        return found.blobCount
    }

    // The option needs no new version of the model.
    @Test func anOpenStoreDetectsThatAnotherProgramHasAddedTheOption() throws {
        let store = try open(isExternal: false)
        let id = try add("a", Self.large, to: store)
        let other = try open()
        try other.write { try $0.object(id).setValue(Self.large + [1], for: "plain") }
        let error = #expect(throws: StoreError(code: .storeChanged)) {
            try store.read { try $0.object(id).value("plain", as: Data.self) }
        }
        #expect(error?.attribute == "plain")
        #expect(throws: StoreError(code: .storeChanged)) { try store.export(to: folder.file("export")) }
        #expect(throws: StoreError(code: .storeChanged)) { try add("b", Self.large, to: store) }
        let again = try open(isExternal: false)
        let value = try again.read { try $0.object(id).value("plain", as: Data.self) }
        #expect(value == Self.large + [1])
    }

    @Test func valuesOfEachLengthComeBack() throws {
        let store = try open()
        let lengths = [0, 1, 1000, 1001, 262_144, 262_145, 524_288, 700_000]
        let ids = try lengths.map { try add("\($0)", Self.large.prefix($0), to: store) }
        try store.close()
        let again = try open()
        try again.read { context in
            for (id, length) in zip(ids, lengths) {
                let (scan, value) = (try context.object(id), Self.large.prefix(length))
                for name in ["plain", "sealed"] {
                    #expect(try scan.value(name, as: Data.self) == value)
                    #expect(try scan.stream(name)?.rest() == value)
                }
                #expect(try scan.mappedBytes("plain") == value)
            }
        }
        #expect(try count(again) > lengths.count(where: { $0 > 1000 }))
        #expect(try again.rehearse { try $0.fetch("Scan").count }.result == lengths.count)
        try again.close()
    }

    /// Bytes that look like the name of an external value are a value like any other.
    @Test func valuesThatLookLikeNamesComeBack() throws {
        let store = try open()
        let name = Data("blob:E621E1F8-C36C-495A-93FC-0C247A3E6E5F".utf8)
        let values = [name, name + [0], name + [0, 0], name + [1], Data("blob:".utf8), name.dropLast()]
        let ids = try values.map { try add("", $0, to: store) }
        try store.read { context in
            for (id, value) in zip(ids, values) {
                let scan = try context.object(id)
                #expect(try scan.value("plain", as: Data.self) == value)
                #expect(try scan.storedValue("plain") == .blob(value))
                #expect(try context.count("Scan", where: Field("plain") == value) == 1)
            }
        }
        #expect(try count(store) == 0)
        try store.close()
    }

    @Test func replacedAndDeletedValuesAreGone() throws {
        let store = try open()
        let id = try add("a", Self.large, to: store)
        try add("b", Self.large, to: store)
        #expect(try count(store) == 4)
        try store.write { context in
            let scan = try context.object(id)
            try scan.setValue(Self.large.dropLast(), for: "plain")
            try scan.setValue(Data(), for: "sealed")
        }
        #expect(try count(store) == 3)
        #expect(try store.read { try $0.object(id).value("plain", as: Data.self) } == Self.large.dropLast())
        try store.write { try $0.object(id).setValue(nil as Data?, for: "plain") }
        _ = try store.write { try $0.delete("Scan", where: Condition("name == \"b\"")) }
        #expect(try count(store) == 0)
        try store.close()
    }

    @Test func aCascadeDeletesValues() throws {
        let store = try open()
        let folder = try store.write { context in
            let folder = try context.insert("Folder")
            for _ in 0..<2 {
                let scan = try context.insert("Scan")
                try scan.setValue(Self.large, for: "plain")
                try scan.setObject(folder, for: "folder")
            }
            return folder.id
        }
        #expect(try count(store) == 2)
        try store.write { try $0.delete($0.object(folder)) }
        #expect(try count(store) == 0)
        try store.close()
    }

    @Test func nothingRemainsOfAWriteThatIsRolledBack() throws {
        struct Refusal: Error {}
        let store = try open()
        #expect(throws: Refusal.self) {
            try store.write { context in
                try context.insert("Scan").setValue(Self.large, for: "plain")
                try context.save()
                throw Refusal()
            }
        }
        #expect(try count(store) == 0)
        try store.close()
    }

    @Test func conditionsSeeExternalValues() throws {
        let store = try open()
        try add("a", Self.large, to: store)
        try add("b", Data([1]), to: store)
        try store.write { try $0.insert("Scan").setValue("c", for: "name") }
        func count(_ condition: Condition) throws -> Int { try store.read { try $0.count("Scan", where: condition) } }
        #expect(try count(Field("plain") == nil) == 1)
        #expect(try count(Field("plain") == Self.large) == 1)
        #expect(try count(Field("sealed") == Self.large) == 1)
        #expect(try count(Field("sealed") != nil) == 2)
        try store.close()
    }

    @Test func editingContextsKeepAndSaveStreams() throws {
        let store = try open()
        let id = try add("a", Self.large, to: store)
        let context = store.makeContext()
        let scan = try context.object(id)
        var rest = Data(Self.large.reversed())
        try scan.setStream(for: "plain") {
            defer { rest = rest.dropFirst(100_000) }
            return Data(rest.prefix(100_000))
        }
        #expect(try store.read { try $0.object(id).value("plain", as: Data.self) } == Self.large)
        #expect(try context.count("Scan", where: Field("name") == "a") == 1)
        try context.save()
        #expect(try scan.value("plain", as: Data.self) == Data(Self.large.reversed()))
        #expect(try count(store) == 2)
        try store.close()
    }

    @Test func aStreamEndsWithTheValueThatItBeganWith() throws {
        let store = try open()
        let id = try add("a", Self.large, to: store)
        var opened: ValueStream?
        try store.read { opened = try $0.object(id).stream("sealed") }
        let stream = try #require(opened)
        var bytes = try stream.next() ?? Data()
        try store.write { try $0.delete($0.object(id)) }
        bytes += try stream.rest()
        #expect(bytes == Self.large)
        try store.close()
    }

    /// Of each sealed value, bytes 0 to 7 tell the format.
    @Test func storedValuesAreCountedByTheirFirstBytes() throws {
        let store = try open()
        try add("a", Self.large, to: store)
        try add("b", Data([7]), to: store)
        let counts = try store.read { try $0.countStored("sealed", of: "Scan", by: 0..<4) }
        #expect(counts.values.sorted() == [2])
        #expect(try store.read { try $0.countStored("plain", of: "Scan", by: 0..<1) } == [Data([0]): 1, Data([7]): 1])
        try store.close()
    }
}
