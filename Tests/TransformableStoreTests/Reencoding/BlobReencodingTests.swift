import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Re-encoding of external values, in files or in a table of a server.
@Suite(.eachEngine) struct BlobReencodingTests {
    private static let magic = Data([0x8F, 0x54, 0x46, 0x53])

    private static func target(_ expression: String?) -> Reencoding.Target {
        expression.map { .transformer($0) } ?? .plain
    }

    @Test(
        arguments: [
            (nil, "sealed"), ("sealed", nil), ("sealed", "gzip | sealed"), ("gzip | sealed", "gzip"), (nil, "base64"),
            ("base64", "gzip"), ("sealed(deterministic: true)", "sealed"),
        ] as [(String?, String?)]
    )
    func movesToAnotherTransformer(from: String?, to: String?) throws {
        let scans = try Scans()
        let old = try scans.store(from)
        try Scans.fill(old)
        #expect(try old.reencode(Reencoding("bytes", of: "Scan", to: Self.target(to))).cells == 6)
        #expect(throws: StoreError(code: .storeChanged)) { try old.verify() }
        try old.close()
        try scans.expectWhole(scans.store(to))
        let files = try scans.folder.externalNames().map(scans.folder.externalBytes)
        if to == nil { #expect(Set(files) == Set((3...5).map { Scans.bytes($0, Scans.counts[$0]) })) }
        if to == "sealed" { #expect(files.allSatisfy { $0.starts(with: Self.magic) }) }
    }

    @Test(arguments: ["sealed", "gzip | sealed", "base64 | sealed"])
    func sealsBlobsWithANewKeyInPlace(expression: String) throws {
        var scans = try Scans()
        let old = try scans.store(expression)
        try Scans.fill(old)
        let before = try Set(scans.folder.externalNames())
        try old.close()
        scans.ring = try scans.ring.rotatingKey(named: "clinic")
        let store = try scans.store(expression)
        #expect(try store.reencode(Reencoding("bytes", of: "Scan")).cells == 6)
        #expect(try before.isDisjoint(with: scans.folder.externalNames()))
        let new = try #require(scans.ring.generations(of: "clinic").last?.id)
        let keys = try store.read { try $0.countStored("bytes", of: "Scan", by: 8..<16) }
        #expect(keys.keys.map { $0?.map { String(format: "%02x", $0) }.joined() } == ["\(new)"])
        try scans.expectWhole(store)
    }

    // The bytes do not depend on the key, so they are not written again, and scrubbing does not search for them.
    @Test func theNewKeyOfAnIndexLeavesPlainBlobsAsTheyAre() throws {
        let folder = try Folder()
        func open(_ keys: [Int64]) throws -> Store {
            let registry = try TransformerRegistry { Registration("blind", KeyedBlindTransformer(keys: keys)) }
            let bytes = AttributeDescription.data(
                "bytes",
                .externalStorage(over: 100),
                .projected("blind", as: "finder")
            )
            let model = try Model(entities: [EntityDescription("Scan", attributes: [bytes])])
            return try Store.trial(at: folder.file(), model: model, transformers: registry)
        }
        let old = try open([7])
        try old.write { context in
            for count in [50, 5000] { try context.insert("Scan").setValue(Scans.bytes(1, count), for: "bytes") }
        }
        try old.close()
        let names = try folder.externalNames()
        try #require(names.count == 1)
        let store = try open([9, 7])
        var reencoding = Reencoding("bytes", of: "Scan")
        reencoding.sampleCount = 10
        let report = try store.reencode(reencoding)
        #expect(report.cells == 2)
        #expect(report.canaries.count == 0)
        #expect(try folder.externalNames() == names)
        #expect(try store.indexKeys() == ["Scan.finder": ["9"]])
        #expect(try store.verify().isSound)
        let found = try store.read { try $0.count("Scan", where: Field("bytes") == Scans.bytes(1, 5000)) }
        #expect(found == 1)
    }

    // 2^63 - 1 zeros, which take no space. Adding any number of bytes to their count would overflow.
    @Test(.enabled(if: SmallDisk.isPossible), .sqliteOnly("Only files can be sparse."))
    func aFileOfTheWrongLengthIsReportedAsDamaged() throws {
        let disk = try #require(try SmallDisk())
        let file = disk.url.appending(path: "scans.sqlite")
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let model = try Model(entities: [EntityDescription("Scan", attributes: [Scans.attribute("gzip")])])
        let store = try Store(at: file, model: model, transformers: registry)
        try store.write { context in
            for _ in 0..<2 { try context.insert("Scan").setValue(Scans.bytes(1, 5000), for: "bytes") }
        }
        try shell(file) { try $0.execute(sql: "UPDATE _transformable_blob SET length = \(Int64.max)") }
        let folder = URL(filePath: file.path + "-blobs")
        let names = try shell(file) { try String.fetchAll($0, sql: "SELECT uuid FROM _transformable_blob") }
        for name in names {
            let handle = try FileHandle(forWritingTo: folder.appending(path: name))
            try handle.truncate(atOffset: 0)
            try handle.truncate(atOffset: UInt64(Int64.max))
            try handle.close()
        }
        let error = #expect(throws: StoreError.self) {
            try store.reencode(Reencoding("bytes", of: "Scan", to: .transformer("sealed")))
        }
        #expect(error?.code == .undecodable && error?.faults.count == 2)
    }

    @Test func onlyPicturesAreProcessedAsAWhole() throws {
        // Text that is stamped twice would end in two bytes of 1, but a shared first stage does not run again.
        let folder = try Folder()
        let registry = try TransformerRegistry {
            StandardPlugin()
            Registration("stamp", StampTransformer())
        }
        func store(_ expression: String) throws -> Store {
            let bytes = AttributeDescription.transformed("bytes", expression, as: Data.self, .externalStorage(over: 5))
            let model = try Model(entities: [EntityDescription("Scan", attributes: [bytes])])
            return try Store.trial(at: folder.file(), model: model, transformers: registry)
        }
        let old = try store("stamp | gzip")
        try old.write { try $0.insert("Scan").setValue(Data("picture".utf8), for: "bytes") }
        try old.reencode(Reencoding("bytes", of: "Scan", to: .transformer("stamp")))
        let new = try store("stamp")
        #expect(try folder.externalNames().map(folder.externalBytes) == [Data("picture\u{1}".utf8)])
        #expect(try new.verify().isSound)
    }

    @Test(.alsoWithTenants) func resumesWithoutLosingWrites() throws {
        struct Stop: Error {}
        let scans = try Scans()
        let store = try scans.store(nil)
        try store.write { context in
            for number in 0..<100 { try context.insert("Scan").setValue(Scans.bytes(number, 600), for: "bytes") }
        }
        let reencoding = Reencoding("bytes", of: "Scan", to: .transformer("sealed"))
        #expect(throws: Stop.self) { try store.reencode(reencoding) { if $0.done >= 64 { throw Stop() } } }
        // New values are stored next to the old ones while an unaware program changes, deletes, and adds rows.
        #expect(try store.verify().isSound)
        #expect(try scans.folder.externalNames().count > 100)
        try store.write { context in
            try context.object(ObjectID(entity: "Scan", number: 3)).setValue(Scans.bytes(999, 700), for: "bytes")
            try context.delete(context.object(ObjectID(entity: "Scan", number: 4)))
            try context.insert("Scan").setValue(Scans.bytes(101, 800), for: "bytes")
        }
        #expect(try store.verify().isSound)
        #expect(try store.reencode(reencoding).cells <= 40)
        try store.close()
        let sealed = try scans.store("sealed")
        let values = try sealed.read { context in
            try context.fetch("Scan").map { try $0.value("bytes", as: Data.self) }
        }
        var expected = (0..<100).map { Scans.bytes($0, 600) } + [Scans.bytes(101, 800)]
        expected[2] = Scans.bytes(999, 700)
        expected.remove(at: 3)
        #expect(values == expected)
        try scans.expectClean(sealed)
    }

    @Test func anotherTargetDiscardsUnfinishedValues() throws {
        struct Stop: Error {}
        let scans = try Scans()
        let store = try scans.store(nil)
        try Scans.fill(store)
        let sealed = Reencoding("bytes", of: "Scan", to: .transformer("sealed"))
        #expect(throws: Stop.self) { try store.reencode(sealed) { _ in throw Stop() } }
        try store.reencode(Reencoding("bytes", of: "Scan", to: .transformer("gzip")))
        try store.close()
        try scans.expectWhole(scans.store("gzip"))
    }

    @Test func aMigrationDiscardsUnfinishedValues() throws {
        struct Stop: Error {}
        let scans = try Scans()
        let store = try scans.store(nil)
        try Scans.fill(store)
        let sealed = Reencoding("bytes", of: "Scan", to: .transformer("sealed"))
        #expect(throws: Stop.self) { try store.reencode(sealed) { _ in throw Stop() } }
        try store.close()
        let second = try scans.store(nil, version: 2, extra: [.string("label", .optional)])
        try scans.expectWhole(second)
        try second.reencode(sealed)
        try second.close()
        try scans.expectWhole(scans.store("sealed", version: 2, extra: [.string("label", .optional)]))
    }

    @Test func droppingTheEntityDiscardsUnfinishedValues() throws {
        struct Stop: Error {}
        let scans = try Scans()
        let store = try scans.store("sealed")
        try Scans.fill(store)
        let before = try Set(scans.folder.externalNames())
        #expect(throws: Stop.self) {
            try store.reencode(Reencoding("bytes", of: "Scan", to: .plain)) { _ in throw Stop() }
        }
        #expect(try scans.folder.externalNames().count > before.count)
        try store.close()
        let registry = try TransformerRegistry { EncryptionPlugin(keys: scans.ring) }
        let other = try Model(version: 2, entities: [EntityDescription("Other", attributes: [.string("name")])])
        let next = try Store.trial(at: scans.folder.file(), model: other, transformers: registry)
        _ = try next.removeOrphanedBlobs()
        #expect(try Set(scans.folder.externalNames()) == before)
        try next.abortReencodings()
        #expect(try Set(scans.folder.externalNames()) == before)
        #expect(try next.unfinishedReencodings() == [])
    }

    /// Earlier versions set aside the new cells as well.
    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func unfinishedValuesThatWereSetAsideAreDiscarded() throws {
        let folder = try Folder()
        let registry = try Transformers().registry()
        let store = try Store.documents(in: folder)
        for name in ["a", "b"] { try store.addDocument(name, data: Data(repeating: 7, count: 5000)) }
        try store.close()
        let other = try Model(version: 2, entities: [EntityDescription("Other", attributes: [.string("name")])])
        try Store.trial(at: folder.file(), model: other, transformers: registry).close()
        try shell(folder.file()) { database in
            let sql = "SELECT id FROM _transformable_attribute WHERE name = 'data'"
            let number = try #require(try Int.fetchOne(database, sql: sql))
            let (table, shadow) = ("\"_dropped.Document.1\"", "\"_reencoded.\(number)\"")
            try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(shadow)")
            try database.execute(sql: "UPDATE \(table) SET \(shadow) = data")
            try database.execute(sql: "UPDATE \(table) SET data = NULL WHERE name = 'a'")
        }
        let next = try Store.trial(at: folder.file(), model: other, transformers: registry)
        #expect(try folder.externalNames().count == 2)
        try next.abortReencodings()
        #expect(try folder.externalNames().count == 1)
    }

    @Test func damagedBlobsStayUnchanged() throws {
        let scans = try Scans()
        let store = try scans.store("sealed")
        try Scans.fill(store)
        let name = try scans.name(of: 5)
        try scans.folder.damage(name, with: "damage")
        let report = try store.reencode(Reencoding("bytes", of: "Scan"))
        #expect(report.cells == 5)
        #expect(report.failures.map(\.code) == [.damagedBlob])
        #expect(report.failures.map(\.object?.number) == [5])
        let other = Reencoding.Target.transformer("gzip | sealed")
        #expect(throws: StoreError(code: .damagedBlob)) {
            try store.reencode(Reencoding("bytes", of: "Scan", to: other))
        }
        let kept = try store.reencode(Reencoding("bytes", of: "Scan", to: other, keepsUndecodable: true))
        #expect(kept.failureCount == 1)
        try store.close()
        #expect(try scans.folder.externalBytes(name) == Data("damage".utf8))
        let new = try scans.store("gzip | sealed")
        #expect(try new.verify().faults.map(\.code) == [.damagedBlob])
        #expect(try new.removeOrphanedBlobs() == 0)
        #expect(try scans.folder.externalNames().contains(name))
    }

    @Test func plainTextMovesBackToItsColumn() throws {
        let folder = try Folder()
        let registry = try TransformerRegistry { StandardPlugin() }
        func store(_ text: AttributeDescription) throws -> Store {
            let model = try Model(entities: [
                EntityDescription("Note", attributes: [text, .string("title", .optional)])
            ])
            return try Store.trial(at: folder.file(), model: model, transformers: registry)
        }
        let long = (0..<5000).map { "\($0 &* 7919 % 10_007)" }.joined()
        let packed = try store(.transformed("text", "text | gzip", as: String.self, .externalStorage(over: 100)))
        try packed.addNotes([long, "short"])
        #expect(try folder.externalNames().count == 1)
        try packed.reencode(Reencoding("text", of: "Note", to: .plain))
        #expect(try folder.externalNames() == [])
        try packed.close()
        let plain = try store(.string("text"))
        #expect(try plain.texts == [long, "short"])
        #expect(try plain.verify().isSound)
    }

    @Test func unfinishedValuesMayNeedAnyKey() throws {
        struct Stop: Error {}
        let scans = try Scans()
        let store = try scans.store("sealed")
        try Scans.fill(store)
        let reencoding = Reencoding("bytes", of: "Scan", to: .transformer("gzip | sealed"))
        #expect(throws: Stop.self) { try store.reencode(reencoding) { _ in throw Stop() } }
        let key = try #require(scans.ring.generations(of: "clinic").first?.id)
        let usage = try KeyUsage(of: [store])
        #expect(usage.values[key] == 6)
        // Their transformer is not known yet.
        #expect(usage.unknown == ["Scan.bytes (in an unfinished re-encoding)"])
        try store.abortReencodings()
        #expect(try KeyUsage(of: [store]).values[key] == 6)
        try scans.expectWhole(store)
    }

    @Test func unfinishedPlainTextIsNotSearchedForKeys() throws {
        struct Stop: Error {}
        let folder = try Folder()
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let text = AttributeDescription.transformed("text", "text | sealed", as: String.self)
        let model = try Model(entities: [EntityDescription("Note", attributes: [text])])
        let store = try Store.trial(at: folder.file(), model: model, transformers: registry)
        try store.addNotes(["blob:", "short"])
        let reencoding = Reencoding("text", of: "Note", to: .plain)
        #expect(throws: Stop.self) { try store.reencode(reencoding) { _ in throw Stop() } }
        let key = try #require(ring.generations(of: "clinic").first?.id)
        #expect(try KeyUsage(of: [store]).values[key] == 2)
        try store.abortReencodings()
        #expect(try store.texts == ["blob:", "short"])
    }

    @Test func droppedValuesCanBeReadUntilTheyAreDiscarded() throws {
        let folder = try Folder()
        let registry = try Transformers().registry()
        let store = try Store.documents(in: folder)
        let bytes = Data(repeating: 7, count: 5000)
        try store.addDocument("a", data: bytes, sealed: bytes)
        try store.close()
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Document") { document in
                for name in ["data", "sealed"] {
                    let value = try migration.oldValue(name, of: document, as: Data.self)
                    #expect(value == bytes)
                }
            }
        }
        let second = try Model(version: 2, entities: [EntityDescription("Document", attributes: [.string("name")])])
        let next = try Store.trial(at: folder.file(), model: second, transformers: registry, migrations: [step])
        #expect(try next.removeOrphanedBlobs() == 0)
        #expect(try folder.externalNames().count == 2)
        try next.discardSetAside()
        #expect(try folder.externalNames() == [])
        #expect(try next.verify().isSound)
    }

    @Test func aContextReadsValuesThatWereReencodedSinceItReadTheRow() throws {
        var scans = try Scans()
        let old = try scans.store("gzip | sealed")
        let bytes = Scans.bytes(1, 300_000)
        try old.write { try $0.insert("Scan").setValue(bytes, for: "bytes") }
        try old.close()
        scans.ring = try scans.ring.rotatingKey(named: "clinic")
        let store = try scans.store("gzip | sealed")
        let context = store.makeContext()
        let scan = try #require(try context.first("Scan"))
        #expect(try store.reencode(Reencoding("bytes", of: "Scan")).cells == 1)
        #expect(try scan.value("bytes", as: Data.self) == bytes)
        try scan.setValue(nil as Data?, for: "bytes")
        try context.save()
        try scans.expectClean(store)
    }
}
